import FFmpeg
import ImageFiles
import Imaging
import TestSupport
import Testing

/// Keying clips of every way to store colours, against the truth that they were made of.
@Suite(.temporaryDirectory) struct KeyedFormatTests {
  private static let magenta = SIMD4<UInt8>(255, 0, 255, 255)

  struct Storage: Sendable, CustomTestStringConvertible {
    let format: String
    var matrix = ColourDescription.Matrix.bt601
    var isFullRange = false
    /// The mean error of alpha where the truth is neither opaque nor empty, in levels of 255, and of
    /// the colours over grey.
    var most = (edge: 21.0, composite: 1.05)

    var testDescription: String { "\(format) \(matrix)\(isFullRange ? " full" : "")" }
    var colour: ColourDescription {
      ColourDescription(
        matrix: matrix, isFullRange: isFullRange, transfer: .bt709, primaries: .bt709)
    }
  }

  @Test(arguments: [
    Storage(format: "yuv420p"),
    Storage(format: "yuv420p", isFullRange: true),
    Storage(format: "yuv420p", matrix: .bt709),
    Storage(format: "yuv420p", matrix: .bt2020),
    Storage(format: "yuv420p10le"),
    Storage(format: "yuv420p12le", matrix: .bt2020),
    Storage(format: "yuv422p", most: (23, 1.1)),
    Storage(format: "yuv422p10le", matrix: .bt709, most: (23, 1.1)),
    Storage(format: "yuv444p", most: (18, 0.75)),
    Storage(format: "yuv444p", matrix: .bt709, isFullRange: true, most: (18, 0.75)),
    Storage(format: "yuv444p12le", matrix: .bt709, most: (18, 0.75)),
  ])
  func `a clip is keyed to its truth`(storage: Storage) async throws {
    let truth = try Truth(frame: 30)
    try TestClip.write(
      path("clip.mkv"), picture: truth.picture(over: Self.magenta), format: storage.format,
      colour: storage.colour)
    let output = try await make(#"{"key": {"color": "auto"}}"#, of: path("clip.mkv"))
    let screen = try #require(output.manifest.key?.screens.first?.color)
    let found = try #require(RGBColor(screen)).channels
    #expect(abs(found.x - 1) < 0.02 && found.y < 0.02 && abs(found.z - 1) < 0.02, "\(screen)")
    let errors = truth.errors(
      of: try output.picture("frames/000001.png").image, over: SIMD4(128, 128, 128, 255))
    #expect(errors.edgeAlpha < storage.most.edge, "\(errors)")
    #expect(errors.composite < storage.most.composite, "\(errors)")
  }

  @Test(arguments: ["\"magenta\"", "\"auto\""], ["clean", "gpuimage"])
  func `an untagged clip is decoded so that its screen comes out right`(
    color: String, mode: String
  ) async throws {
    let orange = SIMD4<UInt8>(230, 120, 40, 255)
    var picture = RGBAImage(
      size: PixelSize(width: 1280, height: 120), filledWith: Self.magenta)
    for y in 30..<90 { for x in 400..<800 { picture[x, y] = orange } }
    let recipe = #"{"key": {"color": \#(color), "mode": "\#(mode)"}}"#
    // Players take clips of this size for BT.709.
    for (matrix, name) in [(ColourDescription.Matrix.bt601, "BT.601"), (.bt709, "BT.709")] {
      let clip = path("\(name).mkv")
      let colour = ColourDescription(
        matrix: matrix, isFullRange: false, transfer: .bt709, primaries: .bt709)
      try TestClip.write(
        clip, picture: picture, format: "yuv420p", colour: colour, isTagged: false)
      let output = try await make(recipe, of: clip, as: name)
      #expect(output.manifest.key?.matrix == name)
      let frame = try output.picture("frames/000001.png").image
      let pixel = frame[600, 60]
      #expect((0..<4).allSatisfy { abs(Int(pixel[$0]) - Int(orange[$0])) <= 2 }, "\(pixel)")
      #expect(output.manifest.warnings.isEmpty == (matrix == .bt709), "\(output.manifest.warnings)")
    }
  }

  @Test func `premultiplied frames are the straight ones times their alpha`() async throws {
    let clip = Checkout.sample("sprite-magenta.mp4")
    let span = #""color": "auto", "from": 1, "to": 1.01"#
    let straight = try await make(#"{"key": {\#(span)}}"#, of: clip)
    let recipe = #"{"key": {\#(span), "alpha": "premultiplied"}}"#
    let multiplied = try await make(recipe, of: clip, as: "multiplied")
    #expect(straight.manifest.key?.alpha == "straight")
    #expect(multiplied.manifest.key?.alpha == "premultiplied")
    let (a, b) = (
      try straight.picture("frames/000001.png").image,
      try multiplied.picture("frames/000001.png").image
    )
    #expect(a.pixels.contains { 0 < $0.w && $0.w < 255 })
    for (pixel, product) in zip(a.pixels, b.pixels) {
      try #require(pixel.w == product.w)
      for channel in 0..<3 {
        let wanted = (Double(pixel[channel]) * Double(pixel.w) / 255).rounded()
        try #require(Double(product[channel]) == wanted)
      }
    }
  }

  @Test func `a key colour that is not in the clip is told, with the one that is`() async throws {
    let clip = Checkout.sample("sprite-magenta.mp4")
    let output = try await make(#"{"key": {"color": "lime", "to": 0.01}}"#, of: clip)
    let warning = try #require(output.manifest.warnings.first)
    #expect(warning.hasPrefix("hardly anything of the first frame is near the key colour #00ff00"))
    #expect(warning.contains("the screen seems to be #f"), "\(warning)")
  }

  @Test func `a picture that is transparent already keeps its alpha`() async throws {
    let source = Checkout.sample("truth/000030.png")
    let output = try await make(#"{"key": {"color": "auto"}}"#, of: source)
    #expect(output.manifest.warnings.first?.contains("transparent already") == true)
    let frame = try output.picture("frames/000001.png").image
    #expect(frame.pixels.map(\.w) == (try Truth(frame: 30)).image.pixels.map(\.w))
  }

  @Test func `masks and a plate are read beside the recipe's input`() async throws {
    let truth = try Truth(frame: 30)
    let colour = ColourDescription(
      matrix: .bt601, isFullRange: false, transfer: .bt709, primaries: .bt709)
    try TestClip.write(
      path("clip.mkv"), picture: truth.picture(over: Self.magenta), format: "yuv420p",
      colour: colour)
    try TestClip.write(
      path("plate.mkv"), picture: RGBAImage(size: truth.image.size, filledWith: Self.magenta),
      format: "yuv420p", colour: colour)
    var white = RGBAImage(size: PixelSize(width: 2, height: 1), filledWith: SIMD4(0, 0, 0, 255))
    white[1, 0] = SIMD4(255, 255, 255, 255)
    try TestClip.write(
      path("mask.mkv"), picture: white.resized(to: truth.image.size), format: "yuv420p",
      colour: colour)
    let recipe = #"""
      {"key": {"plate": "\#(path("plate.mkv"))", "garbage": {"picture": "\#(path("mask.mkv"))"},
       "holdOut": {"rectangle": ["0%", "0%", "10%", "10%"]}}}
      """#
    let output = try await make(recipe, of: path("clip.mkv"))
    let frame = try output.picture("frames/000001.png").image
    #expect(frame[635, 240] == .zero && frame[5, 470] == .zero)
    #expect(frame[5, 5].w == 255 && frame[63, 47].w == 255 && frame[66, 5] == .zero)
    let other = try await failure(
      recipe.replacing("plate.mkv", with: "none.mkv"), of: path("clip.mkv"))
    #expect(other?.message == "no such file")
  }
}
