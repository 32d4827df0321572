// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the program needs GTK when it runs, and nothing of GTK when it is built.
let package = Package(
  name: "gtk-example",
  dependencies: [
    .package(name: "swift-invocation", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "gtk-example",
      dependencies: [
        .product(name: "DynamicInvocation", package: "swift-invocation"),
        .product(name: "EventRouting", package: "swift-invocation"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    )
  ]
)
