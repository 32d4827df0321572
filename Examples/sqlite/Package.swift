// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sqlite",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .executableTarget(
      name: "sqlite",
      dependencies: [.product(name: "CDeclarations", package: "swift-invocation")])
  ]
)
