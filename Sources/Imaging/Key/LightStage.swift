/// Makes pictures as if their screen had its one colour everywhere, and takes that back from what was
/// keyed.
///
/// Of a pixel C = a·F + (1 − a)·K, where K is the screen's colour at its place and K₀ the one that the
/// keyer knows, w·(K₀ − K) is added, with w the share of the screen's hue in the pixel. On the screen,
/// and in mixtures of the screen with another hue, w is 1 − a, and what results is a·F + (1 − a)·K₀.
/// Elsewhere, as in pink paint before magenta, it is not; then (w − (1 − a))/a·(K₀ − K) too much came
/// into the foreground, which is taken off again when a is known.
struct LightStage {
  /// Shares below and above these are foreground and screen: the noise of a codec.
  private static let ends: (foreground: Float, screen: Float) = (0.03, 0.97)

  private let difference: ColorDifference
  private let screen: SIMD3<Float>
  private let survey: LightSurvey?
  private let plate: RGBAImage?
  private var plateEncoding: YCbCrEncoding?
  private var platePlanes: PlatePlanes?

  private var field: ScreenField?
  private var size = PixelSize(width: 1, height: 1)
  private var encoding: YCbCrEncoding?
  private var planes = EvenedPlanes()
  /// The screen's share of each sample in 1/255, at the resolution of chroma.
  private var shares: [UInt8] = []
  private var shareSize = PixelSize(width: 1, height: 1)
  private var scratch = [[Float]](repeating: [], count: 3)

  /// The stage of a plan; `nil` where it keys several screens, or one without hue, or in a mode that
  /// takes pictures as they are.
  init?(_ plan: KeyPlan) {
    guard plan.settings.mode == .clean, plan.screens.count == 1, !plan.settings.hasRamp,
      let screen = plan.screens.first,
      let difference = ColorDifference(screen: screen.color.channels)
    else { return nil }
    self.difference = difference
    self.screen = screen.unclamped
    plate = plan.aids.plate
    survey = plate == nil ? LightSurvey(screen) : nil
  }

  /// Whether the picture at hand is another one than was given.
  var isEvening: Bool { field != nil }

  // MARK: 4:2:0

  /// Looks at a picture, and evens it where its light is uneven.
  mutating func begin(_ picture: YUV420View) {
    field = survey?.surface(of: picture).map(ScreenField.surface)
    if let plate {
      if plateEncoding != picture.encoding {
        platePlanes = PlatePlanes(plate, encoding: picture.encoding)
        plateEncoding = picture.encoding
      }
      field = platePlanes.map(ScreenField.plate)
    }
    guard let field else { return }
    (size, encoding) = (picture.size, picture.encoding)
    shareSize = PixelSize(width: picture.cb.width, height: picture.cb.height)
    prepare()
    planes.begin(picture)
    let target = picture.encoding.codes(of: screen)
    for y in 0..<shareSize.height { evenChroma(y, of: picture, field, target) }
    for y in 0..<size.height {
      field.fill(&scratch[0], channel: 0, y: y, of: size)
      evenRow(
        picture.luma.row(y), to: target.x, scratch[0], shares: shares,
        from: y / 2 * shareSize.width, pixelsAShare: 2, into: &planes.luma, at: y * size.width)
    }
  }

  /// The evened picture of the 4:2:0 picture that was begun.
  @_lifetime(borrow self)
  borrowing func evened(_ siting: ChromaSiting) -> YUV420View {
    planes.view(encoding: encoding ?? .bt601Limited, siting: siting)
  }

  private mutating func evenChroma(
    _ y: Int, of picture: YUV420View, _ field: ScreenField, _ target: SIMD3<Float>
  ) {
    let width = shareSize.width
    for channel in 1...2 {
      field.fill(&scratch[channel], channel: channel, y: y, of: shareSize)
    }
    setShares(y, cb: picture.cb.row(y), cr: picture.cr.row(y), picture.encoding)
    let start = y * width
    evenRow(
      picture.cb.row(y), to: target.y, scratch[1], shares: shares, from: start, pixelsAShare: 1,
      into: &planes.cb, at: start)
    evenRow(
      picture.cr.row(y), to: target.z, scratch[2], shares: shares, from: start, pixelsAShare: 1,
      into: &planes.cr, at: start)
  }

  /// The shares of a row of chroma: luma plays no part in differences of channels.
  private mutating func setShares(
    _ y: Int, cb: Span<UInt8>, cr: Span<UInt8>, _ encoding: YCbCrEncoding
  ) {
    let c = encoding.coefficients
    let (toRed, toBlue) = (Float(c.crToRed), Float(c.cbToBlue))
    let (cbToGreen, crToGreen) = (Float(c.cbToGreen), Float(c.crToGreen))
    let start = y * shareSize.width
    let (screenCb, screenCr) = (scratch[1], scratch[2])
    let difference = difference
    @inline(__always)
    func excess(_ cb: Float, _ cr: Float) -> Float {
      difference.excess(
        red: toRed * cr, green: cbToGreen * cb + crToGreen * cr, blue: toBlue * cb)
    }
    for x in cb.indices {
      let own = excess(Float(cb[x]) - 128, Float(cr[x]) - 128)
      let full = excess(screenCb[x] - 128, screenCr[x] - 128)
      shares[start + x] = Self.share(own, of: full)
    }
  }

  // MARK: RGBA

  /// Looks at a picture of RGBA pixels, and evens it where its light is uneven.
  mutating func begin(_ picture: RGBAView) {
    field = survey?.surface(of: picture).map(ScreenField.surface)
    if let plate {
      if platePlanes == nil { platePlanes = PlatePlanes(plate) }
      field = platePlanes.map(ScreenField.plate)
    }
    guard let field else { return }
    (size, shareSize, encoding) = (picture.size, picture.size, nil)
    prepare()
    planes.begin(picture.size)
    for y in 0..<size.height {
      for channel in 0..<3 { field.fill(&scratch[channel], channel: channel, y: y, of: size) }
      even(picture.row(y), y)
    }
  }

  /// The evened picture of the picture of RGBA pixels that was begun.
  var evened: RGBAView {
    @_lifetime(borrow self)
    borrowing get { planes.view(size) }
  }

  private mutating func even(_ row: Span<SIMD4<UInt8>>, _ y: Int) {
    let target = screen * 255
    let start = y * size.width
    for x in row.indices {
      let pixel = row[x]
      let color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
      let here = SIMD3(scratch[0][x], scratch[1][x], scratch[2][x])
      let share = Self.share(
        difference.excess(red: color.x, green: color.y, blue: color.z),
        of: difference.excess(red: here.x, green: here.y, blue: here.z))
      shares[start + x] = share
      let evened = color + (target - here) * (Float(share) / 255)
      let bytes = SIMD3<UInt8>(
        clamping: SIMD3<Int32>(evened.rounded(.toNearestOrEven)))
      planes.pixels[start + x] = SIMD4(bytes, pixel.w)
    }
  }

  // MARK: Taking back

  /// Takes what too much came into the foreground out of keyed rows again.
  mutating func restore(_ pixels: inout MutableSpan<SIMD4<UInt8>>, rows: Range<Int>) {
    guard let field else { return }
    let pixelsAShare = encoding == nil ? 1 : 2
    for y in rows {
      let share = y / pixelsAShare
      for channel in 0..<3 {
        field.fill(&scratch[channel], channel: channel, y: share, of: shareSize)
      }
      for x in 0..<size.width {
        let pixel = pixels[(y - rows.lowerBound) * size.width + x]
        let at = x / pixelsAShare
        let excess = Int(shares[share * shareSize.width + at]) - Int(255 - pixel.w)
        // What the solver's own rounding makes is not worth a step of colour.
        guard pixel.w > 0, abs(excess) > 3 else { continue }
        let part = Float(excess) / Float(max(pixel.w, 128))
        let color = SIMD3(Float(pixel.x), Float(pixel.y), Float(pixel.z))
        let mended = color - (screen - screenColor(at: at)) * (255 * part)
        let bytes = SIMD3<UInt8>(clamping: SIMD3<Int32>(mended.rounded(.toNearestOrEven)))
        pixels[(y - rows.lowerBound) * size.width + x] = SIMD4(bytes, pixel.w)
      }
    }
  }

  /// The screen's colour in the row that `scratch` holds.
  private func screenColor(at x: Int) -> SIMD3<Float> {
    let codes = SIMD3(scratch[0][x], scratch[1][x], scratch[2][x])
    return encoding?.rgb(luma: codes.x, cb: codes.y, cr: codes.z) ?? codes / 255
  }

  private mutating func prepare() {
    if shares.count != shareSize.area {
      shares = [UInt8](repeating: 0, count: shareSize.area)
    }
    if scratch[0].count != size.width {
      scratch = [[Float]](repeating: [Float](repeating: 0, count: size.width), count: 3)
    }
  }

  /// A share in 1/255 between the ends.
  @inline(__always)
  private static func share(_ own: Float, of full: Float) -> UInt8 {
    let share = own / (full > 1e-3 ? full : 1e-3)
    let stretched = (share - ends.foreground) * (255 / (ends.screen - ends.foreground))
    return UInt8(truncatingIfNeeded: roundedToInteger(min(max(stretched, 0), 255)))
  }
}

/// Adds the screen's share of the way from its code at each place to its one code.
private func evenRow(
  _ row: Span<UInt8>, to target: Float, _ here: [Float], shares: [UInt8], from first: Int,
  pixelsAShare: Int, into plane: inout [UInt8], at start: Int
) {
  let (here, shares) = (here.span, shares.span)
  var plane = plane.mutableSpan
  for x in row.indices {
    let share = Float(shares[first + x / pixelsAShare]) * (1 / 255)
    let code = Float(row[x]) + (target - here[x]) * share
    plane[start + x] = UInt8(truncatingIfNeeded: roundedToInteger(min(max(code, 0), 255)))
  }
}
