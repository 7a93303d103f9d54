/// The way from the top of a document to one of its values, printed as `stills.filters[0].sepia`.
struct FieldPath: Hashable, CustomStringConvertible {
  private enum Step: Hashable {
    case field(String)
    case index(Int)
  }

  private var steps: [Step] = []

  /// How many lists and objects the value is in.
  var depth: Int { steps.count }

  /// The path to the field called `name` of the object at this path.
  func appending(field name: String) -> FieldPath {
    var path = self
    path.steps.append(.field(name))
    return path
  }

  /// The path to element `index`, counted from 0, of the list at this path.
  func appending(index: Int) -> FieldPath {
    var path = self
    path.steps.append(.index(index))
    return path
  }

  var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .field(let name):
        text += text.isEmpty ? excerpt(name) : ".\(excerpt(name))"
      case .index(let index):
        text += "[\(index)]"
      }
    }
  }
}
