import Platform

/// The environment variables that job processes get: what libraries need to work and no more, since
/// others may hold secrets.
enum JobEnvironment {
  private static let names: Set<String> = [
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "FONTCONFIG_FILE",
    "FONTCONFIG_PATH", "SWIFT_BACKTRACE", "LLVM_PROFILE_FILE", SandboxSupport.withoutLandlock,
  ]
  private static let prefixes = ["LC_", "MALLOC_", "GLIBC_", "ASAN_", "TSAN_", "UBSAN_"]

  /// The variables that are to be had from this process's own.
  static var current: [String: String] { selected(from: Environment.current) }

  /// What is left of an environment.
  static func selected(from variables: [String: String]) -> [String: String] {
    var result = variables.filter { name, _ in
      names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
    // A library behind FFmpeg's filters starts a thread for each core as it is loaded, and nobody may
    // fork where there are threads.
    result["OPENBLAS_NUM_THREADS"] = "1"
    return result
  }
}
