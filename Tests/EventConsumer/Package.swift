// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a user of events would write it; see Tests/Consumer.
let package = Package(
  name: "event-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "event-consumer",
      dependencies: [.product(name: "EventRouting", package: "swift-invocation")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
