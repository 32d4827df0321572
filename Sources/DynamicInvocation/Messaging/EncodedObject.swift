/// A class whose instances, and optionals of them, are encoded values of the type `@`.
///
///     extension View: EncodedObject {}
///
/// Subclasses inherit it. An object read as another class than its own or a superclass is an error. A result handed to C is retained for the
/// caller (+1).
public protocol EncodedObject: AnyObject, NullableValue {}

extension EncodedObject {
  /// `@`.
  public static var typeEncoding: TypeEncoding { ObjectReference.encoding }
  /// The kind of an object.
  @inlinable public static var valueKind: ValueKind { .object }
  /// True: the frame may hold on to the object.
  @inlinable @_documentation(visibility: internal)
  public static var mayOwn: Bool { true }
  /// True: Swift counts references to the object.
  @inlinable @_documentation(visibility: internal)
  public static var isCounted: Bool { true }

  /// Writes the reference, and retains the object when the frame is to keep it.
  @inlinable
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Unmanaged.passUnretained(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the reference; nil for null and for an object of another class.
  @inlinable
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> Self? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame))) else { return nil }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    if type(of: object) == Self.self { return unsafe unsafeDowncast(object, to: Self.self) }
    return object as? Self
  }

  /// The class.
  @inlinable @_documentation(visibility: internal)
  public static var objectClass: AnyClass? { Self.self }

  /// Returns whether the word is the address of an object whose class is that and no subclass of it.
  @inlinable @inline(__always)
  @_documentation(visibility: internal)
  public static func isValue(_ word: UInt64, of objectClass: UInt64) -> Bool {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return false }
    return unsafe Unmanaged<AnyObject>.fromOpaque(address)._withUnsafeGuaranteedRef {
      unsafe UInt64(UInt(bitPattern: unsafeBitCast(type(of: $0), to: UnsafeRawPointer.self))) == objectClass
    }
  }
}

/// An object that holds any Swift value: a dictionary, a closure, an array, a struct with references.
///
/// It takes a value that has no type encoding through an argument of the type `@`:
///
///     let done = SwiftValue { (count: Int) in print(count) }
///     try node.proxy.register("load") { (source: AnyObject?, done: SwiftValue<(Int) -> Void>) in done.value(3) }
///     cell.send("load", argument: .object(done))
///
/// Only a parameter of the very same type takes it: of another one, an object of this class is refused.
public final class SwiftValue<Value>: EncodedObject, CustomStringConvertible {
  /// The value.
  public let value: Value

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// The type of the value in the words of Swift, never the value itself.
  public var description: String { "SwiftValue<\(Value.self)>" }
}

// What messaging is made of, in a few words.

extension Implementation: CustomStringConvertible {
  /// The types: `implementation 'd@:q'`, or `implementation of unknown types`.
  public var description: String {
    methodSignature.map { "implementation '\($0.types.shortText.escaped)'" } ?? "implementation of unknown types"
  }
}

extension Closure: CustomStringConvertible {
  /// The types: `closure 'qq'`.
  public var description: String { "closure '\(methodSignature.types.shortText.escaped)'" }
}

extension IncomingCall {
  /// The types: `incoming call of 'qq'`.
  public var description: String { "incoming call of '\(methodSignature.types.shortText.escaped)'" }
}

extension MethodTable: CustomStringConvertible {
  /// The class, and how many methods it has itself: `method table of Controller, 3 methods`.
  ///
  /// - Complexity: O(1).
  public var description: String { "method table of \(type), " + ownMethods.count.counted("method") }
}

extension InvocableMethods: CustomStringConvertible {
  /// The class, and how many methods were named: `3 methods of Controller`.
  public var description: String {
    methods.count.counted("method") + " of \(type)" + (refused.isEmpty ? "" : ", \(refused.count) refused")
  }
}
