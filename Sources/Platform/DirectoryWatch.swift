import Glibc

/// Changes to the names in one directory, as the kernel reports them.
public final class DirectoryWatch {
  /// One change.
  public struct Event: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
      /// A name appeared; its content may still be coming.
      case created
      /// Someone who had written to the file closed it.
      case closedAfterWriting
      /// A whole file or directory was moved in.
      case movedIn
      /// It was moved away.
      case movedOut
      /// It was removed.
      case deleted
      /// The directory was removed, moved or unmounted: its path leads elsewhere or nowhere.
      case directoryGone
      /// Too much happened at once: events are missing, and the directory must be looked through.
      case overflow
    }

    /// What happened.
    public let kind: Kind
    /// To which name in the directory; empty for the last two kinds.
    public let name: String
    /// Whether that is a directory.
    public let isDirectory: Bool
    /// Whether `name` is the file's name byte by byte: one that is not UTF-8 was repaired for
    /// display and cannot be opened by it.
    public let isNameExact: Bool
  }

  /// The directory's path.
  public let directory: String
  private let handle: FileDescriptor

  /// Becomes readable when something changed.
  public var descriptor: Int32 { handle.rawValue }

  /// Starts to watch.
  ///
  /// Wraps `inotify_add_watch`.
  public init(_ directory: String) throws(PlatformError) {
    self.directory = directory
    let flags = Int32(IN_NONBLOCK | IN_CLOEXEC)
    handle = FileDescriptor(owning: try check("inotify_init1", directory) { inotify_init1(flags) })
    let wanted =
      IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF
      | IN_MOVE_SELF
    try check("inotify_add_watch", directory) {
      unsafe inotify_add_watch(handle.rawValue, directory, UInt32(wanted) | UInt32(IN_ONLYDIR))
    }
  }

  /// The changes since the last call, oldest first; empty when there are none.
  ///
  /// Never blocks.
  public func read() throws(PlatformError) -> [Event] {
    var events: [Event] = []
    while case .bytes(let bytes) = try handle.read() { events += Event.parse(bytes) }
    return events
  }
}

extension DirectoryWatch.Event {
  /// Takes apart what the kernel wrote: inotify(7), `struct inotify_event` with its padded name.
  static func parse(_ bytes: [UInt8]) -> [DirectoryWatch.Event] {
    var events: [DirectoryWatch.Event] = []
    var rest = bytes[...]
    let header = 16
    while rest.count >= header {
      let mask = word(rest, 4)
      let length = Int(word(rest, 12))
      let name = rest.dropFirst(header).prefix(length).prefix { $0 != 0 }
      if let event = DirectoryWatch.Event(mask: mask, name: name) { events.append(event) }
      rest = rest.dropFirst(header + length)
    }
    return events
  }

  private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
    let field = bytes.dropFirst(offset).prefix(4)
    // In the machine's own order, which is little-endian on all that Swift for Linux runs on.
    return field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private init?(mask: UInt32, name: ArraySlice<UInt8>) {
    let kinds: [(Int, Kind)] = [
      (Int(IN_Q_OVERFLOW), .overflow), (Int(IN_DELETE_SELF), .directoryGone),
      (Int(IN_MOVE_SELF), .directoryGone), (Int(IN_UNMOUNT), .directoryGone),
      (Int(IN_CREATE), .created), (Int(IN_CLOSE_WRITE), .closedAfterWriting),
      (Int(IN_MOVED_TO), .movedIn), (Int(IN_MOVED_FROM), .movedOut), (Int(IN_DELETE), .deleted),
    ]
    // IN_IGNORED, which follows the end of a watch, is none of them.
    guard let kind = kinds.first(where: { mask & UInt32($0.0) != 0 })?.1 else { return nil }
    self.kind = kind
    self.name = String(decoding: name, as: UTF8.self)
    isDirectory = mask & UInt32(IN_ISDIR) != 0
    isNameExact = self.name.utf8.elementsEqual(name)
  }
}
