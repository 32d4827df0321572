// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "distributed",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .target(
      name: "Remote",
      dependencies: ["InvocationRecords", "EventRouting"].map { .product(name: $0, package: "swift-invocation") }),
    .testTarget(name: "RemoteTests", dependencies: ["Remote"]),
  ]
)
