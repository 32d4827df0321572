internal import CallFrames
internal import SwiftSymbols
public import TypeEncodings

/// The methods of a class that its library exports, as `MethodTable.addExported(trusting:)` found them.
public struct ExportedMethods: Sendable {
  /// A method that answers to a selector now.
  public struct Method: Sendable {
    /// The selector: the name with the labels, as in `area(_:in:)`; for a property `title` and `setTitle(_:)`.
    public let selector: MethodSelector
    /// The types of a message with the selector.
    public let methodSignature: MethodSignature
    /// The declaration with its Swift types.
    public let declaration: String
  }

  /// A member that answers to no selector.
  public struct Refusal: Sendable {
    /// The declaration with its Swift types.
    public let declaration: String
    /// The reason.
    public let error: InvocationError

    package init(declaration: String, error: InvocationError) {
      self.declaration = declaration
      self.error = error
    }
  }

  /// The methods that were added, a superclass's first.
  public internal(set) var added: [Method] = []
  /// The members that were not added, each with the reason.
  public internal(set) var refused: [Refusal] = []
}

extension ExportedMethods: CustomStringConvertible {
  /// The numbers of methods: `3 methods, 1 refused`.
  public var description: String { added.count.counted("method") + (refused.isEmpty ? "" : ", \(refused.count) refused") }
}

extension ExportedMethods.Method: CustomStringConvertible {
  /// The selector and the declaration: `area(in:): Plugin.Page.area(in: Plugin.Rect) -> Swift.Double`.
  public var description: String { "\(selector): \(declaration)" }
}

extension ExportedMethods.Refusal: CustomStringConvertible {
  /// The declaration and the reason.
  public var description: String { "\(declaration): \(error.reason)" }
}

// MARK: - Exported

extension MethodTable {
  /// Makes the methods that the library of the class exports answer to selectors, without a registration of each.
  ///
  ///     let methods = try unsafe MethodTable.of(Page.self).addExported(trusting: .declarations)
  ///     for method in methods.added { print(method) }
  ///
  /// A method has the selector of its name and labels, `area(_:in:)`; a property has `title` and, if it can be set,
  /// `setTitle(_:)`. Types that are `EncodedValue` are passed as such. Any other is passed as `@`: an object as it is,
  /// and a value, such as an array or a returned string, as a `SwiftValue`. An overridable method is called as the
  /// class of the target implements it. What a method throws is thrown.
  ///
  /// The exported methods of superclasses are added to their tables. Methods that a table has already are kept. Only the
  /// public members of a class are exported; a program exports them only if it is linked with `-Xlinker -export-dynamic`.
  ///
  /// The same is refused as by ``SwiftLibrary/function(_:isVirtual:)``. Messages reach the methods on any thread, and a
  /// symbol states neither that a method is of the main actor nor that it consumes its target.
  ///
  /// - Parameter promises: What the caller states of all methods, such as `.declarations`: they are called on the actor
  ///   that they are isolated to, and none of them is declared `consuming`.
  /// - Returns: The methods that were added, and the members that were not, with the reasons: initializers, static
  ///   members, subscripts, overloads of one selector, `inout` parameters, members of actors, and all functions that
  ///   ``SwiftLibrary/function(_:isVirtual:)`` refuses.
  /// - Throws: `InvocationError` `unsupportedType` for a generic class; `libraryNotFound` if the file of the library
  ///   cannot be read, and on platforms whose libraries are not ELF files.
  /// - Complexity: Reads the symbols of the library, about 10 µs for each of its functions, and creates a closure for
  ///   each method.
  @unsafe @discardableResult
  public func addExported(trusting promises: SwiftLibrary.Promises) throws(InvocationError) -> ExportedMethods {
    try LoadedLibrary.requirePlatform("\(type)")
    guard let descriptor = SwiftMetadata(type).descriptor, !descriptor.isGeneric else {
      throw InvocationError(.unsupportedType, "the class \(type) is generic, and the symbols of its methods do not state its types")
    }
    var members: [(table: MethodTable, symbols: SwiftLibrarySymbols, entries: [SwiftSymbolIndex.Entry])] = []
    var table: MethodTable? = self
    while let next = table {
      if let (symbols, entries) = try next.exportedMembers() { members.append((next, symbols, entries)) }
      table = next.superclassTable
    }
    var methods = ExportedMethods()
    var inherited: Set<String> = []
    for (table, symbols, entries) in members.reversed() {
      let counts = Dictionary(grouping: entries.compactMap { try? $0.selector() }, by: { $0 }).mapValues(\.count)
      for entry in entries {
        do throws(InvocationError) {
          let name = try entry.selector()
          // An override is called by the method that it overrides.
          guard !inherited.contains(name) else { continue }
          guard counts[name] == 1 else {
            throw InvocationError(
              .duplicateMethod, "\(table.type) has several methods with the selector '\(name)', which differ in their types only")
          }
          let function = try SwiftFunction(symbols.resolve(entry), trusting: promises, keeping: symbols.library)
          guard let method = try table.add(MethodSelector(name), function, entry.declaration) else { continue }
          methods.added.append(method)
        } catch {
          methods.refused.append(ExportedMethods.Refusal(declaration: entry.declaration, error: error))
        }
      }
      inherited.formUnion(counts.keys)
    }
    return methods
  }

  /// Adds a method; nil if the table has one.
  private func add(
    _ selector: MethodSelector, _ function: SwiftFunction, _ declaration: String
  ) throws(InvocationError) -> ExportedMethods.Method? {
    guard ownMethod(for: selector) == nil else { return nil }
    let implementation = try Implementation(exported: function, of: type)
    try add(selector, implementation)
    return implementation.methodSignature.map { ExportedMethods.Method(selector: selector, methodSignature: $0, declaration: declaration) }
  }

  /// The members of the class that its library exports; nil for a generic class, and if the library exports no Swift functions.
  private func exportedMembers() throws(InvocationError) -> (SwiftLibrarySymbols, [SwiftSymbolIndex.Entry])? {
    let owner = SwiftIdentifier.path(_typeName(type, qualified: true))
    guard let descriptor = SwiftMetadata(type).descriptor, !descriptor.isGeneric,
      let library = try unsafe DynamicLibrary.containing(descriptor.address), let module = owner.first?.source
    else { return nil }
    let symbols = SwiftLibrarySymbols(library)
    let entries = try symbols.contents().index.entries
    return (symbols, entries.filter { $0.module == module && $0.path.dropLast().elementsEqual(owner.dropFirst()) })
  }
}

extension SwiftSymbolIndex.Entry {
  /// The selector of a member of a class.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason if it has none.
  fileprivate func selector() throws(InvocationError) -> String {
    func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason) }
    if kind == .initializer { throw refused("an initializer has no object as its target") }
    if isStatic { throw refused("a static member has no object as its target") }
    guard let own = path.last else { throw refused("it has no name") }
    let name = own.isEscaped ? own.text : own.source
    switch kind {
    case .function: return name + labels
    case .getter: return name
    case .setter: return "set" + name.prefix(1).uppercased() + name.dropFirst() + "(_:)"
    default: throw refused("a subscript has no selector")
    }
  }
}

// MARK: - Exported

extension Implementation {
  /// Creates the implementation of a method that calls a Swift function with the target and the arguments.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a parameter that is `inout`, and as a closure does.
  init(exported function: SwiftFunction, of type: AnyClass) throws(InvocationError) {
    let method = try ExportedMethod(function)
    let code = try Implementation(type, method.parameters.map(\.encoded), returning: method.result?.encoded, mayThrow: true) {
      frame, body in
      body.run(frame, from: 2, mayThrow: true) { try method.call(frame, body) }
    }
    let owner = MethodOwner(targetType: type, keeping: code.owner, valueTypes: method.parameters.map(\.type.type))
    unsafe self.init(
      code.pointer, methodSignature: code.methodSignature, returnsRetained: true, mayThrow: true, isMethod: true, keeping: owner)
  }
}

/// A Swift method that is called with the arguments of a message.
private final class ExportedMethod: Sendable {
  let function: SwiftFunction
  /// The parameters after the target.
  let parameters: [ExportedValue]
  /// The result, or nil for none.
  let result: ExportedValue?

  init(_ function: SwiftFunction) throws(InvocationError) {
    self.function = function
    let plan = function.plan
    for index in 1..<max(1, plan.count) where unsafe plan.slots[index].isInOut {
      throw InvocationError(.unsupportedType, "the parameter is inout, and a message has no variables", argument: .index(index))
    }
    let types = (1..<max(1, plan.count)).map { unsafe plan.slots[$0].value }
    parameters = types.map { ExportedValue($0, isResult: false) }
    result = plan.result.type == Void.self ? nil : ExportedValue(plan.result, isResult: true)
  }

  /// Makes the call of a frame whose target is an object of the class.
  ///
  /// - Throws: `InvocationError` for an argument of another type, and what the method throws.
  func call(_ frame: IncomingFrame, _ body: ClosureBody) throws {
    let plan = function.plan
    let offsets = plan.layout.valueOffsets
    try unsafe withUnsafeTemporaryAllocation(byteCount: max(8, plan.layout.valuesSize), alignment: plan.layout.valuesAlignment) { block in
      let memory = unsafe block.baseAddress.unsafelyUnwrapped
      var count = 0
      defer {
        for index in 1..<count + 1 { unsafe plan.slots[index].value.destroy(memory + offsets[index]) }
      }
      // The target is borrowed: the sender of the message keeps it alive.
      let target = unsafe UInt(body.slots[0].word(of: UnsafeRawPointer(frame.memory)))
      unsafe memory.storeBytes(of: target, as: UInt.self)
      for (index, parameter) in parameters.enumerated() {
        let (slot, value) = unsafe (FrameSlot(inOnePiece: body.slots[index + 2]), memory + offsets[index + 1])
        try unsafe parameter.load(from: slot, of: frame.memory, index: index + 2, to: value)
        count += 1
      }
      try unsafe plan.perform(memory, isInPlace: false) { value in
        if let result { unsafe result.answer(value, to: frame, body) }
      }
    }
  }
}

/// The type of an argument or result of a Swift method, and how it is passed in a message.
private struct ExportedValue: Sendable {
  /// The type of the method.
  let type: SwiftMetadata
  /// Whether values are passed as they are, and not as an object.
  let isEncoded: Bool

  init(_ type: SwiftMetadata, isResult: Bool) {
    self.type = type
    // A string that is returned to C would have no owner.
    isEncoded = type.type is any EncodedValue.Type && !(isResult && type.type == String.self)
  }

  /// The type in the message.
  var encoded: any EncodedValue.Type {
    if isEncoded, let encoded = type.type as? any EncodedValue.Type { return encoded }
    return unsafe Unmanaged<AnyObject>?.self
  }

  /// Reads an argument and initializes memory with it.
  ///
  /// - Throws: `InvocationError` `typeMismatch` or `nullNotAllowed` for an argument that is no value of the type.
  @unsafe
  func load(from slot: FrameSlot, of frame: UnsafeMutableRawPointer, index: Int, to memory: UnsafeMutableRawPointer) throws {
    let frame = UnsafeRawPointer(frame)
    if isEncoded, let encoded = type.type as? any EncodedValue.Type {
      func load<Value: EncodedValue>(_: Value.Type) throws {
        guard let value = unsafe Value.load(from: slot, of: frame) else {
          throw unsafe slot.unreadable(in: frame, .index(index), as: Value.self)
        }
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
      }
      return try load(encoded)
    }
    let object = unsafe ObjectReference.object(in: slot, of: frame)
    func load<Value>(_: Value.Type) throws {
      guard let value = Self.value(of: object, as: Value.self) else {
        let given = object.map { "an object of the class \(Swift.type(of: $0))" } ?? "null"
        throw InvocationError(
          .typeMismatch, "\(given) is not \(type.name), nor a SwiftValue of it", argument: .index(index))
      }
      unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
    }
    try _openExistential(type.type, do: load)
  }

  private static func value<Value>(of object: AnyObject?, as _: Value.Type) -> Value? {
    if let boxed = object as? SwiftValue<Value> { return boxed.value }
    // Null converts to an optional only.
    guard let object else { return (AnyObject?.none as Any) as? Value }
    return DynamicConversion.convert((object as? any ValueWrapper)?.wrapped ?? object, to: Value.self)
  }

  /// Moves the result of the method to the frame.
  @unsafe
  func answer(_ value: UnsafeMutableRawPointer, to frame: IncomingFrame, _ body: ClosureBody) {
    if isEncoded, let encoded = type.type as? any EncodedValue.Type {
      func answer<Value: EncodedValue>(_: Value.Type) {
        body.answer(unsafe value.assumingMemoryBound(to: Value.self).move(), to: frame)
      }
      return answer(encoded)
    }
    if type.isObject {
      // The reference is moved. It is the first word, before the witness tables of an existential type.
      let object = unsafe value.load(as: UnsafeRawPointer?.self).map { unsafe Unmanaged<AnyObject>.fromOpaque($0) }
      return unsafe body.answer(object, to: frame)
    }
    func wrap<Value>(_: Value.Type) -> AnyObject { SwiftValue(unsafe value.assumingMemoryBound(to: Value.self).move()) }
    let object: Unmanaged<AnyObject>? = unsafe .passRetained(_openExistential(type.type, do: wrap))
    unsafe body.answer(object, to: frame)
  }
}

extension SwiftMetadata {
  /// Whether values are objects, or optional objects.
  fileprivate var isObject: Bool {
    switch kind {
    case .object: true
    // The flag of existential types that no struct conforms to is inverted.
    case .existential: half(8) & 0x8000_0000 == 0
    case .optional: metadata(2)?.isObject ?? false
    default: false
    }
  }
}
