// swift-tools-version: 6.2
import PackageDescription

// A package whose declarations are written by the command plugin: Scripts/header-consumer.sh writes two files beside main.swift.
let package = Package(
  name: "header-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "header-consumer",
      dependencies: [.product(name: "CDeclarations", package: "swift-invocation")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
