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
      var score = Score()
      printChains(picture, &score)
      printMemory(picture, &score)
      try printFilters(picture, &score)
      print("\n\(score.met) of \(score.met + score.missed) bars met.")
    } catch {
      FileHandle.standardError.write(Data("keymill-looks-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func printChains(_ picture: SamplePixels, _ score: inout Score) {
    print("| what | the first, ms | the second, ms | ratio | bar | |\n|---|---|---|---|---|---|")
    for comparison in Chains.comparisons {
      let (base, ours) = picture.milliseconds(of: comparison.base, and: comparison.chain)
      let ratio = ours / base
      print(
        "| \(comparison.name) | \(text(base)) | \(text(ours)) | \(text(ratio)) | "
          + "≤ \(text(comparison.bar)) | \(score.count(ratio <= comparison.bar)) |")
    }
    let chain = picture.milliseconds(of: Chains.seedChain)
    print(
      "\n| what | measured | bar | |\n|---|---|---|---|\n"
        + "| the seed's chain, ms | \(text(chain)) | ≤ 6 | \(score.count(chain <= 6)) |")
  }

  private static func printMemory(_ picture: SamplePixels, _ score: inout Score) {
    let peak = Memory.worstPeak(on: picture)
    let megabytes = Double(peak.amount) / 0x10_0000
    print(
      "| peak memory beyond picture and result, the most of all filters, MB (\(peak.filter)) | "
        + "\(text(megabytes)) | ≤ 2 | \(score.count(megabytes <= 2)) |")
    let growth = Memory.worstGrowth()
    print(
      "| allocations more for 128 rows more, the most of all filters (\(growth.filter)) | "
        + "\(growth.amount) | ≤ 0 | \(score.count(growth.amount <= 0)) |\n")
  }

  private static func printFilters(_ picture: SamplePixels, _ score: inout Score) throws {
    let tools = try Tools(picture)
    if !tools.hasImageMagick { print("ImageMagick is not here: compared with ffmpeg alone.\n") }
    print(
      "| filter | keymill, ms | nearest | its ms | times | bar | |\n|---|---|---|---|---|---|---|")
    let peers = Dictionary(uniqueKeysWithValues: Peer.all.map { ($0.filter, $0) })
    for filter in FilterCatalogue.all {
      let ours = picture.milliseconds(of: Chains.example(of: filter, on: picture))
      guard let peer = peers[filter.name], let other = try tools.milliseconds(of: peer) else {
        print("| \(filter.name) | \(text(ours)) | | | | | |")
        continue
      }
      let times = other.milliseconds / ours
      print(
        "| \(filter.name) | \(text(ours)) | `\(other.command)` | \(text(other.milliseconds)) | "
          + "\(text(times)) | ≥ \(text(peer.bar)) | \(score.count(times >= peer.bar)) |")
    }
  }

  private static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}

/// How many bars were met.
struct Score {
  private(set) var met = 0
  private(set) var missed = 0

  /// Counts a bar, and gives the word for it.
  mutating func count(_ isMet: Bool) -> String {
    if isMet { met += 1 } else { missed += 1 }
    return isMet ? "met" : "missed"
  }
}
