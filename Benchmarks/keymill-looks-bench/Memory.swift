import CAllocations
import Imaging

/// What filters allocate while they are applied.
enum Memory {
  /// A filter and what was measured of it.
  struct Finding {
    let filter: String
    let amount: Int
  }

  /// The filter that holds the most bytes beyond the picture and its result.
  static func worstPeak(on picture: SamplePixels) -> Finding {
    worst { filter in
      let (allocations, result) = applied(filter, to: picture)
      // The picture is there before, and the result takes its place where it can.
      return Int(allocations.peak) - 4 * result.size.area
    }
  }

  /// The filter that allocates the most times more for a picture of twice the rows.
  static func worstGrowth() -> Finding {
    let (low, high) = (SamplePixels(height: 128), SamplePixels(height: 256))
    return worst { filter in
      Int(applied(filter, to: high).0.count - applied(filter, to: low).0.count)
    }
  }

  private static func worst(_ measure: (FilterDeclaration) -> Int) -> Finding {
    let findings = FilterCatalogue.all.map { Finding(filter: $0.name, amount: measure($0)) }
    return findings.max { $0.amount < $1.amount } ?? Finding(filter: "", amount: 0)
  }

  private static func applied(
    _ filter: FilterDeclaration, to picture: SamplePixels
  ) -> (km_allocations, RGBAImage) {
    let chain = FilterExample(of: filter).chain(for: picture.image.size)
    var own = picture.image
    own[0, 0] = SIMD4(1, 2, 3, 255)
    km_allocations_reset()
    let result = chain.apply(to: consume own)
    return (km_allocations_so_far(), result)
  }
}
