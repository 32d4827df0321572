// swift-tools-version: 6.2
import PackageDescription

// A shared library with functions of libffi that are implemented by this engine, for libffi's own test suite.
let package = Package(
  name: "libffi-suite",
  platforms: [.macOS(.v15)],
  products: [.library(name: "LibFFIFunctions", type: .dynamic, targets: ["LibFFIFunctions"])],
  dependencies: [.package(name: "swift-invocation", path: "../..")],
  targets: [
    .target(name: "LibFFIShim"),
    .target(
      name: "LibFFIFunctions",
      dependencies: ["LibFFIShim", .product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
