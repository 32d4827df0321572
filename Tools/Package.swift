// swift-tools-version: 6.2
import PackageDescription

// A package of its own: packages that depend on swift-invocation see neither the program nor swift-argument-parser.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-invocation") }

let package = Package(
  name: "invoke",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "invoke", targets: ["invoke"])],
  dependencies: [
    .package(name: "swift-invocation", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "invoke",
      dependencies: [
        library("DynamicInvocation"), library("CDeclarations"), library("SwiftFunctions"), library("CallExplanations"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // The compilers and processes of the root package's tests, by a symbolic link.
    .target(name: "TestSupport", dependencies: [library("DynamicInvocation"), library("SwiftFunctions")], swiftSettings: settings),
    .testTarget(
      name: "InvokeTests", dependencies: ["invoke", "TestSupport", library("DynamicInvocation")], swiftSettings: settings),
  ]
)
