// swift-tools-version: 6.2
import PackageDescription

/// Every target is built under the same rules (docs/decisions.md says why): Swift 6 mode, memory
/// safety made explicit, and no warning left standing.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The modules that hand out spans of memory they own.
let lifetimes: [SwiftSetting] = settings + [.enableExperimentalFeature("Lifetimes")]

/// The modules with the inner loops.
///
/// By itself the compiler makes one LLVM module a file, and at that level inlines nothing from the one
/// into the other (docs/decisions.md has what that costs).
let kernels: [SwiftSetting] =
  lifetimes + [
    .unsafeFlags(
      ["-Xfrontend", "-enable-single-module-llvm-emission"], .when(configuration: .release))
  ]

func system(_ name: String) -> Target {
  .systemLibrary(name: name, path: "Sources/CLibraries/\(name)")
}

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "keymill",
  products: [
    .executable(name: "keymill", targets: ["keymill"])
  ],
  targets: [
    // System libraries: a module map and a shim header each.
    system("CFFmpeg"),
    system("CSQLite"),
    system("CISAL"),
    system("CDeflate"),
    system("CJPEG"),
    system("CCrypto"),
    system("CCurl"),
    system("CEBUR128"),
    // No library: what Swift's vectors lack.
    system("CVectors"),
    .target(name: "CLinux"),

    // Wrappers: the only targets that import their C module.
    module("SQLite", ["CSQLite"]),
    module("FFmpeg", ["CFFmpeg"], settings: lifetimes),
    module("Digests", ["CCrypto"]),
    module("Loudness", ["CEBUR128"]),
    module("Platform", ["CLinux"]),

    // Pure Swift.
    module("Imaging", ["CVectors"], settings: kernels),
    module("Commands"),
    module("Recipes", ["Imaging", "Platform"]),

    // What the wrappers and kernels are put together to.
    module("ImageFiles", ["Imaging", "CISAL", "CDeflate", "CJPEG"], settings: kernels),
    module("JobQueue", ["SQLite", "Recipes", "Digests"]),
    module("AudioCache", ["SQLite", "Platform", "Digests"]),
    module("Fetch", ["CCurl", "Platform"]),
    module(
      "Media", ["FFmpeg", "Loudness", "Imaging", "ImageFiles", "Recipes", "Digests", "Platform"],
      settings: lifetimes),
    module("Worker", ["JobQueue", "Recipes", "AudioCache", "Fetch", "Digests", "Platform"]),
    module("Watch", ["JobQueue", "Recipes", "Platform"]),

    // Programs.
    .executableTarget(
      name: "keymill",
      dependencies: [
        "Commands", "Recipes", "JobQueue", "AudioCache", "Media", "Worker", "Watch", "FFmpeg",
        "Imaging", "ImageFiles", "Platform", "Digests", "SQLite", "Fetch",
      ],
      swiftSettings: settings),
    .target(name: "SampleScenes", path: "Samples/SampleScenes", swiftSettings: settings),
    .executableTarget(
      name: "keymill-samples", dependencies: ["SampleScenes"],
      path: "Samples/keymill-samples", swiftSettings: settings),
    .executableTarget(
      name: "keymill-bench", dependencies: ["Imaging", "ImageFiles"],
      path: "Benchmarks/keymill-bench", swiftSettings: settings),
    .target(name: "CQueueCeiling", dependencies: ["CSQLite"], path: "Benchmarks/CQueueCeiling"),
    .executableTarget(
      name: "keymill-queue-bench",
      dependencies: ["Commands", "JobQueue", "Digests", "Platform", "CQueueCeiling"],
      path: "Benchmarks/keymill-queue-bench", swiftSettings: settings),
    .executableTarget(
      name: "keymill-pool-bench", dependencies: ["JobQueue", "Platform"],
      path: "Benchmarks/keymill-pool-bench", swiftSettings: settings),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    .executableTarget(
      name: "keymill-looks-bench", dependencies: ["Imaging", "CAllocations"],
      path: "Benchmarks/keymill-looks-bench", swiftSettings: settings),
    .target(
      name: "MatteTruth", dependencies: ["SampleScenes"], path: "Benchmarks/MatteTruth",
      swiftSettings: settings),
    .executableTarget(
      name: "keymill-matte-bench",
      dependencies: [
        "Commands", "Imaging", "ImageFiles", "MatteTruth", "Platform", "SampleScenes",
      ],
      path: "Benchmarks/keymill-matte-bench", swiftSettings: settings),
    .executableTarget(
      name: "keymill-cache-bench", dependencies: ["AudioCache", "Digests", "Platform"],
      path: "Benchmarks/keymill-cache-bench", swiftSettings: settings),
    .executableTarget(
      name: "keymill-soak",
      dependencies: ["Commands", "JobQueue", "Recipes", "Digests", "ImageFiles", "Platform"],
      path: "Benchmarks/keymill-soak", swiftSettings: settings),

    tests("SQLite", ["SQLite"]),
    tests("FFmpeg", ["FFmpeg"]),
    tests("Digests", ["Digests"]),
    tests("Loudness", ["Loudness"]),
    tests("Platform", ["Platform"]),
    tests("Imaging", ["Imaging", "ImageFiles", "FFmpeg"]),
    tests("ImageFiles", ["ImageFiles", "Imaging", "FFmpeg"]),
    tests("Commands", ["Commands"]),
    tests("Recipes", ["Recipes", "Imaging"]),
    tests("JobQueue", ["JobQueue", "SQLite", "Recipes", "Digests"]),
    tests("AudioCache", ["AudioCache", "cache-churn", "SQLite", "Platform", "Digests"]),
    // What the tests of the cache kill.
    .executableTarget(
      name: "cache-churn", dependencies: ["AudioCache", "Digests", "Platform"],
      path: "Tests/CacheChurn", swiftSettings: settings),
    // A server that does what no server should, for all that fetches.
    .target(
      name: "TestServer", dependencies: ["Platform"], path: "Tests/TestServer",
      swiftSettings: settings),
    tests("Fetch", ["keymill", "Fetch", "Platform", "TestServer"]),
    tests(
      "Media",
      ["Media", "FFmpeg", "Loudness", "Imaging", "ImageFiles", "Recipes", "Digests", "Platform"]),
    tests(
      "Worker",
      [
        "keymill", "Worker", "JobQueue", "AudioCache", "Fetch", "Recipes", "Digests", "Platform",
        "SQLite", "TestServer",
      ]),
    tests("Watch", ["Watch", "JobQueue", "Platform", "SQLite"]),
    tests(
      "CommandLine",
      [
        "keymill", "AudioCache", "Platform", "FFmpeg", "Imaging", "ImageFiles", "SQLite",
        "TestServer",
      ]),
    tests("SampleScenes", ["SampleScenes"]),
    tests("MatteBench", ["MatteTruth", "SampleScenes"]),
    tests("Soak", ["keymill-soak", "keymill", "JobQueue", "Digests", "Platform"]),
  ],
  swiftLanguageModes: [.v6]
)
