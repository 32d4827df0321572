import DynamicInvocation
import Synchronization

/// The functions of an Objective-C runtime, found with the dynamic linker: no header, no link dependency.
///
/// An object, a class, a method, a protocol and a selector are words: the addresses that the runtime gave them.
@safe
final class RuntimeFunctions: @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and the functions may be called on any thread.

  /// The runtimes, as far as they differ.
  enum Kind {
    case apple, libobjc2, gcc
  }

  typealias Word1 = @convention(c) (UInt) -> UInt
  typealias Word2 = @convention(c) (UInt, UInt) -> UInt
  typealias Test1 = @convention(c) (UInt) -> Int8
  typealias Test2 = @convention(c) (UInt, UInt) -> Int8

  let kind: Kind
  /// Kept loaded: its objects may live as long as the process.
  let library: DynamicLibrary

  let registerName: @convention(c) (UInt) -> UInt
  private let registerTypedName: (@convention(c) (UInt, UInt) -> UInt)?
  private let selectorName: @convention(c) (UInt) -> UInt
  private let lookUpClass: @convention(c) (UInt) -> UInt
  private let getProtocol: @convention(c) (UInt) -> UInt
  private let className: @convention(c) (UInt) -> UInt
  let instanceMethod: Word2
  let superclass: Word1
  let isMetaclass: Test1
  let classCode: Word2
  let respondsInClass: Test2
  private let methodTypes: @convention(c) (UInt) -> UInt
  let methodCode: Word1
  let methodName: Word1
  let setMethodCode: Word2
  private let addMethod: @convention(c) (UInt, UInt, UInt, UInt) -> Int8
  let addProtocol: Test2
  let allocateClass: @convention(c) (UInt, UInt, Int) -> UInt
  let registerClass: @convention(c) (UInt) -> Void
  let addVariable: @convention(c) (UInt, UInt, Int, UInt8, UInt) -> Int8
  let variable: @convention(c) (UInt, UInt) -> UInt
  let variableOffset: @convention(c) (UInt) -> Int
  private let copyMethods: @convention(c) (UInt, UInt) -> UInt
  private let copyDescriptions: @convention(c) (UInt, Int8, Int8, UInt) -> UInt
  private let copyProtocols: @convention(c) (UInt, UInt) -> UInt
  private let freeMemory: @convention(c) (UInt) -> Void
  private let lookUpCode: Word2?
  private let objectClass: Word1?
  private let arcRetain: Word1?
  private let arcRelease: Word1?
  private let arcAutorelease: Word1?
  private let pushPool: (@convention(c) () -> UInt)?
  private let popPool: Word1?
  private let ownSelectors: (retain: UInt, release: UInt, autorelease: UInt, responds: UInt)

  /// - Throws: `InvocationError` `symbolNotFound` if the library is no runtime and depends on none.
  init(_ library: DynamicLibrary) throws(InvocationError) {
    func find<Function>(_ name: String, _ type: Function.Type = Function.self) throws(InvocationError) -> Function {
      try unsafe unsafeBitCast(library.symbol(name), to: type)
    }
    func look<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? { try? find(name) }
    self.library = library
    registerName = try find("sel_registerName")
    registerTypedName = look("sel_registerTypedName")
    selectorName = try find("sel_getName")
    lookUpClass = try find("objc_lookUpClass")
    getProtocol = try find("objc_getProtocol")
    className = try find("class_getName")
    instanceMethod = try find("class_getInstanceMethod")
    superclass = try find("class_getSuperclass")
    isMetaclass = try find("class_isMetaClass")
    classCode = try find("class_getMethodImplementation")
    respondsInClass = try find("class_respondsToSelector")
    methodTypes = try find("method_getTypeEncoding")
    methodCode = try find("method_getImplementation")
    methodName = try find("method_getName")
    setMethodCode = try find("method_setImplementation")
    addMethod = try find("class_addMethod")
    addProtocol = try find("class_addProtocol")
    allocateClass = try find("objc_allocateClassPair")
    registerClass = try find("objc_registerClassPair")
    addVariable = try find("class_addIvar")
    variable = try find("class_getInstanceVariable")
    variableOffset = try find("ivar_getOffset")
    copyMethods = try find("class_copyMethodList")
    copyDescriptions = try find("protocol_copyMethodDescriptionList")
    copyProtocols = try find("protocol_copyProtocolList")
    freeMemory = try unsafe unsafeBitCast(DynamicLibrary.process.symbol("free"), to: (@convention(c) (UInt) -> Void).self)
    lookUpCode = look("objc_msg_lookup")
    objectClass = look("object_getClass")
    arcRetain = look("objc_retain")
    arcRelease = look("objc_release")
    arcAutorelease = look("objc_autorelease")
    pushPool = look("objc_autoreleasePoolPush")
    popPool = look("objc_autoreleasePoolPop")
    kind = arcRetain == nil ? .gcc : lookUpCode == nil ? .apple : .libobjc2
    let register = registerName
    func own(_ name: String) -> UInt { Self.withText(name, register) }
    ownSelectors = (own("retain"), own("release"), own("autorelease"), own("respondsToSelector:"))
  }

  // MARK: The runtime of the process

  private static let named: Atomic<UInt> = Atomic(0)

  /// The runtime; nil before one was named.
  static var known: RuntimeFunctions? {
    #if canImport(ObjectiveC)
      if named.load(ordering: .acquiring) == 0 { _ = try? use(.process) }
    #endif
    return unsafe UnsafeRawPointer(bitPattern: named.load(ordering: .acquiring)).map {
      unsafe Unmanaged<RuntimeFunctions>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The runtime; there is one as soon as there is an object.
  static var current: RuntimeFunctions {
    guard let known else { preconditionFailure("name the runtime's library first: ObjectiveCRuntime.use(_:)") }
    return known
  }

  static func use(_ library: DynamicLibrary) throws(InvocationError) {
    let functions = try RuntimeFunctions(library)
    // Never released: the functions are used as long as the process runs.
    let retained = unsafe Unmanaged.passRetained(functions)
    let (isFirst, _) = named.compareExchange(
      expected: 0, desired: UInt(bitPattern: unsafe retained.toOpaque()), ordering: .acquiringAndReleasing)
    if !isFirst { unsafe retained.release() }
  }
}

extension RuntimeFunctions {
  /// The dialect of the runtime's type encodings.
  var dialect: TypeEncoding.Dialect { kind == .apple ? .next : .gnu }

  /// Calls a function with the address of a text.
  static func withText<Result>(_ text: String, _ body: (UInt) -> Result) -> Result {
    unsafe text.withCString { body(UInt(bitPattern: $0)) }
  }

  /// Returns the text at an address, or nil for null.
  static func text(_ address: UInt) -> String? {
    unsafe UnsafePointer<CChar>(bitPattern: address).map { unsafe String(cString: $0) }
  }

  func selector(_ name: String) -> UInt { Self.withText(name, registerName) }

  /// A selector with types, which forwarding by gcc's runtime needs.
  func selector(_ name: String, types: String) -> UInt {
    guard kind == .gcc, let registerTypedName else { return selector(name) }
    return Self.withText(name) { name in Self.withText(types) { registerTypedName(name, $0) } }
  }

  func name(ofSelector selector: UInt) -> String { Self.text(selectorName(selector)) ?? "" }

  /// A word that is the same for all selectors of a name: gcc's runtime and libobjc2 have one for each type.
  func identity(ofSelector selector: UInt) -> UInt {
    switch kind {
    case .apple: selector
    case .gcc: selector == 0 ? 0 : Self.load(selector)
    // There two selectors of one name differ in their first words.
    case .libobjc2: selector == 0 ? 0 : registerName(selectorName(selector))
    }
  }

  func type(named name: String) -> UInt { Self.withText(name, lookUpClass) }
  func protocolNamed(_ name: String) -> UInt { Self.withText(name, getProtocol) }
  func name(ofClass type: UInt) -> String { Self.text(className(type)) ?? "" }
  func types(ofMethod method: UInt) -> String? { method == 0 ? nil : Self.text(methodTypes(method)) }

  /// Adds a method to a class; returns false if the class itself has it already.
  @discardableResult
  func addMethod(_ type: UInt, _ selector: UInt, _ code: UInt, types: String) -> Bool {
    Self.withText(types) { addMethod(type, selector, code, $0) != 0 }
  }

  /// The class of an object as the runtime sees it: of a class its metaclass, of an observed object the hidden subclass.
  @inline(__always)
  func type(of object: UInt) -> UInt {
    // A header has it in gcc's runtime, which has no tagged pointers.
    if let objectClass { return objectClass(object) }
    return Self.load(object)
  }

  func isClass(_ object: UInt) -> Bool { isMetaclass(type(of: object)) != 0 }

  /// The code that a message runs, which may be the runtime's code that forwards; may send `+initialize` and
  /// `+resolveInstanceMethod:`.
  @inline(__always)
  func code(_ object: UInt, _ selector: UInt) -> UInt {
    if let lookUpCode { return lookUpCode(object, selector) }
    return classCode(type(of: object), selector)
  }

  @inline(__always)
  static func load(_ address: UInt) -> UInt { unsafe UnsafePointer<UInt>(bitPattern: address).unsafelyUnwrapped.pointee }

  @discardableResult
  func send(_ object: UInt, _ selector: UInt) -> UInt {
    unsafe unsafeBitCast(code(object, selector), to: Word2.self)(object, selector)
  }

  func send(_ object: UInt, _ selector: UInt, _ argument: UInt) -> UInt {
    unsafe unsafeBitCast(code(object, selector), to: (@convention(c) (UInt, UInt, UInt) -> UInt).self)(object, selector, argument)
  }

  func retain(_ object: UInt) {
    if let arcRetain { _ = arcRetain(object) } else { send(object, ownSelectors.retain) }
  }

  func release(_ object: UInt) {
    if let arcRelease { _ = arcRelease(object) } else { send(object, ownSelectors.release) }
  }

  func autorelease(_ object: UInt) {
    if let arcAutorelease { _ = arcAutorelease(object) } else { send(object, ownSelectors.autorelease) }
  }

  /// Asks an object whether it responds.
  func responds(_ object: UInt, _ selector: UInt) -> Bool { send(object, ownSelectors.responds, selector) & 0xFF != 0 }

  /// Runs a closure with an autorelease pool of its own.
  func withPool<Result>(_ body: () throws -> Result) rethrows -> Result {
    if let pushPool, let popPool {
      let pool = pushPool()
      defer { _ = popPool(pool) }
      return try body()
    }
    let type = type(named: "NSAutoreleasePool")
    guard type != 0 else { return try body() }
    let pool = send(send(type, selector("alloc")), selector("init"))
    defer { release(pool) }
    return try body()
  }

  // MARK: Lists

  /// Copies the words of a list.
  ///
  /// The function returns the list's address and stores the number of elements.
  ///
  /// - Parameter size: The number of words of an element.
  private func list(_ size: Int = 1, _ copy: (UInt) -> UInt) -> [UInt] {
    var count: UInt32 = 0
    let address = unsafe withUnsafeMutablePointer(to: &count) { copy(UInt(bitPattern: $0)) }
    guard let memory = unsafe UnsafePointer<UInt>(bitPattern: address) else { return [] }
    defer { freeMemory(address) }
    return unsafe Array(UnsafeBufferPointer(start: memory, count: size * Int(count)))
  }

  /// The names of the methods of a class and its superclasses.
  func methodNames(of type: UInt) -> [String] {
    var names: [String] = []
    var next = type
    while next != 0 {
      names += list { copyMethods(next, $0) }.map { name(ofSelector: methodName($0)) }
      next = superclass(next)
    }
    return names
  }

  /// The methods of a protocol and of those that it inherits, with their types.
  func methods(ofProtocol type: UInt) -> [(name: String, types: String)] {
    var methods: [(name: String, types: String)] = []
    for isRequired: Int8 in [1, 0] {
      // struct objc_method_description { SEL name; char *types; }
      let words = list(2) { copyDescriptions(type, isRequired, 1, $0) }
      for index in stride(from: 0, to: words.count, by: 2) {
        guard words[index] != 0, let types = Self.text(words[index + 1]) else { continue }
        methods.append((name(ofSelector: words[index]), types))
      }
    }
    return methods + list { copyProtocols(type, $0) }.flatMap { self.methods(ofProtocol: $0) }
  }
}
