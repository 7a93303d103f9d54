/// Makes text out of a document fit for an error message: one line, printable, and not long.
///
/// Control characters are shown as `\u{1B}`, so that a hostile document cannot steer a terminal, and
/// text over `limit` characters is cut with an ellipsis.
func excerpt(_ text: some StringProtocol, limit: Int = 60) -> String {
  var shown = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    guard shown.count < limit else {
      shown.append("…")
      break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      shown.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
    default:
      shown.append(scalar)
    }
  }
  return String(shown)
}

/// Puts text out of a document between double quotes, as ``excerpt(_:limit:)`` shows it.
func quoted(_ text: some StringProtocol) -> String { "\"\(excerpt(text))\"" }
