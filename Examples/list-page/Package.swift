// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "list-page",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    // The sources of the page and of the program are one module, so that the page needs no product of its own.
    .executableTarget(
      name: "list-page",
      dependencies: [
        .product(name: "DynamicInvocation", package: "swift-invocation"),
        .product(name: "EventRouting", package: "swift-invocation"),
      ],
      path: "Sources",
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault"), .strictMemorySafety()])
  ]
)
