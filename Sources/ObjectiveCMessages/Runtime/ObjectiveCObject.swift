public import DynamicInvocation

#if canImport(ObjectiveC)
  public import ObjectiveC

  /// An Objective-C object: on Apple's platforms the object itself.
  public typealias ObjectiveCObject = NSObject

  extension NSObject {
    /// The object as a word of the runtime.
    final var word: UInt { UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the object at an address, or nil for null; takes over a retained reference.
    static func adopting(_ word: UInt, isRetained: Bool) -> NSObject? {
      guard let address = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
      let reference = unsafe Unmanaged<NSObject>.fromOpaque(address)
      return unsafe isRetained ? reference.takeRetainedValue() : reference.takeUnretainedValue()
    }
  }
#else
  /// An Objective-C object: a strong reference to it, which the runtime counts.
  ///
  /// On Apple's platforms this name stands for `NSObject`, so that the same source works there. Two references to one
  /// object are equal; they are not the same Swift object.
  @safe
  public final class ObjectiveCObject: EncodedObject, Hashable, CustomStringConvertible {
    /// The object as a word of the runtime.
    let word: UInt
    private let isCounted: Bool

    /// - Parameter isCounted: False for a metaclass, which gcc's runtime does not count.
    init(_ word: UInt, isCounted: Bool = true) {
      self.word = word
      self.isCounted = isCounted
    }

    /// Returns a reference to the object at an address, or nil for null; takes over a retained reference.
    static func adopting(_ word: UInt, isRetained: Bool) -> ObjectiveCObject? {
      guard word != 0 else { return nil }
      if !isRetained { RuntimeFunctions.current.retain(word) }
      return ObjectiveCObject(word)
    }

    deinit {
      if isCounted { RuntimeFunctions.current.release(word) }
    }

    /// Returns whether both refer to the same object.
    public static func == (left: ObjectiveCObject, right: ObjectiveCObject) -> Bool { left.word == right.word }

    /// Feeds the address of the object into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }

    /// The class, and the address: `<Page: 0x55d0c8a0>`.
    ///
    /// The object is not asked.
    public var description: String { "<\(foreignClassName): 0x\(String(word, radix: 16))>" }
  }
#endif

extension ObjectiveCObject {
  /// Creates a reference to the object at an address, which it retains; nil for null.
  ///
  /// - Parameter pointer: The address of an object or a class. Nothing can check that there is one.
  @unsafe
  public static func at(_ pointer: UnsafeRawPointer?) -> ObjectiveCObject? {
    adopting(UInt(bitPattern: pointer), isRetained: false)
  }

  /// The address of the object, which is valid while the object is alive.
  public var objectPointer: UnsafeMutableRawPointer {
    guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: word) else { preconditionFailure("an object has an address") }
    return unsafe pointer
  }
}

/// What is a target of messages here: an object, or an object whose superclass's methods are called.
protocol MessageTarget: AnyObject {
  /// The object.
  var word: UInt { get }

  /// Returns the message of a selector, or nil if the object does not respond.
  func message(for selector: MethodSelector) -> ObjectiveCMessage?
}

extension ObjectiveCObject: Invocable, ForeignTarget, MessageTarget {
  /// Returns the code that sends the message, or nil if the object does not respond to the selector.
  ///
  /// - Parameter selector: Objective-C's name, or the Swift name of an `@objc` method: `areaOf:scale:`, `area(of:scale:)`.
  /// - Complexity: O(1) if an object of the class was asked before.
  public func implementation(for selector: MethodSelector) -> Implementation? { message(for: selector)?.implementation }

  func message(for selector: MethodSelector) -> ObjectiveCMessage? { MessageTable.message(to: word, selector) }

  package var foreignClassName: String {
    let runtime = RuntimeFunctions.current
    return runtime.name(ofClass: runtime.isClass(word) ? word : runtime.type(of: word))
  }

  package func unrecognized(_ selector: MethodSelector) -> InvocationError {
    let runtime = RuntimeFunctions.current
    let kind = runtime.isClass(word) ? "the class " : ""
    return selector.unrecognized("\(kind)\(foreignClassName) does not respond to", among: runtime.methodNames(of: runtime.type(of: word)))
  }
}

/// An object whose superclass's methods are called: `[super message]`.
///
///     let invocation = try Invocation(target: ObjectiveCSuper(page, above: pageClass), selector: "area")
@safe
public final class ObjectiveCSuper: Invocable, EncodedObject, ForeignTarget, MessageTarget {
  /// The object.
  public let object: ObjectiveCObject
  let superclass: UInt

  var word: UInt { object.word }

  /// Creates a target whose methods are those above a class.
  ///
  /// - Parameters:
  ///   - object: The receiver.
  ///   - type: The class whose superclass has the methods, such as the class in whose method `super` is written.
  public init(_ object: ObjectiveCObject, above type: ObjectiveCObject) {
    self.object = object
    superclass = RuntimeFunctions.current.superclass(type.word)
  }

  /// Returns the code that sends the message, or nil if the superclass has no such method.
  public func implementation(for selector: MethodSelector) -> Implementation? { message(for: selector)?.implementation }

  func message(for selector: MethodSelector) -> ObjectiveCMessage? {
    superclass == 0 ? nil : MessageTable.message(superclass, selector, isSuper: true)
  }

  package var foreignClassName: String { superclass == 0 ? "nil" : RuntimeFunctions.current.name(ofClass: superclass) }

  package func unrecognized(_ selector: MethodSelector) -> InvocationError {
    selector.unrecognized("\(foreignClassName) does not respond to", among: RuntimeFunctions.current.methodNames(of: superclass))
  }
}

/// Memory for an object that a method returns through a pointer, such as `NSError **`.
///
///     let error = ObjectiveCReference()
///     let isSaved: Bool = try Invocation.send(document, "saveTo:error:", path, error)
///     if !isSaved { print(error.object) }
@safe
public final class ObjectiveCReference: _CallArgument {
  /// The address of the memory, for an argument of type `^@`.
  public let pointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// Creates memory for one object, which is nil.
  public init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: nil)
  }

  deinit { unsafe pointer.deallocate() }

  /// The object that a method stored; the memory does not own it: read it before the autorelease pool ends.
  public var object: ObjectiveCObject? { unsafe ObjectiveCObject.at(pointer.pointee) }

  /// Writes the address as the next argument of a call.
  @unsafe
  public func write(to frame: inout FrameWriter) { unsafe pointer.write(to: &frame) }
}
