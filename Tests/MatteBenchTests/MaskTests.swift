import Testing

@testable import MatteTruth

@Suite struct MaskTests {
  private func mask(_ rows: String...) -> Mask {
    Mask(width: rows[0].count, height: rows.count, bits: rows.joined().map { $0 == "#" })
  }

  @Test func `a pixel grows to a diamond`() {
    let grown = mask(".....", ".....", "..#..", ".....", ".....").dilated(by: 2)
    #expect(grown.bits == mask("..#..", ".###.", "#####", ".###.", "..#..").bits)
  }

  @Test func `erosion takes off what is near the outside and the border`() {
    let full = mask("#####", "#####", "#####", "#####", "#####")
    #expect(full.eroded(by: 1).bits == mask(".....", ".###.", ".###.", ".###.", ".....").bits)
    let notched = mask("#####", "#####", "##.##", "#####", "#####")
    #expect(notched.eroded(by: 1).bits == mask(".....", ".#.#.", ".....", ".#.#.", ".....").bits)
  }

  @Test func `sets are joined and told apart`() {
    let (left, right) = (mask("##.."), mask(".##."))
    #expect(left.union(right).bits == mask("###.").bits)
    #expect(left.symmetricDifference(right).bits == mask("#.#.").bits)
  }
}
