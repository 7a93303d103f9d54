internal import CDeflate
internal import CISAL

/// Makes the zlib stream of a PNG's image data.
protocol ZlibCompressor: AnyObject {
  /// Forgets the stream at hand.
  func reset()
  /// Takes filtered rows and returns whether it is done with them; if not, they are to be kept, and
  /// come again with those that follow.
  func compress(_ rows: [UInt8], into output: inout PNGOutput) throws(ImageFileError) -> Bool
  /// Takes the rows that are left and ends the stream.
  func finish(_ rows: [UInt8], into output: inout PNGOutput) throws(ImageFileError)
}

/// ISA-L's igzip at level 1, as a stream; owns the library's state.
@safe
final class IgzipCompressor: ZlibCompressor {
  private static let level: UInt32 = 1
  /// ISA-L's "large" buffer of level 1, its default (`ISAL_DEF_LVL1_DEFAULT`, a macro).
  private static let levelBufferSize = 4 * 1024 + 2 * 8 * 1024 + 4 * 64 * 1024

  private let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
  private let levelBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: levelBufferSize)

  init() {
    // Safe: both pointers stay allocated as long as this object, the only one that has them.
    unsafe isal_deflate_init(stream)
    unsafe stream.pointee.level = Self.level
    unsafe stream.pointee.level_buf = levelBuffer
    unsafe stream.pointee.level_buf_size = UInt32(Self.levelBufferSize)
    unsafe stream.pointee.gzip_flag = UInt16(IGZIP_ZLIB)
  }

  deinit {
    unsafe levelBuffer.deallocate()
    unsafe stream.deallocate()
  }

  func reset() {
    unsafe isal_deflate_reset(stream)
    // The library marks here that it has written the header.
    unsafe stream.pointee.gzip_flag = UInt16(IGZIP_ZLIB)
    unsafe stream.pointee.end_of_stream = 0
  }

  func compress(_ rows: [UInt8], into output: inout PNGOutput) throws(ImageFileError) -> Bool {
    try feed(rows, isLast: false, into: &output)
    return true
  }

  func finish(_ rows: [UInt8], into output: inout PNGOutput) throws(ImageFileError) {
    try feed(rows, isLast: true, into: &output)
  }

  /// Compresses all rows; the first bytes of a stream by themselves.
  ///
  /// ISA-L 2.30 enters a stream's third byte in its table of matches under a number that it makes of the
  /// stream's own address (`isal_deflate_icf_body_hash_hist`, where no history is yet). So in some processes
  /// it finds another match later on, and the same picture gives other bytes. Where the first bytes come
  /// alone and are flushed, a part of the library without that fault has them, and begins the history; that
  /// costs 22 bytes.
  private func feed(
    _ rows: [UInt8], isLast: Bool, into output: inout PNGOutput
  ) throws(ImageFileError) {
    let result = unsafe rows.withUnsafeBufferPointer { input in
      // Fewer than four bytes begin no history: matches are found by four.
      let isFirst = unsafe stream.pointee.total_in < 4 && !input.isEmpty
      let first = unsafe input.prefix(isFirst ? 8 : 0)
      if isFirst {
        unsafe stream.pointee.flush = UInt16(SYNC_FLUSH)
        defer { unsafe stream.pointee.flush = UInt16(NO_FLUSH) }
        let result = unsafe run(UnsafeBufferPointer(rebasing: first), in: &output)
        guard result == COMP_OK else { return result }
      }
      unsafe stream.pointee.end_of_stream = isLast ? 1 : 0
      return unsafe run(
        UnsafeBufferPointer(rebasing: input.dropFirst(first.count)), in: &output)
    }
    guard result == COMP_OK else {
      throw ImageFileError(.encoderFailed, "isal_deflate failed with code \(result)")
    }
  }

  private func run(_ input: UnsafeBufferPointer<UInt8>, in output: inout PNGOutput) -> Int32 {
    // Safe: the library reads `avail_in` bytes and does not change them; `step` bounds its writes.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = UInt32(input.count)
    return step(reserving: max(input.count / 2, 64 * 1024), in: &output)
  }

  /// Runs the stream until it has room left over, and so has taken and written all it has.
  private func step(reserving room: Int, in output: inout PNGOutput) -> Int32 {
    var result = COMP_OK
    var left: UInt32 = 0
    repeat {
      output.reserve(room)
      let start = output.count
      // Safe: the library writes at most `avail_out` bytes, those after the ones in use.
      output.count += unsafe output.bytes.withUnsafeMutableBufferPointer { bytes in
        // No more than was asked for, though the storage of a larger picture has more: the library
        // forms its blocks by the room it has, and the same picture is to give the same bytes.
        let room = UInt32(clamping: room)
        unsafe stream.pointee.next_out = bytes.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_out = room
        result = unsafe isal_deflate(stream)
        left = unsafe stream.pointee.avail_out
        return Int(room - left)
      }
    } while result == COMP_OK && left == 0
    return result
  }
}

/// libdeflate, which compresses a whole picture at once; owns the library's compressor.
@safe
final class LibdeflateCompressor: ZlibCompressor {
  private let compressor: OpaquePointer

  /// - Throws: `encoderFailed` for a level the library does not have, or without memory.
  init(level: Int) throws(ImageFileError) {
    guard let compressor = unsafe libdeflate_alloc_compressor(Int32(clamping: level)) else {
      throw ImageFileError(.encoderFailed, "libdeflate has no compression level \(level)")
    }
    unsafe self.compressor = compressor
  }

  deinit { unsafe libdeflate_free_compressor(compressor) }

  func reset() {}

  func compress(_: [UInt8], into _: inout PNGOutput) -> Bool { false }

  func finish(_ rows: [UInt8], into output: inout PNGOutput) throws(ImageFileError) {
    output.reserve(unsafe libdeflate_zlib_compress_bound(compressor, rows.count))
    let start = output.count
    // Safe: the library reads `count` bytes of the rows and writes at most the room that is given.
    let written = unsafe rows.withUnsafeBytes { input in
      unsafe output.bytes.withUnsafeMutableBytes { bytes in
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        return unsafe libdeflate_zlib_compress(
          compressor, input.baseAddress, input.count, room.baseAddress, room.count)
      }
    }
    guard written > 0 else { throw ImageFileError(.encoderFailed, "libdeflate ran out of room") }
    output.count += written
  }
}
