import FFmpeg
import Testing

struct RationalTests {
  @Test func `ticks and seconds are each other's inverse`() {
    let base = Rational(1, 90000)
    #expect(base.seconds(of: 45000) == 0.5)
    #expect(base.ticks(of: 0.5) == 45000)
    #expect(base.ticks(of: .infinity) == .max)
    #expect(base.ticks(of: -1e300) == .min)
  }

  @Test func `rescaling is exact where seconds are not`() {
    let ticks: Int64 = 9_007_199_254_740_993
    #expect(Rational(1, 1000).rescale(ticks, to: Rational(1, 500)) == 4_503_599_627_370_497)
    #expect(Rational(1001, 30000).rescale(30000, to: .milliseconds) == 1_001_000)
  }
}

struct FFmpegErrorTests {
  @Test func `a code is put in FFmpeg's words`() {
    let error = FFmpegError(code: .invalidData, call: "av_read_frame", subject: "x.mp4")
    #expect(
      error.description
        == "x.mp4: Invalid data found when processing input (av_read_frame)")
    #expect(FFmpegError.Code(rawValue: -28) == .noSpace)
    #expect("\(FFmpegError.Code.noSpace)" == "No space left on device")
  }

  @Test func `a catch can match the code`() {
    do throws(FFmpegError) {
      _ = try InputContainer(path: "/nonexistent")
      Issue.record("nothing was thrown")
    } catch .fileNotFound {
    } catch {
      Issue.record("\(error)")
    }
  }
}

struct PixelFormatTests {
  @Test(arguments: [
    ("yuv420p", true, false, false, 8, 1, 1, 3), ("yuvj420p", true, false, false, 8, 1, 1, 3),
    ("yuva444p12le", false, false, true, 12, 0, 0, 4), ("rgba", false, true, true, 8, 0, 0, 1),
    ("gbrp", false, true, false, 8, 0, 0, 3), ("pal8", false, true, true, 8, 0, 0, 1),
    ("yuv422p10le", false, false, false, 10, 1, 0, 3),
  ])
  func `a format has its shape`(
    name: String, isYUV420P8: Bool, isRGB: Bool, hasAlpha: Bool, bitDepth: Int, shiftX: Int,
    shiftY: Int, planes: Int
  ) throws {
    let format = try #require(PixelFormat(named: name))
    #expect(format.name == name)
    #expect(format.isYUV420P8 == isYUV420P8)
    #expect(format.isRGB == isRGB)
    #expect(format.hasAlpha == hasAlpha)
    #expect(format.bitDepth == bitDepth)
    #expect((format.chromaShiftX, format.chromaShiftY) == (shiftX, shiftY))
    #expect(format.planeCount == planes)
  }

  @Test func `an unknown name is no format`() {
    #expect(PixelFormat(named: "nosuch") == nil)
    #expect(SampleFormat(named: "nosuch") == nil)
  }
}

struct LibraryVersionsTests {
  @Test func `every library has a version`() {
    #expect(LibraryVersions.all.map(\.name).contains("libavformat"))
    #expect(LibraryVersions.all.allSatisfy { $0.version.split(separator: ".").count == 3 })
    #expect(!LibraryVersions.ffmpeg.isEmpty)
  }
}
