import Commands
import Glibc
import Platform

/// A progress bar in one line of the terminal; nothing at all where standard error is none.
final class TerminalProgress {
  private let columns: Int?
  private var isShown = false

  /// A bar on standard error.
  init() {
    columns = Terminal.isTerminal(STDERR_FILENO) ? Terminal.columns(STDERR_FILENO) ?? 80 : nil
  }

  /// Draws the bar anew.
  func show(_ line: ProgressLine) {
    guard let columns else { return }
    // Return, then clear what is right of the cursor: the line before may have been longer.
    Output.write("\r\(line.text(columns: columns - 1))\u{1B}[K", to: STDERR_FILENO)
    isShown = true
  }

  /// Removes the bar, so that something else can be printed.
  func clear() {
    guard isShown else { return }
    Output.write("\r\u{1B}[K", to: STDERR_FILENO)
    isShown = false
  }
}
