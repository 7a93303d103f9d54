import Imaging

/// Writes valid recipes at random: each field given or not, in any order, each in any of its forms.
struct RecipeWriter {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  /// A recipe with at least one section.
  mutating func recipe() -> String {
    var members = ["key": key(), "audio": audio(), "stills": stills()].filter { _ in coin() }
    if members.isEmpty { members["audio"] = audio() }
    if coin() { members["damaged"] = pick(["\"keep\"", "\"fail\""]) }
    return object(members)
  }

  private mutating func key() -> String {
    let from = number(0...50)
    let mode = pick(["\"clean\"", "\"gpuimage\""])
    return some(of: [
      "color": pick(["\"magenta\"", "\"auto\"", "\"#1a2B3c\"", "[\"lime\",\"#00f\"]", "[\"red\"]"]),
      "mode": mode,
      "surface": mode == "\"clean\"" ? pick(["\"opaque\"", "\"translucent\""]) : "\"auto\"",
      "threshold": pick(["null", number(0...1)]),
      "smoothing": pick(["null", number(0...1)]),
      "despill": number(0...1),
      "choke": number(-100...100),
      "feather": number(0...100),
      "unmix": flag(),
      "clipBlack": number(0...0.4),
      "clipWhite": number(0.5...1),
      "garbage": pick([
        "[]", "{\"rectangle\":[0,\"12.5%\",20,\"100%\"]}",
        "[{\"polygon\":[[0,0],[\"50%\",0],[3.5,-7]]},{\"picture\":\"/a/b.png\"}]",
      ]),
      "holdOut": pick(["null", "[{\"picture\":\"mask.png\"}]"]),
      "alpha": pick(["\"straight\"", "\"premultiplied\""]),
      "size": pick(["null", "\"640x480\"", "\"4X65535\""]),
      "fps": pick(["null", "30", "23.976", number(0.01...1000)]),
      "from": pick(["null", from]),
      "to": pick(["null", number(51...3_600_000), "\"01:02:03.000004\""]),
      "formats": pick(["[\"png\"]", "\"mask\"", "[\"mask\",\"png\",\"mask\"]"]),
      "optional": flag(),
    ])
  }

  private mutating func audio() -> String {
    let from = number(0...50)
    var members = [
      "formats": pick(["\"copy\"", "[\"wav\",\"copy\"]", "[\"peaks\",\"mp3\",\"cover\"]"]),
      "track": pick(["\"default\"", "\"all\"", "7", "\"eng\"", "\"fr\""]),
      "from": pick(["null", from]),
      "to": pick(["null", number(51...3_600_000), "\"01:02:03.000004\""]),
      "trimSilence": pick(["true", "false", "null", number(-120...(-10))]),
      "rate": pick(["null", "44100"]),
      "channels": pick(["null", "1", "8"]),
      "bits": pick(["null", "16", "24"]),
      "loudness": pick(["null", number(-70...(-5))]),
      "truePeak": number(-20...0),
      "peaksPerSecond": pick(["20", "[1,1000]", "[50,20,50]"]),
      "peaksBits": pick(["8", "16"]),
      "report": flag(),
      "optional": flag(),
    ]
    // Only one of the two may be given.
    if coin() {
      members["bitrate"] = pick(["null", "\"192k\"", "64000"])
    } else {
      members["quality"] = pick(["null", "1", "100"])
    }
    return some(of: members)
  }

  private mutating func stills() -> String {
    let moments = (0...Int.random(in: 0...4, using: &generator)).map { _ in moment() }
    let filters = (0..<Int.random(in: 0...4, using: &generator)).map { _ in filter() }
    return some(of: [
      "at": list(moments),
      "cap": pick(["null", "\"1024x1536\"", "\"3x5\""]),
      "look": "null",
      "filters": list(filters),
      "quality": pick(["1", "100", "85"]),
      "formats": pick(["[\"jpeg\"]", "[\"png\",\"jpeg\"]"]),
      "optional": flag(),
    ])
  }

  private mutating func moment() -> String {
    pick([
      number(0...3_600_000), "\"\(Int.random(in: 0...99, using: &generator)).25%\"",
      "\"12:34:56.789\"", "\"1:02\"", "\"every \(Int.random(in: 1...9, using: &generator))ms\"",
      "\"every 1h2m3.5s\"", "\"every 0.0010004s\"",
    ])
  }

  private mutating func filter() -> String {
    let declaration = FilterCatalogue.all[
      Int.random(in: FilterCatalogue.all.indices, using: &generator)]
    var parameters: [String: String] = [:]
    for parameter in declaration.parameters where coin() {
      let least = max(parameter.range.lowerBound, -50)
      let range = least...min(parameter.range.upperBound, least + 100)
      parameters[parameter.name] =
        switch parameter.kind {
        case .number: number(range)
        case .integer:
          "\(Int.random(in: Int(range.lowerBound)...Int(range.upperBound), using: &generator))"
        case .choice(let words): "\"\(words[Int.random(in: words.indices, using: &generator)])\""
        case .vector(let count): list((0..<count).map { _ in number(range) })
        case .curve: list((0..<3).map { _ in list([number(range), number(range)]) })
        }
    }
    if !declaration.pictures.isEmpty {
      parameters["pictures"] = list(declaration.pictures.indices.map { "\"/pictures/\($0).png\"" })
    }
    return object([declaration.name: object(parameters)])
  }

  private mutating func some(of members: [String: String]) -> String {
    object(members.filter { _ in coin() })
  }

  private mutating func object(_ members: [String: String]) -> String {
    let shuffled = members.sorted { $0.key < $1.key }.shuffled(using: &generator)
    return "{\(shuffled.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",\n"))}"
  }

  private func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }

  private mutating func number(_ range: ClosedRange<Double>) -> String {
    Double.random(in: range, using: &generator).description
  }

  private mutating func flag() -> String { coin() ? "true" : "false" }

  private mutating func coin() -> Bool { Bool.random(using: &generator) }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: choices.indices, using: &generator)]
  }
}

/// A small seeded generator (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators").
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
