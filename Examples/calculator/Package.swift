// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "calculator",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .executableTarget(
      name: "calculator",
      dependencies: [
        .product(name: "DynamicInvocation", package: "swift-invocation"),
        .product(name: "InvocationRecords", package: "swift-invocation"),
      ],
      swiftSettings: [.strictMemorySafety()])
  ]
)
