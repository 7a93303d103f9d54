internal import CFFmpeg

/// A failed call into FFmpeg: which call, on what, and why.
public struct FFmpegError: Error, Hashable, Sendable {
  /// The reason, as FFmpeg codes it.
  public let code: Code
  /// The C function that failed, such as `avformat_open_input`.
  public let call: String
  /// What it worked on: a path, a codec, an option.
  public let subject: String
  /// A reason in words where the code alone does not say enough.
  public let detail: String?

  /// Creates an error; `detail` replaces FFmpeg's own words for the code.
  public init(code: Code, call: String, subject: String, detail: String? = nil) {
    self.code = code
    self.call = call
    self.subject = subject
    self.detail = detail
  }

  /// An error code of FFmpeg: a negated `errno` or one of its four-letter tags.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The negative number that FFmpeg returns.
    public let rawValue: Int32

    /// Creates a code from what a C function returned.
    public init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }
}

extension FFmpegError.Code {
  /// The end of the file was reached (`AVERROR_EOF`).
  public static let endOfFile = Self(rawValue: km_error_eof)
  /// The data is not what its format says, or no format at all (`AVERROR_INVALIDDATA`).
  public static let invalidData = Self(rawValue: km_error_invalid_data)
  /// There is no decoder for this codec.
  public static let decoderNotFound = Self(rawValue: km_error_decoder_not_found)
  /// There is no demuxer for this format.
  public static let demuxerNotFound = Self(rawValue: km_error_demuxer_not_found)
  /// There is no encoder of this name.
  public static let encoderNotFound = Self(rawValue: km_error_encoder_not_found)
  /// There is no filter of this name.
  public static let filterNotFound = Self(rawValue: km_error_filter_not_found)
  /// A library that is loaded where it is needed is not installed, or cannot be loaded.
  public static let libraryNotFound = Self(rawValue: km_error_library_not_found)
  /// There is no muxer of this name.
  public static let muxerNotFound = Self(rawValue: km_error_muxer_not_found)
  /// There is no option of this name.
  public static let optionNotFound = Self(rawValue: km_error_option_not_found)
  /// There is no such stream in the container.
  public static let streamNotFound = Self(rawValue: km_error_stream_not_found)
  /// FFmpeg knows the format, but not this variant of it (`AVERROR_PATCHWELCOME`).
  public static let unsupported = Self(rawValue: km_error_unsupported)
  /// The library does not have what it would take (`ENOSYS`).
  public static let notImplemented = Self(rawValue: -38)
  /// The file has no bytes.
  public static let emptyFile = Self(rawValue: km_error_empty_file)
  /// The declared size of a picture is over the ``DecodeLimits``.
  public static let overLimit = Self(rawValue: km_error_over_limit)
  /// The path names a pipe, a socket or a device.
  public static let notRegularFile = Self(rawValue: km_error_not_regular)
  /// The process has too many files open (`EMFILE`).
  public static let tooManyOpen = Self(rawValue: -24)
  /// Reading or writing failed (`EIO`).
  public static let io = Self(rawValue: -5)
  /// There is no such file or directory (`ENOENT`).
  public static let fileNotFound = Self(rawValue: -2)
  /// The file may not be read or written (`EACCES`).
  public static let permissionDenied = Self(rawValue: -13)
  /// The path names a directory (`EISDIR`).
  public static let isDirectory = Self(rawValue: -21)
  /// An argument or a combination of parameters is not possible (`EINVAL`).
  public static let invalidArgument = Self(rawValue: -22)
  /// The file system is full (`ENOSPC`).
  public static let noSpace = Self(rawValue: -28)
  /// Memory ran out (`ENOMEM`).
  public static let outOfMemory = Self(rawValue: -12)
  /// The call cannot go on before its counterpart is called; from opening a codec: there was not
  /// enough memory for its threads (`EAGAIN`).
  public static let tryAgain = Self(rawValue: km_error_again)
}

extension FFmpegError.Code: CustomStringConvertible {
  /// FFmpeg's words for the code (``Wraps `av_strerror`.``).
  public var description: String {
    switch self {
    case .emptyFile: "The file is empty"
    case .overLimit: "The declared size is over the limit"
    case .notRegularFile: "Not a regular file"
    case .libraryNotFound: "The library cannot be loaded"
    default: libraryDescription
    }
  }

  private var libraryDescription: String {
    var text = [CChar](repeating: 0, count: 128)
    // The call writes at most `count` bytes and ends them with a zero, known code or not.
    _ = unsafe text.withUnsafeMutableBufferPointer { buffer in
      unsafe av_strerror(rawValue, buffer.baseAddress, buffer.count)
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FFmpegError: CustomStringConvertible {
  /// The subject, the reason and the call, in one line.
  public var description: String {
    "\(subject): \(reason) (\(call))"
  }

  /// The reason in words, without subject and call.
  public var reason: String {
    detail ?? code.description
  }

  /// Matches an error by its code in a `catch`.
  public static func ~= (code: Code, error: Self) -> Bool {
    error.code == code
  }
}

/// Passes a C result on, or throws where it is negative.
@discardableResult
func check(
  _ result: Int32, _ call: StaticString, _ subject: @autoclosure () -> String
) throws(FFmpegError) -> Int32 {
  guard result < 0 else { return result }
  throw FFmpegError(
    code: .init(rawValue: result), call: String(describing: call), subject: subject())
}

/// Passes a C pointer on, or throws `outOfMemory` where it is null.
func allocated<T>(
  _ pointer: UnsafeMutablePointer<T>?, _ call: StaticString
) throws(FFmpegError) -> UnsafeMutablePointer<T> {
  guard let pointer = unsafe pointer else { throw outOfMemory(call) }
  return unsafe pointer
}

/// The error of an allocation that returned null.
func outOfMemory(_ call: StaticString) -> FFmpegError {
  let name = String(describing: call)
  return FFmpegError(code: .outOfMemory, call: name, subject: "allocation")
}
