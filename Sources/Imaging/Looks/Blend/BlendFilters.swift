/// Filters that blend two pictures.
///
/// In their formulas b, B are colour and alpha of the picture, o, O those of the other.
extension FilterCatalogue {
  static let blendFilters: [FilterDeclaration] = coverBlends + lightBlends + contrastBlends

  /// Blends that lay one picture over the other.
  private static let coverBlends: [FilterDeclaration] = [
    .blend(
      "blend-alpha", "Lays a share of the other picture over the picture, which keeps its alpha.",
      like: "AlphaBlendFilter", [.blendShare]
    ) { AlphaBlend(share: $0.number("mix")) },
    .blend(
      "blend-dissolve", "Mixes the pictures, alpha too.", like: "DissolveBlendFilter", [.blendShare]
    ) { DissolveBlend(share: $0.number("mix")) },
    .blend(
      "blend-normal", "Lays the other picture over the picture, both with straight alpha.",
      like: "NormalBlendFilter"
    ) { _ in NormalBlend() },
    .blend(
      "blend-source-over", "Mixes the pictures by the other one's alpha, alpha too.",
      like: "SourceOverBlendFilter"
    ) { _ in SourceOverBlend() },
    .blend(
      "mask", "Multiplies the picture by the brightness of the other one.", like: "MaskFilter"
    ) { _ in MaskBlend() },
  ]

  /// Blends that add light or take it away.
  private static let lightBlends: [FilterDeclaration] = [
    .blend(
      "blend-add", "Adds the pictures, as two projectors on one wall.", like: "AddBlendFilter"
    ) { _ in AddBlend() },
    .blend(
      "blend-subtract", "Subtracts the other picture.", like: "SubtractBlendFilter"
    ) { _ in SubtractBlend() },
    .blend(
      "blend-difference", "Gives how far the pictures differ.", like: "DifferenceBlendFilter"
    ) { _ in DifferenceBlend() },
    .blend(
      "blend-exclusion", "Gives the difference of the pictures with less contrast.",
      like: "ExclusionBlendFilter"
    ) { _ in ExclusionBlend() },
    .blend(
      "blend-multiply", "Multiplies the pictures, as two slides in one projector.",
      like: "MultiplyBlendFilter"
    ) { _ in MultiplyBlend() },
    .blend(
      "blend-divide", "Divides the picture by the other one.", like: "DivideBlendFilter"
    ) { _ in DivideBlend() },
    .blend(
      "blend-screen", "Multiplies the negatives of the pictures.", like: "ScreenBlendFilter"
    ) { _ in ScreenBlend() },
    .blend(
      "blend-lighten", "Takes the lighter of both pictures in each channel.",
      like: "LightenBlendFilter"
    ) { _ in LightenBlend() },
    .blend(
      "blend-darken", "Takes the darker of both pictures in each channel.",
      like: "DarkenBlendFilter"
    ) { _ in DarkenBlend() },
    .blend(
      "blend-linear-burn", "Adds the pictures and subtracts white.", like: "LinearBurnBlendFilter"
    ) { _ in LinearBurnBlend() },
  ]

  /// Blends that lighten and darken, and those that exchange hue, saturation or brightness.
  private static let contrastBlends: [FilterDeclaration] = [
    .blend(
      "blend-color-burn", "Darkens the picture the more, the darker the other one is.",
      like: "ColorBurnBlendFilter"
    ) { _ in ColorBurnBlend() },
    .blend(
      "blend-color-dodge", "Lightens the picture the more, the lighter the other one is.",
      like: "ColorDodgeBlendFilter"
    ) { _ in ColorDodgeBlend() },
    .blend(
      "blend-overlay", "Multiplies where the picture is dark, screens where it is light.",
      like: "OverlayBlendFilter"
    ) { _ in OverlayBlend() },
    .blend(
      "blend-hard-light", "Multiplies where the other picture is dark, screens where it is light.",
      like: "HardLightBlendFilter"
    ) { _ in HardLightBlend() },
    .blend(
      "blend-soft-light", "Darkens or lightens gently by the other picture.",
      like: "SoftLightBlendFilter"
    ) { _ in SoftLightBlend() },
    .blend(
      "blend-color", "Takes hue and saturation of the other picture.", like: "ColorBlendFilter"
    ) { _ in ColorBlend() },
    .blend(
      "blend-luminosity", "Takes the brightness of the other picture.",
      like: "LuminosityBlendFilter"
    ) { _ in LuminosityBlend() },
    .blend(
      "blend-hue", "Takes the hue of the other picture.", like: "HueBlendFilter"
    ) { _ in HueBlend() },
    .blend(
      "blend-saturation", "Takes the saturation of the other picture.",
      like: "SaturationBlendFilter"
    ) { _ in SaturationBlend() },
  ]
}

extension FilterParameter {
  /// Declares how much of the other picture a blend takes.
  fileprivate static let blendShare = FilterParameter.number(
    "mix", default: 0.5, in: 0...1, unit: "fraction", "How much of the other picture is mixed in.")
}
