import FFmpeg
import Recipes

/// The audio tracks of an input that a recipe takes.
struct AudioChoice {
  /// One of them.
  struct Track {
    /// As the container describes it.
    let stream: FFmpeg.Stream
    /// Its number among the audio tracks of the input, from 1.
    let number: Int
    /// Whether it is the only one that is taken.
    let isAlone: Bool
  }

  /// The tracks taken, in the order of their numbers; none where the input has not what is asked for.
  let tracks: [Track]
  /// What is missing, where none is taken, in the words of an error.
  let missing: String

  /// Chooses among the tracks of a file; those that nothing can decode are passed over where there is
  /// a choice.
  init(_ choice: TrackChoice, in container: InputContainer) {
    let all = container.streams.filter { $0.kind == .audio }
    let decodable = all.filter(\.hasDecoder)
    var chosen: [FFmpeg.Stream] = []
    switch choice {
    case .standard:
      missing = "no audio stream to take"
      // The track that is on when a player opens the file: the first of those marked so.
      let best = decodable.first { $0.isDefault } ?? decodable.first
      chosen = [best ?? container.bestStream(.audio)].compactMap { $0 }
    case .all:
      missing = "no audio stream to take"
      chosen = decodable.isEmpty ? Array(all.prefix(1)) : decodable
    case .number(let number):
      missing = "no audio track \(number)"
      chosen = all.indices.contains(number - 1) ? [all[number - 1]] : []
    case .language(let code):
      missing = "no audio track in the language \"\(code)\""
      let language = LanguageCode(code)
      let found = all.filter { $0.metadata["language"].map(LanguageCode.init) == language }
      chosen = [found.first(where: \.hasDecoder) ?? found.first].compactMap { $0 }
    }
    tracks = chosen.map { stream in
      Track(
        stream: stream, number: (all.firstIndex { $0.index == stream.index } ?? 0) + 1,
        isAlone: chosen.count == 1)
    }
  }
}

extension AudioChoice.Track {
  /// What its files are named after: the input's stem, and where it is one of several its number and
  /// language.
  func stem(of stem: String) -> String {
    guard !isAlone else { return stem }
    let language = stream.metadata["language"].flatMap { code in
      code != "und" && code.allSatisfy({ $0.isASCII && $0.isLetter }) ? code : nil
    }
    return "\(stem)-\(number)" + (language.map { "-\($0)" } ?? "")
  }
}
