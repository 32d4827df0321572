// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// One list for every Swift target; each entry catches a class of mistakes at compile time.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),  // `any` is written where a call is dynamic
  .enableUpcomingFeature("MemberImportVisibility"),  // no member comes from a module a file does not import
  .enableUpcomingFeature("InternalImportsByDefault"),  // an import becomes API only when it says so
]

// The engine marks every use of unsafe memory, so that a reader can find them all.
let engineSettings: [SwiftSetting] = settings + [.strictMemorySafety()]

// A test target is compiled as a whole: in batches, each process expands macros of all files, and another one writes a module that nothing imports.
let testSettings: [SwiftSetting] =
  settings + [.unsafeFlags(["-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2"])]

// Every function can be replaced at run time.
let replaceable: [SwiftSetting] = settings + [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]

// Only the macros need swift-syntax, which takes minutes to build: without the trait SwiftPM does not even fetch it.
let macros: TargetDependencyCondition? = .when(traits: ["Macros"])

// What wraps a framework of Apple's.
let apple: TargetDependencyCondition? = .when(platforms: [.macOS, .iOS, .macCatalyst, .tvOS, .watchOS, .visionOS])

let swiftSyntax: [Target.Dependency] = [
  "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftDiagnostics", "SwiftParser", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
  "SwiftSyntaxMacrosGenericTestSupport",
].map { .product(name: $0, package: "swift-syntax", condition: macros) }

// Only calls that are forced onto libffi need it.
let libffi: CSetting = .define("CFFI_LIBFFI", .when(traits: ["LibFFI"]))

// The program that compares the engine with compilers. No test needs it, and a test build would build it, so that it is only declared if this
// variable is set, as `make conformance` and its like do; who sets it also gets the parser of its command line.
let conformance: [Target] =
  Context.environment["CONFORMANCE"] == nil
  ? []
  : [
    .executableTarget(
      name: "conformance",
      dependencies: [
        "DynamicInvocation", "CDeclarations", "DeclarationReading", "SwiftFunctions", "FunctionReplacement",
        "InvocationRecords", "EventRouting", "EventRoutingModel", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/conformance",
      // C and assembly for emulated processors, which the program compiles itself.
      exclude: [
        "AArch64/harness.c", "AArch64/registers.S", "AArch64/swift.c", "AArch64/swift.h", "AArch64/swift.S", "Placements/probe.c",
        "Headers/headers.txt", "SwiftFunctions/types.txt",
      ],
      swiftSettings: settings)
  ]

let package = Package(
  name: "swift-invocation",
  platforms: [.macOS(.v15), .iOS(.v18), .macCatalyst(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "DynamicInvocation", targets: ["DynamicInvocation"]),
    .library(name: "CDeclarations", targets: ["CDeclarations"]),
    .library(name: "SwiftFunctions", targets: ["SwiftFunctions"]),
    .library(name: "FunctionReplacement", targets: ["FunctionReplacement"]),
    .library(name: "CallExplanations", targets: ["CallExplanations"]),
    .library(name: "InvocationRecords", targets: ["InvocationRecords"]),
    .library(name: "DynamicInvocationFoundation", targets: ["DynamicInvocationFoundation"]),
    .library(name: "ObjectiveCMessages", targets: ["ObjectiveCMessages"]),
    .library(name: "EventRouting", targets: ["EventRouting"]),
    .library(name: "EventRoutingFoundation", targets: ["EventRoutingFoundation"]),
    .library(name: "EventRoutingResponders", targets: ["EventRoutingResponders"]),
    .library(name: "InvocationMacros", targets: ["InvocationMacros"]),
    .library(name: "EventRoutingMacros", targets: ["EventRoutingMacros"]),
  ],
  traits: [
    .default(enabledTraits: ["LibFFI"]),
    .trait(
      name: "LibFFI",
      description: "The backends libffi and shadow, which need libffi; without it every call is made by the engine's own kernels."),
    .trait(name: "Macros", description: "The macros of InvocationMacros, such as @Invocable; they need swift-syntax."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
  ],
  targets: [
    // The only C: libffi glue, what Swift cannot reach of the dynamic linker, and C-representable geometry.
    .target(
      name: "CFFIShim",
      path: "CFFIShim",
      publicHeadersPath: "include",
      cSettings: [libffi],
      linkerSettings: [
        .linkedLibrary("ffi", .when(traits: ["LibFFI"])),
        .linkedLibrary("dl", .when(platforms: [.linux])),
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]
    ),
    // The engine is three layers. Each knows the layers above it in this list; `import DynamicInvocation` shows all of them.
    // Type encodings, their layout, errors: no C, no unsafe code.
    .target(
      name: "TypeEncodings",
      swiftSettings: engineSettings
    ),
    // C's conventions, plans, frames, kernels: the only target that uses the C, besides what `DynamicLibrary` loads with.
    .target(
      name: "CallFrames",
      dependencies: ["TypeEncodings", "CFFIShim"],
      swiftSettings: engineSettings
    ),
    // Signatures, values, boxes, invocations, libraries, closures, methods, forwarding, dispatchers.
    .target(
      name: "DynamicInvocation",
      dependencies: ["CallFrames", "TypeEncodings", "CFFIShim"],
      swiftSettings: engineSettings
    ),
    // Beside the engine is what only some need. The engine imports none of it; see EngineImportsTests.
    // A reader of C declarations, which become type encodings: no C, no unsafe code.
    .target(
      name: "DeclarationReading",
      dependencies: ["TypeEncodings"],
      swiftSettings: engineSettings
    ),
    // Headers, and functions, variables and closures by their declarations.
    .target(
      name: "CDeclarations",
      dependencies: ["DeclarationReading", "DynamicInvocation", "CallFrames", "TypeEncodings", "CFFIShim"],
      swiftSettings: engineSettings
    ),
    // Mangled names, symbol tables and the functions of a Swift library by name: no C, no unsafe code.
    .target(
      name: "SwiftSymbols",
      swiftSettings: engineSettings
    ),
    // Swift functions by name: types from symbols and metadata, Swift's convention and kernel.
    .target(
      name: "SwiftFunctions",
      dependencies: ["SwiftSymbols", "DynamicInvocation", "CallFrames", "TypeEncodings", "CFFIShim"],
      swiftSettings: engineSettings
    ),
    // The entries of replaced functions: assembly that only the next target needs.
    .target(
      name: "CFunctionReplacement",
      dependencies: ["CFFIShim"],
      publicHeadersPath: "include"
    ),
    // Closures and spies in the place of Swift functions, for tests.
    .target(
      name: "FunctionReplacement",
      dependencies: ["SwiftFunctions", "DynamicInvocation", "CallFrames", "TypeEncodings", "CFunctionReplacement"],
      swiftSettings: engineSettings
    ),
    // How the values of a call are passed, in words.
    .target(
      name: "CallExplanations",
      dependencies: ["CallFrames", "TypeEncodings"],
      swiftSettings: engineSettings
    ),
    // Calls as values that are stored, sent and undone.
    .target(
      name: "InvocationRecords",
      dependencies: ["DynamicInvocation"],
      swiftSettings: engineSettings
    ),
    // Objective-C's objects: calls, receivers, hooks and blocks, with the process's runtime or a library's.
    .target(
      name: "ObjectiveCMessages",
      dependencies: [
        "DynamicInvocation", "CallFrames", "TypeEncodings", .target(name: "DynamicInvocationFoundation", condition: apple),
      ],
      swiftSettings: engineSettings
    ),
    .target(
      name: "DynamicInvocationFoundation",
      dependencies: ["DynamicInvocation"],
      swiftSettings: engineSettings
    ),
    .target(
      name: "EventRouting",
      dependencies: ["DynamicInvocation", .product(name: "Logging", package: "swift-log")],
      swiftSettings: engineSettings
    ),
    .target(
      name: "EventRoutingFoundation",
      dependencies: ["EventRouting", "DynamicInvocationFoundation", "DynamicInvocation"],
      swiftSettings: engineSettings
    ),
    // The responder chain of UIKit and AppKit; on Linux only the table of its states.
    .target(
      name: "EventRoutingResponders",
      dependencies: ["EventRouting", "DynamicInvocation", "CallFrames", .target(name: "EventRoutingFoundation", condition: apple)],
      swiftSettings: engineSettings
    ),
    // Without the trait all three are there, and empty.
    .target(
      name: "InvocationMacros",
      dependencies: ["DynamicInvocation", .target(name: "InvocationMacrosPlugin", condition: macros)],
      swiftSettings: engineSettings
    ),
    .target(
      name: "EventRoutingMacros",
      dependencies: ["EventRouting", "DynamicInvocation", .target(name: "InvocationMacrosPlugin", condition: macros)],
      swiftSettings: engineSettings
    ),
    .macro(
      name: "InvocationMacrosPlugin",
      dependencies: ["DeclarationReading", "TypeEncodings"].map { .target(name: $0, condition: macros) }
        + ["SwiftSyntax", "SwiftSyntaxBuilder", "SwiftParser", "SwiftDiagnostics", "SwiftSyntaxMacros", "SwiftCompilerPlugin"].map {
          .product(name: $0, package: "swift-syntax", condition: macros)
        },
      swiftSettings: settings
    ),
    // Events on a page with a list, for the demo.
    .target(
      name: "ListPage", dependencies: ["DynamicInvocation", "EventRouting"], path: "Examples/list-page/Sources/ListPage",
      swiftSettings: settings),
    .executableTarget(
      name: "invocation-demo",
      dependencies: ["DynamicInvocation", "CDeclarations", "DynamicInvocationFoundation", "EventRouting", "ListPage"],
      path: "Examples/invocation-demo", swiftSettings: settings),
    // A malloc that counts, for executables that link it.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    // C compilers, tracked lifetimes and seeded randomness for the tests.
    .target(
      name: "TestSupport",
      dependencies: [
        "TypeEncodings", "DeclarationReading", "DynamicInvocation", "CallExplanations", "CDeclarations", "SwiftFunctions", "SwiftSymbols",
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    // Random C declarations and a slow model of their layout, for the tests and for the fuzzer.
    .target(name: "LayoutModel", dependencies: ["CDeclarations", "DynamicInvocation"], path: "Tests/LayoutModel", swiftSettings: settings),
    // Random event scripts and a slow model of routing, for the tests and for the fuzzer.
    .target(
      name: "EventRoutingModel", dependencies: ["EventRouting", "DynamicInvocation"], path: "Tests/EventRoutingModel",
      swiftSettings: settings),
    .testTarget(
      name: "DynamicInvocationTests",
      dependencies: [
        "DynamicInvocation", "CDeclarations", "SwiftFunctions", "CallExplanations", "InvocationRecords", "CallFrames",
        "TypeEncodings", "DeclarationReading", "CFFIShim", "TestSupport", "LayoutModel", "AllocationCounter",
      ],
      exclude: [
        "Boxing/boxes.txt", "Calling/placements.txt", "Encoding/encodings.txt", "Explanations/explanations.txt", "Messaging/records.txt",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "CDeclarationsTests",
      dependencies: [
        "CDeclarations", "DeclarationReading", "DynamicInvocation", "InvocationMacros", "TypeEncodings", "TestSupport", "LayoutModel",
      ],
      exclude: ["declarations.txt"],
      swiftSettings: testSettings),
    .testTarget(
      name: "SwiftFunctionsTests",
      dependencies: [
        "SwiftFunctions", "SwiftSymbols", "DynamicInvocation", "InvocationRecords", "CallFrames", "TypeEncodings", "TestSupport",
      ],
      exclude: ["Symbols/symbols.txt"],
      swiftSettings: testSettings),
    // What the tests of FunctionReplacement replace.
    .target(
      name: "Shop", path: "Tests/Shop",
      swiftSettings: replaceable),
    .testTarget(
      name: "FunctionReplacementTests",
      dependencies: ["FunctionReplacement", "SwiftFunctions", "DynamicInvocation", "TestSupport", "Shop"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ObjectiveCMessagesTests",
      dependencies: ["ObjectiveCMessages", "EventRouting", "EventRoutingResponders", "DynamicInvocation", "CallFrames", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "DynamicInvocationFoundationTests",
      dependencies: ["DynamicInvocationFoundation", "EventRoutingFoundation", "EventRouting", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "EventRoutingTests",
      dependencies: [
        "EventRouting", "DynamicInvocation", "TestSupport", "EventRoutingModel", "AllocationCounter",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "InvocationMacrosTests",
      dependencies: [.target(name: "InvocationMacrosPlugin", condition: macros), "TestSupport"] + swiftSyntax,
      exclude: ["expansions.txt"],
      swiftSettings: testSettings),
  ]
)
if !conformance.isEmpty {
  package.targets += conformance
  package.dependencies.append(.package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"))
}

// A test build would build its plugins, so it is only there where the documentation is built.
if Context.environment["DOCUMENTATION"] != nil {
  package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"))
}

// A build of some test targets only: `TEST_TARGETS=EventRoutingTests,CDeclarationsTests swift test`.
if let named = Context.environment["TEST_TARGETS"] {
  let kept = named.split(separator: ",").map(String.init)
  package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}
