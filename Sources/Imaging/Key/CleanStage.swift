/// Keys pictures in mode `clean`, each as if its screen were of one colour.
struct CleanStage {
  private var keyer: CleanKeyer
  /// What makes the light on the screen even first; `nil` where it is taken as it is.
  private var light: LightStage?

  /// The stage of a plan that has a screen.
  init(_ plan: KeyPlan, rule: MatteRule, evensLight: Bool) {
    keyer = CleanKeyer(plan, rule: rule)
    light = evensLight ? LightStage(plan) : nil
  }

  /// What became of the rows solved since a picture was begun.
  var tally: MatteTally { keyer.tally }

  /// Begins a 4:2:0 picture, before any of its rows are solved.
  mutating func begin(_ picture: YUV420View) {
    light?.begin(picture)
    if let light, light.isEvening {
      let evened = light.evened(picture.siting)
      keyer.begin(evened)
    } else {
      keyer.begin(picture)
    }
  }

  /// Begins a picture of RGBA pixels, before any of its rows are solved.
  mutating func begin(_ picture: RGBAView) {
    light?.begin(picture)
    if let light, light.isEvening {
      let evened = light.evened
      keyer.begin(evened)
    } else {
      keyer.begin(picture)
    }
  }

  /// Makes matte and colours of rows of the 4:2:0 picture that was begun.
  mutating func solve(
    rows: Range<Int>, of picture: YUV420View, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    if let light, light.isEvening {
      let evened = light.evened(picture.siting)
      keyer.solve(rows: rows, of: evened, into: &pixels)
      self.light?.restore(&pixels, rows: rows)
    } else {
      keyer.solve(rows: rows, of: picture, into: &pixels)
    }
  }

  /// Makes matte and colours of rows of the picture of RGBA pixels that was begun.
  mutating func solve(
    rows: Range<Int>, of picture: RGBAView, into pixels: inout MutableSpan<SIMD4<UInt8>>
  ) {
    if let light, light.isEvening {
      let evened = light.evened
      keyer.solve(rows: rows, of: evened, into: &pixels)
      self.light?.restore(&pixels, rows: rows)
    } else {
      keyer.solve(rows: rows, of: picture, into: &pixels)
    }
  }
}
