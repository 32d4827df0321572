// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "logging-proxy",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .executableTarget(
      name: "logging-proxy",
      dependencies: [.product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: [.strictMemorySafety()])
  ]
)
