/// How many columns a terminal uses for a text without control characters.
func displayWidth(_ text: some StringProtocol) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

/// 2 for what East Asian text and emoji are made of, 0 for a mark alone, else 1.
///
/// The wide ranges of Unicode Standard Annex 11, joined where what lies between is unassigned or
/// rare.
func displayWidth(_ character: Character) -> Int {
  guard let scalar = character.unicodeScalars.first else { return 0 }
  if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: break
  }
  if scalar.properties.isEmojiPresentation { return 2 }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_7000...0x1_8CFF,
    0x1_B000...0x1_B2FF, 0x2_0000...0x3_FFFD:
    return 2
  default:
    return 1
  }
}

/// The longest beginning of a text that fits, with `…` for what is left out.
func truncated(_ text: String, to columns: Int) -> String {
  guard displayWidth(text) > columns else { return text }
  guard columns > 0 else { return "" }
  var width = 1
  let kept = text.prefix { character in
    width += displayWidth(character)
    return width <= columns
  }
  return kept + "…"
}
