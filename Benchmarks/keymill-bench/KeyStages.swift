import Glibc
import ImageFiles
import Imaging

/// Keying and making PNG files of it, each by itself on one core.
struct KeyStages {
  /// What the stages took, in nanoseconds a pixel.
  struct Cost {
    var keying: Double
    var png: Double
  }

  private static let tileRows = 32

  private let film: RawFilm
  private let keyer: Keyer

  /// The stages of a mode on a film, whose first frame the screen is measured in.
  init(_ mode: Bench.Mode, _ film: RawFilm) throws {
    self.film = film
    var settings = KeySettings(
      mode: mode == .clean ? .clean : .gpuimage, colors: [RGBColor(packed: 0xff00ff)])
    if mode == .gpuimage { (settings.threshold, settings.smoothing) = (0.15, 0.3) }
    keyer = Keyer(try film.withFrame(0) { try KeyPlan(settings, measuring: $0) })
  }

  /// Keys all frames and compresses them, in tiles as a job does.
  func run() throws -> Cost {
    let size = film.size
    var encoder = try PNGEncoder()
    var (keying, png) = (0.0, 0.0)
    for frame in 0..<film.frames {
      encoder.begin(size: size, color: .rgba, isSRGB: true)
      for start in stride(from: 0, to: size.height, by: Self.tileRows) {
        let rows = start..<min(start + Self.tileRows, size.height)
        var tile = [SIMD4<UInt8>](repeating: .zero, count: rows.count * size.width)
        keying += film.withFrame(frame) { picture in
          Self.seconds {
            if start == 0 { keyer.begin(picture) }
            var span = tile.mutableSpan
            keyer.key(rows: rows, of: picture, into: &span)
          }
        }
        let began = Self.now
        try encoder.write(rows: tile.span)
        png += Self.now - began
      }
      let began = Self.now
      _ = try encoder.finish()
      png += Self.now - began
    }
    let pixels = Double(size.width * size.height * film.frames)
    return Cost(keying: keying / pixels * 1e9, png: png / pixels * 1e9)
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let began = now
    body()
    return now - began
  }

  /// The CPU time of this process, in seconds.
  private static var now: Double {
    var time = timespec()
    // Writes to that variable only.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
