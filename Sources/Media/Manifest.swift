import Digests
import FFmpeg
import Imaging
import Platform
import Recipes

/// What was made of an input, as `manifest.json` tells it.
///
/// The document is written as a stream: the list of files comes from the ledger's spool, so that its
/// length does not matter.
struct Manifest {
  /// The job of a queue that it is made by, if it is one.
  let origin: JobOrigin?
  /// The input as it was read.
  let made: SourceIdentity
  /// FFmpeg's name of the input's format.
  let format: String
  /// The input's length in seconds, where it has one.
  let duration: Double?
  /// The recipe as used, with every default written out.
  let recipe: Recipe
  /// The name of the recipe.
  let recipeName: String
  /// Whether the input was damaged.
  let isPartial: Bool
  /// What the user should know.
  let warnings: [String]
  /// The keyed frames, if the recipe has them.
  let key: (report: KeyReport, frames: Int)?
  /// The audio tracks and their files.
  let tracks: [TrackReport]
  /// The stills.
  let stills: [StillReport]

  /// Writes the document; the last file of an output.
  func write(into staging: StagingDirectory) throws {
    try staging.ledger.flush()
    let file = try FileDescriptor.open("\(staging.path)/manifest.json", .create)
    var json = JSONEmitter()
    json.beginObject()
    writeHead(&json)
    if let key { write(key.report, frames: key.frames, &json) }
    writeTracks(&json)
    writeStills(&json)
    json.beginArray("files")
    try file.writeAll(json.take())
    let spool = "\(staging.path)/\(FileLedger.spoolName)"
    let list = try FileDescriptor.open(spool, .read)
    while case .bytes(let bytes) = try list.read() { try file.writeAll(bytes) }
    try file.writeAll("\n  ]\n}\n")
    try file.close()
    try Files.removeFile(spool)
  }

  private func writeHead(_ json: inout JSONEmitter) {
    json.beginObject("keymill")
    json.string("version", Engine.version)
    for library in LibraryVersions.all { json.string(library.name, library.version) }
    json.end()
    Self.write(origin, &json)
    Self.write(made.input, format: format, duration: duration, &json)
    json.string("recipeName", recipeName)
    json.raw("recipe", recipe.canonicalJSON)
    json.string("recipeSHA256", SHA256Digest(of: recipe.canonicalJSON).hex)
    writePictures(&json)
    json.bool("partial", isPartial)
    json.beginArray("warnings")
    for warning in warnings { json.string(nil, warning) }
    json.end()
  }

  /// The pictures that the recipe names, as they were.
  private func writePictures(_ json: inout JSONEmitter) {
    guard !made.pictures.isEmpty else { return }
    json.beginArray("pictures")
    for picture in made.pictures {
      json.beginObject(inline: true)
      json.string("path", picture.path)
      json.string("sha256", picture.sha256.hex)
      json.end()
    }
    json.end()
  }

  /// The object that tells which job an output is of, if it is one's.
  static func write(_ origin: JobOrigin?, _ json: inout JSONEmitter) {
    guard let origin else { return }
    json.beginObject("job", inline: true)
    json.integer("id", origin.job)
    json.string("queue", origin.queue)
    json.end()
  }

  /// The object that tells what an output is made of.
  static func write(
    _ input: InputIdentity, format: String, duration: Double?, _ json: inout JSONEmitter
  ) {
    json.beginObject("input")
    json.string("path", input.path)
    json.integer("bytes", input.bytes)
    json.number("modified", Double(input.modifiedNanoseconds) / 1e9)
    json.string("sha256", input.sha256.hex)
    json.string("format", format)
    json.number("duration", duration)
    json.end()
  }

  private func write(_ report: KeyReport, frames: Int, _ json: inout JSONEmitter) {
    json.beginObject("key")
    json.integer("frames", frames)
    json.integer("width", report.size.width)
    json.integer("height", report.size.height)
    json.string("alpha", report.alpha.rawValue)
    json.string("matrix", report.matrix.name)
    json.string("pixelAspect", "\(report.sampleAspectRatio.num):\(report.sampleAspectRatio.den)")
    json.beginArray("screens", inline: true)
    for screen in report.plan.screens {
      json.beginObject(inline: true)
      json.string("color", screen.color.description)
      json.number("spread", Double(screen.spread))
      json.number("border", Double(screen.borderShare))
      json.bool("found", screen.isFound)
      json.end()
    }
    json.end()
    if let score = report.score { write(score.summary, &json) }
    json.end()
  }

  private func write(_ score: MatteScore, _ json: inout JSONEmitter) {
    json.beginObject("score")
    json.string("verdict", score.verdict.rawValue)
    json.number("residue", score.residue)
    json.number("worstResidue", score.worstResidue)
    json.integer("worstFrame", score.worstFrame)
    json.number("transparent", score.transparent)
    json.number("partial", score.partial)
    json.number("opaque", score.opaque)
    json.number("nearKey", score.nearKey)
    json.end()
  }

  private func writeStills(_ json: inout JSONEmitter) {
    guard !stills.isEmpty else { return }
    json.beginArray("stills")
    for still in stills {
      json.beginObject(inline: true)
      json.number("time", still.seconds)
      json.integer("width", still.size.width)
      json.integer("height", still.size.height)
      json.beginArray("files", inline: true)
      for file in still.files { json.string(nil, file.path) }
      json.end()
      json.end()
    }
    json.end()
  }
}
