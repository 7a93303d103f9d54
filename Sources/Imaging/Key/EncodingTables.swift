/// What follows for chroma codes from their encoding, made anew when that changes.
struct EncodingTables {
  private let rule: MatteRule
  private let near: SIMD3<Float>
  private var encoding: YCbCrEncoding?
  /// The first coverage of each pair of codes, `Cb·256 + Cr`.
  private(set) var coverage: [UInt8] = []
  /// The codes that are nothing but screen; `nil` where none are known to be.
  private(set) var screen: CodeBox?

  /// Tables of a rule, with a screen near a colour.
  init(rule: MatteRule, near: SIMD3<Float>) {
    self.rule = rule
    self.near = near
  }

  /// Makes the tables of an encoding.
  mutating func make(for encoding: YCbCrEncoding, _ judge: ScreenJudge) {
    guard self.encoding != encoding else { return }
    self.encoding = encoding
    coverage =
      AlphaTable(encoding: encoding, screenNear: near, alpha: rule.alpha(of:)).entries
    screen = judge.screenCodes(of: encoding)
  }
}
