/// What a filter does to a picture, as the chain needs to know it.
enum FilterOperation: Sendable {
  /// Maps each colour channel by itself.
  case curve(any ChannelFilter)
  /// Maps colours linearly.
  case matrix(ColorMatrix)
  /// Maps each pixel by its colour and place.
  case point(any PointFilter)
  /// Makes rows from rows near them.
  case rows(any RowFilter)
  /// Makes pixels from pixels anywhere in the picture.
  case picture(any PictureFilter)
  /// Needs to have seen the whole picture before it knows what to do.
  case measured(any PictureMeasurement)
  /// Does several things in order, with 8-bit pixels between them wherever rows or pictures begin.
  case sequence([FilterOperation])
}

/// A filter that depends on the picture as a whole.
protocol PictureMeasurement: Sendable {
  /// What to do to the picture that is viewed.
  func operation(for picture: RGBAView) -> FilterOperation
}
