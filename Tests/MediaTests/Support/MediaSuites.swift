import Testing

/// The suites that open media.
///
/// One after the other: FFmpeg's log belongs to the whole process, so
/// the damage of one file would be told of another that is read at the same time.
@Suite(.serialized) struct MediaSuites {}
