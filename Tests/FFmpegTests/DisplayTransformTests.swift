import FFmpeg
import Foundation
import TestSupport
import Testing

struct DisplayTransformTests {
  static let all = (0..<8).map { DisplayTransform(quarterTurns: $0 % 4, isMirrored: $0 > 3) }

  /// Three by two pixels, each of its own value.
  private let grid = Pixels(width: 3, height: 2, bytes: (0..<24).map { UInt8($0) })

  @Test func `each of the eight matrices moves pixels as the standard says`() {
    for (a, b, c, d) in [
      (1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0),
      (-1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, -1), (0, -1, -1, 0),
    ] {
      let scale = 1 << 16
      let matrix = [a, b, 0, c, d, 0, 0, 0, 1].map { Int32($0 * scale) }
      let turned = grid.applying(DisplayTransform(displayMatrix: matrix))
      for y in 0..<grid.height {
        for x in 0..<grid.width {
          // p' = a p + c q, q' = b p + d q, moved so that nothing is negative.
          let left = min(0, a * (grid.width - 1)) + min(0, c * (grid.height - 1))
          let top = min(0, b * (grid.width - 1)) + min(0, d * (grid.height - 1))
          #expect(turned[a * x + c * y - left, b * x + d * y - top] == grid[x, y])
        }
      }
    }
  }

  @Test func `the eight matrices are eight transforms`() {
    let units = [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
    let mirrored = units.map { (-$0.0, -$0.1, $0.2, $0.3) }
    let transforms = (units + mirrored).map { a, b, c, d in
      DisplayTransform(displayMatrix: [a, b, 0, c, d, 0, 0, 0, 1].map { Int32($0) })
    }
    #expect(transforms == Self.all)
  }

  @Test(arguments: [
    [], [0, 0, 0, 0, 0, 0, 0, 0, 0], [Int32](repeating: .min, count: 9),
    [.max, .max, 0, .max, .max, 0, 0, 0, 0], [1, 2, 3],
  ])
  func `a matrix that shows nothing is the identity`(matrix: [Int32]) {
    #expect(DisplayTransform(displayMatrix: matrix) == .identity)
  }

  @Test func `extreme numbers do not overflow`() {
    let matrix: [Int32] = [.min, 0, 0, 0, .min, 0, 0, 0, 0]
    #expect(DisplayTransform(displayMatrix: matrix) == DisplayTransform(quarterTurns: 2))
  }

  @Test func `an angle in between is the nearest quarter turn`() {
    // 80° and 10° clockwise, in 16.16.
    let steep = DisplayTransform(displayMatrix: [11380, 64540, 0, -64540, 11380, 0, 0, 0, 1])
    let flat = DisplayTransform(displayMatrix: [64540, 11380, 0, -11380, 64540, 0, 0, 0, 1])
    #expect(steep == DisplayTransform(quarterTurns: 1))
    #expect(flat == .identity)
  }

  @Test func `orientations of EXIF put row 0 and column 0 where the standard says`() throws {
    // Where the stored top left and top right pixel are shown: (x, y) as fractions of the picture.
    let corners: [Int: ((Int, Int), (Int, Int))] = [
      1: ((0, 0), (1, 0)), 2: ((1, 0), (0, 0)), 3: ((1, 1), (0, 1)), 4: ((0, 1), (1, 1)),
      5: ((0, 0), (0, 1)), 6: ((1, 0), (1, 1)), 7: ((1, 1), (1, 0)), 8: ((0, 1), (0, 0)),
    ]
    for (orientation, (first, second)) in corners {
      let shown = grid.applying(try #require(DisplayTransform(exifOrientation: orientation)))
      let (right, bottom) = (shown.width - 1, shown.height - 1)
      #expect(shown[first.0 * right, first.1 * bottom] == grid[0, 0], "\(orientation)")
      #expect(shown[second.0 * right, second.1 * bottom] == grid[2, 0], "\(orientation)")
    }
    #expect(DisplayTransform(exifOrientation: 0) == nil)
    #expect(DisplayTransform(exifOrientation: 9) == nil)
  }

  @Test func `one transform followed by another does both`() {
    for first in Self.all {
      for second in Self.all {
        let both = grid.applying(first).applying(second)
        #expect(grid.applying(first.followed(by: second)) == both)
      }
    }
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    .enabled(if: FFmpegTool.isInstalled, FFmpegTool.absent),
    arguments: [
      "synthetic/syn-rot180.mp4", "video/sample_rotate_and_reflect.mp4",
      "video/video_rotation_90.mp4", "photo/Landscape_3.jpg", "photo/Landscape_6.jpg",
      "photo/Landscape_8.jpg", "photo/Portrait_2.jpg", "photo/Portrait_4.jpg",
      "photo/Portrait_5.jpg", "photo/Portrait_7.jpg",
    ])
  func `files are turned as ffmpeg turns them`(file: String) throws {
    let frame = try firstFrame(SharedFiles.media(file))
    #expect(!frame.displayTransform.isIdentity)
    let stored = try frame.rgba(width: frame.width / 4, height: frame.height / 4)
    let right = stored.applying(frame.displayTransform)
    let arguments = [
      "-i", SharedFiles.media(file), "-frames:v", "1", "-vf",
      "scale=\(right.width):\(right.height)",
      "-pix_fmt", "rgba", "-f", "rawvideo", "-",
    ]
    let expected = Pixels(
      width: right.width, height: right.height, bytes: try FFmpegTool.run(arguments))
    // Of all eight it is this one, and filters and matrices of untagged files aside it is equal.
    let differences = Self.all.map { stored.applying($0).difference(to: expected) }
    #expect(differences.min() == right.difference(to: expected))
    #expect(right.difference(to: expected) < 4)
  }

  @Test(.enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `a matrix of zeros in a file is read as upright`() throws {
    let frame = try firstFrame(SharedFiles.media("video/no_timescale.mp4"))
    #expect(frame.displayTransform == .identity)
  }

  @Test(
    .enabled(if: SharedFiles.areHere, SharedFiles.absence),
    arguments: [
      ("photo/hopper_orientation_5.webp", 5), ("photo/abc_color_irot_alpha_irot.avif", 8),
    ])
  func `the orientation that FFmpeg drops is read`(file: String, orientation: Int) throws {
    let expected = try #require(DisplayTransform(exifOrientation: orientation))
    let container = try InputContainer(path: SharedFiles.media(file))
    #expect(container.streams[0].video?.displayTransform == expected)
    #expect(try firstFrame(SharedFiles.media(file)).displayTransform == expected)
  }

  @Test(.temporaryDirectory, .enabled(if: SharedFiles.areHere, SharedFiles.absence))
  func `the orientation of a PNG is read`() throws {
    var png = try Data(contentsOf: URL(filePath: SharedFiles.media("colour/wpt-four-colors.png")))
    // After the signature and the header chunk; the decoder does not ask for its checksum.
    let tiff: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    png.insert(
      contentsOf: [0, 0, 0, UInt8(tiff.count)] + Array("eXIf".utf8) + tiff + [0, 0, 0, 0], at: 33)
    let path = path("turned.png")
    try png.write(to: URL(filePath: path))
    #expect(try firstFrame(path).displayTransform == DisplayTransform(quarterTurns: 1))
  }
}
