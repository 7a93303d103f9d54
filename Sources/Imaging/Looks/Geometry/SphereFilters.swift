/// Filters that show the picture through a sphere.
extension FilterCatalogue {
  static let sphereFilters = [
    FilterDeclaration(
      "sphere-refraction", "Shows the picture upside down in a ball of glass.",
      like: "SphereRefractionFilter", sphereParameters
    ) { arguments in
      .picture(SphereRefraction(sphere: Sphere(arguments)))
    },
    FilterDeclaration(
      "glass-sphere", "Shows the picture in a ball of glass with lights on it.",
      like: "GlassSphereFilter", sphereParameters
    ) { arguments in
      .picture(GlassSphere(sphere: Sphere(arguments)))
    },
  ]

  private static let sphereParameters: [FilterParameter] = [
    .number(
      "radius", default: 0.25, in: 0...1, unit: "fraction of the width", "The radius of the ball."),
    .point("center", "The centre of the ball; what is outside it is transparent."),
    .number(
      "refractiveIndex", default: 0.71, in: 0...1, unit: "ratio",
      "The refractive index of air over that of the ball; 1 does not bend light."),
  ]
}

/// A ball in front of the picture, seen from before it along the z axis.
struct Sphere {
  private let center: SIMD2<Float>
  private let radius: Float
  private let refractiveIndex: Float

  init(_ arguments: FilterArguments) {
    center = arguments.point("center")
    radius = max(arguments.number("radius"), 1e-12)
    refractiveIndex = arguments.number("refractiveIndex")
  }

  /// Where and how a ray meets the ball.
  struct Meeting {
    /// Whether it does.
    let isInside: LaneMask
    /// The normal of the surface there.
    let normal: (x: Lanes, y: Lanes, z: Lanes)
    /// Across and down, the direction of the ray in the ball.
    let refracted: (x: Lanes, y: Lanes)
  }

  /// Where rays through places of the picture meet the ball.
  ///
  /// The refraction is GLSL's `refract` of the vector (0, 0, −1): nothing where light is reflected
  /// totally.
  @inline(__always)
  func meet(_ place: BlockPlace, aspect: Float) -> Meeting {
    let scale = Lanes(1 / radius)
    let x = (place.u - Lanes(center.x)) * scale
    let y = (place.squareV(aspect: aspect) - Lanes(center.y)) * scale
    let square = x * x + y * y
    let z = maximum(1 - square, 0).squareRoot
    let index = Lanes(refractiveIndex)
    let cosine = 1 - index * index * (1 - z * z)
    let bend = select(cosine < 0, 0, index * z - cosine.squareRoot)
    return Meeting(
      isInside: square <= 1, normal: (x, y, z), refracted: (bend * x, bend * y))
  }
}

/// Samples the picture where refracted rays point to.
struct SphereRefraction: PictureFilter {
  let sphere: Sphere

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let meeting = sphere.meet(place, aspect: picture.aspect)
    let color = picture.sample(
      u: (meeting.refracted.x + 1) * 0.5, v: (meeting.refracted.y + 1) * 0.5)
    return color.visible(where: meeting.isInside)
  }
}

/// Samples the picture where refracted rays point to, turned upright, with the light of a bright
/// surrounding at the rim and of a lamp.
struct GlassSphere: PictureFilter {
  let sphere: Sphere

  @inline(__always)
  func color(at place: BlockPlace, of picture: borrowing PictureSampler) -> ColorBlock {
    let meeting = sphere.meet(place, aspect: picture.aspect)
    var color = picture.sample(
      u: 0.5 - meeting.refracted.x, v: 0.5 - meeting.refracted.y)
    let normal = meeting.normal
    let surrounding = 2.5 * (1 - normal.z.squareRoot.squareRoot)
    // The lamp is in the direction (−½, ½, 1), whose length is √1.5.
    let towardsLamp = (0.5 * (normal.y - normal.x) + normal.z) * 0.81649658
    let lamp = towardsLamp.clampedToUnit
    let (square, fifth) = (lamp * lamp, lamp * lamp * lamp * lamp * lamp)
    let light = surrounding + 0.8 * (fifth * fifth * square * square * lamp)
    color.mapColors { $0 + light }
    color.alpha = 1
    return color.visible(where: meeting.isInside)
  }
}

extension ColorBlock {
  /// The block with pixels made transparent black where the mask does not hold.
  @inline(__always)
  func visible(where mask: LaneMask) -> ColorBlock {
    ColorBlock(
      red: select(mask, red, 0), green: select(mask, green, 0), blue: select(mask, blue, 0),
      alpha: select(mask, alpha, 0))
  }
}
