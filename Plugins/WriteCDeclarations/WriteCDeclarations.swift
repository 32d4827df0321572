import Foundation
import PackagePlugin

/// `swift package write-c-declarations`: writes a Swift file with the declarations of a header.
@main
struct WriteCDeclarations: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "CDeclarationsWriter").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    if process.terminationReason != .exit || process.terminationStatus != 0 {
      Diagnostics.error("no declarations were written")
    }
  }
}
