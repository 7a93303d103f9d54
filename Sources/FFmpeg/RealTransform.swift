internal import CFFmpeg

/// The Fourier transform of real samples, for spectra.
///
/// Wraps `av_rdft_calc`. One object belongs to one thread at a time.
@safe public final class RealTransform {
  /// Samples of a transform: a power of two, 16…65536.
  public let size: Int
  // Both owned. `data` is aligned as FFmpeg's vector code wants it.
  private let context: OpaquePointer
  private let data: UnsafeMutablePointer<Float>

  /// A transform of 2^`log2Size` samples, with `log2Size` from 4 to 16.
  public init(log2Size: Int) throws(FFmpegError) {
    guard (4...16).contains(log2Size), let context = unsafe av_rdft_init(Int32(log2Size), DFT_R2C)
    else {
      throw FFmpegError(code: .invalidArgument, call: "av_rdft_init", subject: "2^\(log2Size)")
    }
    size = 1 << log2Size
    guard let memory = unsafe av_malloc(size * MemoryLayout<Float>.stride) else {
      unsafe av_rdft_end(context)
      throw outOfMemory("av_malloc")
    }
    unsafe self.context = context
    unsafe data = memory.bindMemory(to: Float.self, capacity: size)
  }

  deinit {
    unsafe av_rdft_end(context)
    unsafe av_free(data)
  }

  /// Adds the power of each frequency to `power`: its element k is for k/`size` of the sample rate.
  ///
  /// - Parameters:
  ///   - samples: `size` of them, already windowed.
  ///   - power: `size`/2 sums of squared magnitudes.
  public func addPower(of samples: [Float], to power: inout [Float]) {
    precondition(samples.count == size && power.count == size / 2, "a transform's own size")
    for index in samples.indices { unsafe data[index] = samples[index] }
    unsafe av_rdft_calc(context, data)
    // The first pair is the real values at 0 and at half the rate; the latter has no element.
    power[0] += unsafe data[0] * data[0]
    for index in 1..<size / 2 {
      let (real, imaginary) = unsafe (data[2 * index], data[2 * index + 1])
      power[index] += real * real + imaginary * imaginary
    }
  }
}
