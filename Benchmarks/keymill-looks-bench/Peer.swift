/// The filters of other programs that come nearest to one of ours.
struct Peer {
  /// Our filter.
  let filter: String
  /// The pixel format that ffmpeg's filter works in.
  ///
  /// Ours where it can, else the one with the same channels that it is fastest in. Converting to it is
  /// not counted.
  let format: String
  /// ffmpeg's filter; `TABLE` stands for the path of a colour table.
  let ffmpeg: String?
  /// ImageMagick's options.
  let magick: [String]?
  /// How many times faster ours has to be.
  let bar: Double

  /// A filter of single pixels.
  private static func point(
    _ filter: String, _ ffmpeg: String?, in format: String = "rgba", magick: String? = nil
  ) -> Peer {
    Peer(
      filter: filter, format: format, ffmpeg: ffmpeg,
      magick: magick?.split(separator: " ").map(String.init), bar: 5)
  }

  /// A filter that looks at other pixels.
  private static func area(
    _ filter: String, _ ffmpeg: String?, in format: String = "gbrp", magick: String? = nil
  ) -> Peer {
    Peer(
      filter: filter, format: format, ffmpeg: ffmpeg,
      magick: magick?.split(separator: " ").map(String.init), bar: 2)
  }

  static let all: [Peer] = [
    point("brightness", "lutrgb=r=val+51:g=val+51:b=val+51", magick: "-brightness-contrast 20x0"),
    point(
      "contrast", "colorlevels=rimin=0.2:gimin=0.2:bimin=0.2:rimax=0.8",
      magick: "-brightness-contrast 0x40"),
    point("gamma", "lutrgb=r=gammaval(0.6):g=gammaval(0.6):b=gammaval(0.6)", magick: "-gamma 1.6"),
    point("exposure", "exposure=exposure=0.8", in: "gbrpf32", magick: "-evaluate multiply 1.7"),
    point(
      "levels", "colorlevels=rimin=0.2:gimin=0.2:bimin=0.2:rimax=0.8:gimax=0.8:bimax=0.8",
      magick: "-level 20%,80%"),
    point("color-invert", "negate", magick: "-negate"),
    point(
      "posterize", "lutrgb=r=floor(val/64)*85:g=floor(val/64)*85:b=floor(val/64)*85",
      magick: "-posterize 4"),
    point("rgb", "colorchannelmixer=rr=1.3:bb=0.7", magick: "-color-matrix 1.3,0,0,0,1,0,0,0,0.7"),
    point(
      "color-matrix", "colorchannelmixer=.3:.4:.3:0:.3:.4:.3:0:.3:.4:.3",
      magick: "-color-matrix .3,.4,.3,.3,.4,.3,.3,.4,.3"),
    point(
      "sepia", "colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131",
      magick: "-sepia-tone 80%"),
    point(
      "grayscale", "colorchannelmixer=.3:.4:.3:0:.3:.4:.3:0:.3:.4:.3", magick: "-colorspace gray"),
    point("saturation", "huesaturation=saturation=0.5", magick: "-modulate 100,150,100"),
    point("hue", "huesaturation=hue=90", magick: "-modulate 100,100,150"),
    point(
      "monochrome", "colorize=hue=30:saturation=0.5:lightness=0.5", in: "yuv444p",
      magick: "-colorspace gray -fill tan -tint 100"),
    point("vibrance", "vibrance=intensity=1"),
    point("white-balance", "colortemperature=temperature=7500"),
    // ImageMagick's takes seconds a picture.
    point("vignette", "vignette=angle=PI/4", in: "rgb24"),
    point("tone-curve", "curves=all='0/0.15 0.4/0.25 0.7/0.85 1/1'"),
    point("lookup", "lut3d=file=TABLE:interp=trilinear"),
    point("amatorka", "lut3d=file=TABLE:interp=trilinear"),
    point("miss-etikate", "lut3d=file=TABLE:interp=trilinear"),
    point("luminance-threshold", nil, magick: "-colorspace gray -threshold 50%"),
    point("solarize", nil, magick: "-solarize 50%"),
    area("histogram-equalization", "histeq", in: "rgb24", magick: "-equalize"),
    area("pixellate", "pixelize=w=51:h=51"),
    area("swirl", nil, magick: "-swirl 90"),
    area("bulge", "lenscorrection=k1=-0.2:k2=-0.02:i=bilinear", magick: "-implode -0.5"),
    area("pinch", "lenscorrection=k1=0.2:k2=0.02:i=bilinear", magick: "-implode 0.5"),
    area("transform", "rotate=0.34", in: "gbrp", magick: "-interpolate bilinear -distort SRT 20"),
    area(
      "straighten", "rotate=0.1745", in: "gbrp", magick: "-interpolate bilinear -distort SRT 10"),
    area(
      "sharpen",
      "convolution='0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0:0 -1 0 -1 5 -1 0 -1 0'",
      magick: "-sharpen 0x1"),
    area("gaussian-blur", "gblur=sigma=2", magick: "-gaussian-blur 4x2"),
    area("box-blur", "avgblur=sizeX=4", magick: "-blur 4x4"),
    area("unsharp-mask", "unsharp=9:9:1.5:9:9:1.5", in: "yuv444p", magick: "-unsharp 8x4"),
    area("motion-blur", nil, magick: "-motion-blur 4x2+0"),
    area("zoom-blur", nil, magick: "-rotational-blur 1"),
    area("bilateral", "bilateral=sigmaS=4:sigmaR=0.1", magick: "-bilateral-blur 8"),
    area("median", "median=radius=1", magick: "-median 3x3"),
    area("kuwahara", nil, magick: "-kuwahara 3"),
    area("sobel-edge", "sobel", in: "gray", magick: "-colorspace gray -edge 1"),
    area("prewitt-edge", "prewitt", in: "gray"),
    area("canny-edge", "edgedetect", in: "gray", magick: "-canny 0x2+10%+30%"),
    area(
      "emboss",
      "convolution='-2 -1 0 -1 1 1 0 1 2:-2 -1 0 -1 1 1 0 1 2:-2 -1 0 -1 1 1 0 1 2:-2 -1 0 -1 1 1 0 1 2'",
      magick: "-emboss 1"),
    area(
      "convolution-3x3",
      "convolution='-1 0 1 -2 1 2 -1 0 1:-1 0 1 -2 1 2 -1 0 1:-1 0 1 -2 1 2 -1 0 1:-1 0 1 -2 1 2 -1 0 1'",
      magick: "-convolve -1,0,1,-2,1,2,-1,0,1"),
    area(
      "laplacian",
      "convolution='1 1 1 1 -8 1 1 1 1:1 1 1 1 -8 1 1 1 1:1 1 1 1 -8 1 1 1 1:1 1 1 1 -8 1 1 1 1'",
      magick: "-convolve 1,1,1,1,-8,1,1,1,1"),
    area(
      "dilation", "dilation", in: "gray", magick: "-colorspace gray -morphology dilate square:1"),
    area("erosion", "erosion", in: "gray", magick: "-colorspace gray -morphology erode square:1"),
    area("opening", "erosion,dilation", in: "gray"),
    area("closing", "dilation,erosion", in: "gray"),
    area("rgb-dilation", "dilation", magick: "-morphology dilate square:1"),
    area("rgb-erosion", "erosion", magick: "-morphology erode square:1"),
    area("rgb-opening", "erosion,dilation"),
    area("rgb-closing", "dilation,erosion"),
    point("blend-multiply", "split,blend=all_mode=multiply", in: "gbrap"),
    point("blend-screen", "split,blend=all_mode=screen", in: "gbrap"),
    point("blend-overlay", "split,blend=all_mode=overlay", in: "gbrap"),
    point("blend-darken", "split,blend=all_mode=darken", in: "gbrap"),
    point("blend-lighten", "split,blend=all_mode=lighten", in: "gbrap"),
    point("blend-difference", "split,blend=all_mode=difference", in: "gbrap"),
    point("blend-exclusion", "split,blend=all_mode=exclusion", in: "gbrap"),
    point("blend-hard-light", "split,blend=all_mode=hardlight", in: "gbrap"),
    point("blend-soft-light", "split,blend=all_mode=softlight", in: "gbrap"),
    point("blend-add", "split,blend=all_mode=addition", in: "gbrap"),
    point("blend-subtract", "split,blend=all_mode=subtract", in: "gbrap"),
    point("blend-divide", "split,blend=all_mode=divide", in: "gbrap"),
    point("blend-color-dodge", "split,blend=all_mode=dodge", in: "gbrap"),
    point("blend-color-burn", "split,blend=all_mode=burn", in: "gbrap"),
    point("chroma-key", "colorkey=color=0x00ff00:similarity=0.4:blend=0.1", in: "rgba"),
  ]
}
