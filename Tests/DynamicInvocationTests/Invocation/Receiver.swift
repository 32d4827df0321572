import DynamicInvocation

/// An object that no message can be sent to.
final class Methodless {}

/// An object that answers one message with a closure.
final class Receiver: Invocable {
  /// What `run` does with the argument; the result is returned without being retained.
  var body: (AnyObject?) -> AnyObject? = { $0 }
  /// What must stay alive after the body returned it.
  var kept: AnyObject?
  /// How often `run` was called.
  private(set) var calls = 0
  /// Whether the implementation says that it returns its object retained.
  var returnsRetained = false

  /// `-[Receiver run(_:)]`: an object in, an object out.
  static let types = "@@:@"

  func implementation(for selector: MethodSelector) -> Implementation? {
    guard selector == "run(_:)" else { return nil }
    let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> UnsafeRawPointer? = { receiver, _, argument in
      let receiver = Unmanaged<Receiver>.fromOpaque(receiver).takeUnretainedValue()
      receiver.calls += 1
      let result = receiver.body(argument.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() })
      guard let result else { return nil }
      if receiver.returnsRetained { return UnsafeRawPointer(Unmanaged.passRetained(result).toOpaque()) }
      receiver.kept = result
      return UnsafeRawPointer(Unmanaged.passUnretained(result).toOpaque())
    }
    return Implementation(function: code, returnsRetained: returnsRetained)
  }
}
