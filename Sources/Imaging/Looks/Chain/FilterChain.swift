/// Filters one after the other, compiled to as few passes over the picture as they need.
///
/// Neighbouring filters that map each pixel by itself are fused: floats from one to the next, clamped
/// to 0…1 between them, and rounded to 8 bits once at the end. What looks at other pixels sees 8-bit
/// ones, as the original shaders do, in rows that go through the whole chain while they are in the
/// cache. Only filters that sample the picture anywhere, or measure it, need it whole.
public struct FilterChain: Sendable {
  /// Operations up to the next measurement.
  private struct Group: Sendable {
    var measurement: (any PictureMeasurement)?
    var operations: [FilterOperation] = []
    /// The segments; made anew for each picture where they begin with a measurement.
    var segments: [ChainSegment] = []
  }

  private let groups: [Group]

  /// Compiles a chain; the first step is applied first.
  ///
  /// - Precondition: No step names pictures. Those that do need `init(_:picture:)`.
  public init(_ steps: [FilterStep]) {
    self.init(steps) { path in preconditionFailure("nothing reads the picture \(path)") }
  }

  /// Compiles a chain, having the pictures that its steps name read once each.
  ///
  /// - Throws: what `picture` throws.
  public init<E: Error>(
    _ steps: [FilterStep], picture read: (_ path: String) throws(E) -> RGBAImage
  ) throws(E) {
    var known: [String: RGBAImage] = [:]
    var groups = [Group()]
    for step in steps {
      var pictures: [RGBAImage] = []
      for path in step.pictures {
        let picture: RGBAImage
        if let earlier = known[path] { picture = earlier } else { picture = try read(path) }
        known[path] = picture
        pictures.append(picture)
      }
      for operation in Self.flattened(step.operation(with: pictures)) {
        if case .measured(let measurement) = operation {
          groups.append(Group(measurement: measurement))
        } else {
          groups[groups.count - 1].operations.append(operation)
        }
      }
    }
    for index in groups.indices where groups[index].measurement == nil {
      groups[index].segments = ChainSegment.compile(groups[index].operations)
    }
    self.groups = groups
  }

  /// The picture with all filters applied.
  ///
  /// Works in place where the caller gives the image up, unless a filter needs the whole picture;
  /// then there are two at once.
  public func apply(to image: consuming RGBAImage) -> RGBAImage {
    for group in groups {
      var segments = group.segments
      if let measurement = group.measurement {
        let first = Self.flattened(measurement.operation(for: image.view))
        segments = ChainSegment.compile(first + group.operations)
      }
      for segment in segments { image = segment.apply(to: image) }
    }
    return image
  }

  private static func flattened(_ operation: FilterOperation) -> [FilterOperation] {
    guard case .sequence(let operations) = operation else { return [operation] }
    return operations.flatMap(flattened)
  }
}
