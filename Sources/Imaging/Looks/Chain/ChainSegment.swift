/// Filters of a chain that run row by row in one go over a picture.
struct ChainSegment: Sendable {
  /// A filter, or several fused.
  enum Part: Sendable {
    case points(PointProgram)
    case rows(any RowFilter)
  }

  /// What makes the rows that go through the parts; `nil` where they are the picture's.
  private var head: (any PictureFilter)?
  private var parts: [Part] = []

  /// Compiles operations, none of which is a measurement or a sequence.
  static func compile(_ operations: [FilterOperation]) -> [ChainSegment] {
    var segments: [ChainSegment] = []
    var segment = ChainSegment()
    var points = PointPass()
    func closePoints() {
      guard !points.isEmpty else { return }
      segment.parts.append(.points(points.compiled()))
      points = PointPass()
    }
    for operation in operations {
      switch operation {
      case .curve(let filter): points.append(filter)
      case .matrix(let matrix): points.append(matrix)
      case .point(let filter): points.append(filter)
      case .rows(let filter):
        closePoints()
        segment.parts.append(.rows(filter))
      case .picture(let filter):
        closePoints()
        segments.append(segment)
        segment = ChainSegment(head: filter)
      case .measured, .sequence: preconditionFailure("measured and flattened before")
      }
    }
    closePoints()
    return (segments + [segment]).filter { $0.head != nil || !$0.parts.isEmpty }
  }

  /// The picture with the filters applied, in the same memory unless they begin with a picture filter.
  func apply(to image: consuming RGBAImage) -> RGBAImage {
    if let head { return Self.make(with: head, through: parts, from: image) }
    if parts.count == 1, case .points(let program) = parts[0] {
      Self.run(program, over: &image)
    } else {
      Self.stream(&image, through: parts)
    }
    return image
  }

  private static func run(_ program: PointProgram, over image: inout RGBAImage) {
    let size = image.size
    if case .bytes(let map) = program {
      var pixels = image.mutablePixels
      return map.apply(to: &pixels, in: pixels.indices)
    }
    var scratch = PointScratch()
    for y in 0..<size.height {
      var pixels = image.mutablePixels
      let row = y * size.width..<(y + 1) * size.width
      scratch.run(program, over: &pixels, row, y: y, in: size)
    }
  }

  private static func stream(_ image: inout RGBAImage, through parts: [Part]) {
    let size = image.size
    var stream = RowStream(parts, size: size)
    var pixels = image.mutablePixels
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      for y in 0..<size.height {
        // The stream reads a row before it makes it, and not again after that.
        let place = pixels.extracting(y * size.width..<(y + 1) * size.width)
        var row = unsafe MutableSpan(_unsafeElements: place)
        stream.makeRow(y, into: &row) { y, row in
          let source = pixels.extracting(y * size.width..<(y + 1) * size.width)
          row.copy(unsafe Span(_unsafeElements: UnsafeBufferPointer(source)))
        }
      }
    }
  }

  private static func make(
    with head: any PictureFilter, through parts: [Part], from image: RGBAImage
  ) -> RGBAImage {
    let picture = PictureSampler(image)
    let size = head.resultSize(for: image.size)
    var stream = RowStream(parts, size: size)
    var result = [SIMD4<UInt8>](repeating: .zero, count: size.width)
    // The last row as the head makes it, which it may repeat.
    var made = result
    return RGBAImage(size: size) { y, output in
      var row = result.mutableSpan
      stream.makeRow(y, into: &row) { y, row in
        if !head.repeatsRowAbove(y, in: image.size) {
          var made = made.mutableSpan
          head.makeRow(y, from: picture, into: &made)
        }
        row.copy(made.span)
      }
      append(result.span, to: &output)
    }
  }

  private static func append(
    _ row: Span<SIMD4<UInt8>>, to output: inout OutputSpan<SIMD4<UInt8>>
  ) {
    precondition(row.count <= output.freeCapacity, "a row too many")
    // Room for the row by the check; pixels are plain bytes.
    unsafe row.withUnsafeBufferPointer { row in
      unsafe output.withUnsafeMutableBufferPointer { buffer, count in
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
        _ = unsafe rest.initialize(from: row)
        count += row.count
      }
    }
  }
}

extension MutableSpan<SIMD4<UInt8>> {
  /// Copies a row of the same width, which may lie in the same memory.
  @_lifetime(self: copy self)
  fileprivate mutating func copy(_ source: Span<SIMD4<UInt8>>) {
    precondition(source.count == count, "rows of different widths")
    unsafe withUnsafeMutableBufferPointer { target in
      // Of the same count, and plain bytes.
      unsafe source.withUnsafeBufferPointer { _ = unsafe target.update(fromContentsOf: $0) }
    }
  }
}
