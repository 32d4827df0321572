// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "downloads",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .executableTarget(
      name: "downloads",
      dependencies: [.product(name: "EventRouting", package: "swift-invocation")],
      swiftSettings: [.strictMemorySafety()])
  ]
)
