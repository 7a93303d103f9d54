import Glibc

/// A FIFO beside a queue file: whoever makes a job ready rings it, idle supervisors hear it.
///
/// It carries no message but "look at the queue". A ring that no one hears is lost, which is right:
/// whoever starts to listen looks at the queue first.
public struct Doorbell: Hashable, Sendable {
  /// The FIFO's path.
  public let path: String

  /// The bell at `path`; touches nothing yet.
  public init(path: String) { self.path = path }

  /// The bell that belongs to a queue file.
  public init(besideQueue queue: String) { self.init(path: queue + "-bell") }

  /// Rings; never blocks.
  ///
  /// Makes the FIFO if there is none; a bell that is already ringing is enough.
  public func ring() throws(PlatformError) {
    let bell = try openFIFO()
    _ = try bell.write([UInt8(ascii: "\n")])
  }

  /// Starts to listen; makes the FIFO, readable by its owner only, if there is none.
  public func listen() throws(PlatformError) -> Listener {
    Listener(path: path, handle: try openFIFO())
  }

  /// Opened for both directions, the FIFO never reports an end of file and never waits for a peer.
  private func openFIFO() throws(PlatformError) -> FileDescriptor {
    do throws(PlatformError) {
      return try openExisting()
    } catch {
      guard error.code == .notFound else { throw error }
      if unsafe mkfifo(path, S_IRUSR | S_IWUSR) != 0, errno != EEXIST {
        throw PlatformError(code: ErrorCode(rawValue: errno), call: "mkfifo", subject: path)
      }
      return try openExisting()
    }
  }

  private func openExisting() throws(PlatformError) -> FileDescriptor {
    let bell = FileDescriptor(
      owning: try check("open", path) {
        unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
      })
    guard try FileStatus(descriptor: bell.rawValue).kind == .fifo else {
      throw PlatformError(code: .exists, call: "mkfifo", subject: path)
    }
    return bell
  }

  /// One who hears the bell.
  public final class Listener {
    private let path: String
    private let handle: FileDescriptor

    /// Becomes readable when somebody rang.
    public var descriptor: Int32 { handle.rawValue }

    init(path: String, handle: consuming FileDescriptor) {
      self.path = path
      self.handle = handle
    }

    /// Takes all rings so far; never blocks.
    ///
    /// Look at the queue after this, not before.
    /// - Returns: whether there was any: another listener may have taken them.
    @discardableResult
    public func drain() throws(PlatformError) -> Bool {
      guard case .bytes(let some) = try handle.read() else { return false }
      // A FIFO holds 64 KiB by default, so one read mostly takes all.
      if some.count == 65_536 { try drain() }
      return true
    }

    /// Whether those who ring now reach this listener: `false` when the FIFO was replaced.
    public var isConnected: Bool {
      guard let now = try? FileStatus(path),
        let ours = try? FileStatus(descriptor: handle.rawValue)
      else { return false }
      return now.isSameFile(as: ours)
    }
  }
}
