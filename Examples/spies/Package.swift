// swift-tools-version: 6.2
import PackageDescription

// Functions of a module that is compiled with these flags can be replaced. Release builds do not have them.
let replaceable: SwiftSetting = .unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"], .when(configuration: .debug))

let package = Package(
  name: "spies",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .target(name: "Weather", swiftSettings: [replaceable]),
    .executableTarget(name: "forecast", dependencies: ["Weather"]),
    // Without the flags: what its tests replace is in other libraries.
    .target(name: "Journal"),
    .testTarget(
      name: "JournalTests", dependencies: ["Journal", .product(name: "FunctionReplacement", package: "swift-invocation")]),
    .testTarget(
      name: "WeatherTests", dependencies: ["Weather", .product(name: "FunctionReplacement", package: "swift-invocation")]),
  ]
)
