import SwiftFunctions
import InvocationRecords
import PluginInterface

/// A library with plugins, and the calls that were made.
final class PluginHost {
  private let library: SwiftLibrary
  private let plugin: any Plugin
  private let undoStack = InvocationUndoStack()

  /// Opens a library and creates its plugin.
  init(_ path: String) throws {
    // No function of a plugin consumes its target or is isolated, as the interface demands.
    library = try unsafe SwiftLibrary(path).trusting(.declarations)
    let types = try library.conformers(of: (any Plugin).self).compactMap { $0 as? any Plugin.Type }
    guard let type = types.first else { throw HostError("\(path) has no plugin") }
    plugin = type.init()
  }

  /// The plugin, and the functions of the library.
  func list() throws {
    print("plugin '\(plugin.name)'")
    for function in try library.functions().sorted() { print("  \(function)") }
  }

  /// Takes a step, and prints what was called.
  func take(_ step: Step) throws {
    if let name = step.call {
      let call = try makeCall(name, step.arguments)
      try call.invoke()
      if let inverse = step.inverse, let name = inverse.call { undoStack.register(try makeCall(name, inverse.arguments)) }
      print(call)
    } else if let name = step.set, let value = step.to {
      let (getter, setter) = (try library.function(name), try library.setter(name))
      let former = try getter.call([plugin])
      let call = try setter.makeInvocation(arguments: [plugin, value.any])
      try call.invoke()
      undoStack.register(try setter.makeInvocation(arguments: [plugin, former]))
      print(call)
    } else if step.undo == true {
      print(try undoStack.undo() ? "undone" : "nothing to undo")
    }
  }

  /// Returns a call of a function; a method is called on the plugin.
  private func makeCall(_ name: String, _ arguments: [JSONValue]?) throws -> SwiftInvocation {
    let function = try library.function(name)
    let isMethod = function.argumentTypes.first.map { $0 == type(of: plugin) } ?? false
    return try function.makeInvocation(arguments: (isMethod ? [plugin] : []) + (arguments ?? []).map(\.any))
  }
}

/// An error of the host.
struct HostError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
