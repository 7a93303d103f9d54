import Foundation
import Imaging

/// Measures the still filters on a picture of 1024x1536, side by side with ffmpeg's and ImageMagick's
/// nearest, and prints tables in Markdown.
///
/// All figures are processor time of one thread, the best of several runs, so that other work on the
/// machine counts little. It runs from the package's root; `make bench-looks` builds it.
@main
struct Main {
  static func main() {
    do {
      let picture = SamplePixels()
      printChains(picture)
      try printFilters(picture)
    } catch {
      FileHandle.standardError.write(Data("keymill-looks-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func printChains(_ picture: SamplePixels) {
    let rows = Chains.comparisons.map { comparison in
      let (base, ours) = picture.milliseconds(of: comparison.base, and: comparison.chain)
      let ratio = ours / base
      return "| \(comparison.name) | \(text(base)) | \(text(ours)) | \(text(ratio)) | "
        + "≤ \(text(comparison.bar)) | \(ratio <= comparison.bar ? "met" : "missed") |"
    }
    print("| what | the first, ms | the second, ms | ratio | bar | |\n|---|---|---|---|---|---|")
    rows.forEach { print($0) }
    print("")
  }

  private static func printFilters(_ picture: SamplePixels) throws {
    let tools = try Tools(picture)
    print(
      "| filter | keymill, ms | nearest | its ms | times | bar | |\n|---|---|---|---|---|---|---|")
    let peers = Dictionary(uniqueKeysWithValues: Peer.all.map { ($0.filter, $0) })
    for filter in FilterCatalogue.all {
      let ours = picture.milliseconds(of: Chains.example(of: filter))
      guard let peer = peers[filter.name], let other = try tools.milliseconds(of: peer) else {
        print("| \(filter.name) | \(text(ours)) | | | | | |")
        continue
      }
      let times = other.milliseconds / ours
      print(
        "| \(filter.name) | \(text(ours)) | `\(other.command)` | \(text(other.milliseconds)) | "
          + "\(text(times)) | ≥ \(text(peer.bar)) | \(times >= peer.bar ? "met" : "missed") |")
    }
  }

  private static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
