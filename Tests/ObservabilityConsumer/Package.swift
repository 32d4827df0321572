// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a user of tracing and metrics would write it: it names the trait, and builds without a warning under strict memory
// safety. It names the other trait as well, as the packages that share its build directory do.
let package = Package(
  name: "observability-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..", traits: [.defaults, "Macros", "Observability"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    .testTarget(
      name: "ObservabilityConsumerTests",
      dependencies: [
        .product(name: "EventObservability", package: "swift-invocation"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
