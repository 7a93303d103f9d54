import FFmpeg
import TestSupport
import Testing

/// The log belongs to the whole process, so that each test has a process of its own.
struct LogCaptureTests {
  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `errors of a damaged file are kept with the part that met them`() async {
    await #expect(processExitsWith: .success) {
      LogCapture.start()
      let decoded = try decode(SharedFiles.media("video/sample_with_invalid_nalu.mp4"))
      let kept = LogCapture.take()
      #expect(decoded.errors.count == 1)
      #expect(
        kept.lines.contains { $0.description == "h264: Error splitting the input into NAL units." })
      #expect(kept.lines.allSatisfy { $0.level <= .error && !$0.message.contains("\n") })
      #expect(kept.dropped == 0)
      #expect(LogCapture.take().lines.isEmpty)
    }
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `lines over the capacity are counted`() async {
    await #expect(processExitsWith: .success) {
      LogCapture.start(capacity: 1)
      _ = try decode(SharedFiles.media("audio/issue-74.m4a"), kind: .audio)
      let kept = LogCapture.take()
      #expect(kept.lines.count == 1)
      #expect(kept.dropped > 100)
    }
  }
}
