import Imaging

extension Field {
  /// The value as a size such as `1024x1536`, each side from 1 to 65535 pixels.
  func pixelSize() throws(RecipeError) -> PixelSize {
    let text = try text("a size such as \"1024x1536\"")
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    let numbers = sides.compactMap { Double(plainDecimal: $0).flatMap(Int.init(exactly:)) }
    guard sides.count == 2, numbers.count == 2 else {
      throw error("\(quoted(text)) is not a size such as \"1024x1536\"")
    }
    // 65535 is the largest side a JPEG file can state.
    guard numbers.allSatisfy((1...65535).contains) else {
      throw error("\(quoted(text)) is out of range; each side has from 1 to 65535 pixels")
    }
    return PixelSize(width: numbers[0], height: numbers[1])
  }
}
