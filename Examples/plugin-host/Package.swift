// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "plugin-host",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .target(name: "PluginInterface"),
    .executableTarget(
      name: "plugin-host",
      dependencies: [
        "PluginInterface",
        .product(name: "SwiftFunctions", package: "swift-invocation"),
        .product(name: "InvocationRecords", package: "swift-invocation"),
      ],
      // A plugin refers to the protocol in the program.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"], .when(platforms: [.linux]))]),
  ]
)
