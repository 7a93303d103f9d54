import FFmpeg
import ImageFiles
import Imaging
import TestSupport
import Testing

/// Clips in HDR, made of a sample whose truth is known, with SDR's white where HDR has its own.
@Suite(.temporaryDirectory, .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent))
struct HDRClipTests {
  private func write(_ transfer: String, _ frames: Int = 1, format: String = "yuv420p10le") throws
    -> String
  {
    let toLight = "zscale=transfer=linear:primaries=2020:matrix=gbr:npl=203,format=gbrpf32le"
    let toCodes = "zscale=transfer=\(transfer):matrix=2020_ncl:range=limited:npl=203"
    try FFmpegTool.run(
      "-i \(Checkout.sample("sprite-magenta.mp4")) -frames:v \(frames) -an "
        + "-vf scale=in_color_matrix=bt601:out_color_matrix=bt709,"
        + "setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv,"
        + "\(toLight),\(toCodes),format=\(format) -c:v libx264 -crf 8 -preset veryfast "
        + path("\(transfer).mp4"))
    return path("\(transfer).mp4")
  }

  /// Measured: 3.8 and 3.4 levels, at the edges 25.0 and 25.8; of the SDR clip 1.9 and 19.2.
  @Test(arguments: ["arib-std-b67", "smpte2084"])
  func `a magenta screen is found magenta, and the key is near the truth`(transfer: String)
    async throws
  {
    let clip = try write(transfer)
    #expect(try Pixels.frame(of: clip).colour.isHDR)
    let output = try await make("{\"key\": {}}", of: clip)
    #expect(output.manifest.warnings.contains("HDR input: tone-mapped to SDR"))
    #expect(!output.manifest.partial)
    let screen = try #require(output.manifest.key?.screens.first.flatMap { RGBColor($0.color) })
    #expect(screen.red > 0.9 && screen.green < 0.05 && screen.blue > 0.9)
    let errors = try Truth(frame: 1).errors(
      of: try output.picture("frames/000001.png").image, over: [255, 0, 255, 255])
    #expect(errors.alpha < 4)
    #expect(errors.edgeAlpha < 32)
  }

  @Test(arguments: ["yuv420p10le", "yuv422p10le", "yuv444p10le"])
  func `a still has the colours that SDR has`(format: String) async throws {
    let clip = try write("arib-std-b67", format: format)
    let recipe = #"{"stills": {"at": [0], "formats": ["png"]}}"#
    let output = try await make(recipe, of: clip, as: "hdr")
    let plain = try await make(recipe, of: Checkout.sample("sprite-magenta.mp4"), as: "sdr")
    #expect(output.manifest.warnings == ["HDR input: tone-mapped to SDR"])
    let (made, given) = try (
      output.picture("stills/0001.png").image, plain.picture("stills/0001.png").image
    )
    // Below the bend of the curve they are those of SDR, above it a little darker.
    for (column, row) in [(0, 0), (7, 0), (3, 4), (4, 4), (4, 5)] {
      let difference =
        Pixels.mean(given, column: column, row: row, of: 8)
        &- Pixels.mean(made, column: column, row: row, of: 8)
      #expect((0..<3).allSatisfy { -6...20 ~= difference[$0] }, "\(column), \(row): \(difference)")
    }
  }
}
