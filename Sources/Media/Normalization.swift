import FFmpeg

/// The filters that make a picture progressive and SDR.
struct Normalization {
  /// Whether lines of two moments are made those of one.
  let deinterlaces: Bool
  /// Whether HDR is brought to what an SDR screen shows.
  let toneMaps: Bool
  /// The filters as FFmpeg writes them.
  let description: String

  /// The filters that a frame needs; nil where it is progressive and SDR.
  init?(for frame: Frame) {
    deinterlaces = frame.isInterlaced
    toneMaps = frame.colour.isHDR
    var filters: [String] = []
    if deinterlaces { filters.append(Self.deinterlacing) }
    if toneMaps { filters.append(Self.toneMapping(frame)) }
    guard !filters.isEmpty else { return nil }
    description = filters.joined(separator: ",")
  }

  /// One frame out of each, of the moment of its earlier field; frames that are marked progressive in
  /// between stay as they are.
  private static let deinterlacing = "bwdif=mode=send_frame:parity=auto:deint=interlaced"

  /// To light in BT.709's primaries, under a curve, and back to codes.
  ///
  /// HDR's white of paper and screens is SDR's white: 203 cd/m² (ITU-R BT.2408). Up to 0.7 of that the
  /// curve (mobius) is straight, so that a screen and most of what stands before it keep their colours;
  /// from there to 1000 cd/m², HLG's nominal peak and that of most PQ, it bends. It acts on the strongest
  /// channel and takes the others along, which keeps the hue.
  private static func toneMapping(_ frame: Frame) -> String {
    let (white, peak) = (203.0, 1000.0)
    let colour = frame.colour
    var toLight = ["transfer=linear", "primaries=bt709", "matrix=gbr", "npl=\(white)"]
    // What HDR files leave out is BT.2020 (ITU-R BT.2100).
    if colour.matrix == .unspecified { toLight.append("matrixin=2020_ncl") }
    if colour.primaries == .unspecified { toLight.append("primariesin=2020") }
    let format = frame.pixelFormat
    let alpha = frame.hasAlpha ? "a" : ""
    let isSubsampled = format.chromaShiftX == 1 && format.chromaShiftY == 1
    // Chroma at full size goes on through the scaler, which takes the finer steps.
    let codes = isSubsampled ? "yuv\(alpha)420p" : "yuv\(alpha)444p10le"
    return [
      "zscale=\(toLight.joined(separator: ":"))", "format=gbr\(alpha)pf32le",
      "tonemap=tonemap=mobius:param=0.7:desat=0:peak=\(peak / white)",
      "zscale=transfer=bt709:matrix=bt709:range=limited:chromal=left", "format=\(codes)",
    ].joined(separator: ",")
  }
}
