import Imaging
import Testing

/// What holds for the declarations of all filters.
@Suite struct CatalogueTests {
  @Test(arguments: FilterCatalogue.all.map(\.name))
  func `a filter says what it and its parameters do`(name: String) throws {
    let filter = try #require(FilterCatalogue.filter(named: name))
    #expect(filter.summary.hasSuffix("."))
    for parameter in filter.parameters {
      #expect(parameter.summary.hasSuffix("."), "\(parameter.name)")
      #expect(!parameter.unit.isEmpty, "\(parameter.name)")
    }
  }

  @Test(arguments: FilterCatalogue.all.map(\.name))
  func `a filter's example changes a picture`(name: String) throws {
    let filter = try #require(FilterCatalogue.filter(named: name))
    let size = PixelSize(width: 48, height: 32)
    let image = RGBAImage(size: size) { y, row in
      for x in 0..<size.width {
        row.append(SIMD4(UInt8(x * 5), UInt8(y * 7), UInt8(x * y % 251), 255))
      }
    }
    let made = FilterExample(of: filter).chain(for: size).apply(to: image)
    #expect(made != image)
  }
}
