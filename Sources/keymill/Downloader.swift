import Commands
import Platform
import Recipes
import Worker

/// Downloads for a command that has nothing else to do meanwhile.
struct Downloader {
  /// What the download runs on; for what else is to happen meanwhile.
  let loop: EventLoop
  private let downloads: Downloads
  private let signals: SignalWatch

  /// Downloads by these options, until a signal comes.
  init(_ options: DownloadOptions, _ signals: SignalWatch) throws {
    loop = try EventLoop()
    downloads = Downloads(loop, options)
    self.signals = signals
  }

  /// Gets what a URL leads to, from the cache or from its server.
  ///
  /// `prepare` is given the download as it begins, `report` is told how it goes on.
  /// - Throws: `FetchError`, `AudioStoreError`, or `DownloadCancelled` after a signal.
  func fetch(
    _ url: InputName, prepare: (InputDownload) throws -> Void = { _ in },
    report: @escaping (DownloadNews) -> Void
  ) throws -> DownloadedInput {
    var result: Result<DownloadedInput, any Error>?
    defer { downloads.close() }
    let download = try downloads.fetch(url, report: report) { result = $0 }
    try loop.add(signals.descriptor) { [signals] _ in
      while try signals.next() != nil { download.cancel() }
    }
    defer { loop.remove(signals.descriptor) }
    try prepare(download)
    try loop.run(until: { result != nil })
    guard let result else { throw DownloadCancelled(url: url.shown) }
    return try result.get()
  }
}

extension TerminalProgress {
  /// Draws how a download goes on.
  func show(_ news: DownloadNews, of url: InputName) {
    guard case .progress(let received, let total) = news else { return }
    let fraction = total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
    let amount = ByteCount.text(Int(received))
    show(
      ProgressLine(
        title: url.fileName, stage: total == nil ? "download \(amount)" : "download",
        fraction: fraction))
  }
}
