internal import DynamicInvocation

/// A responder of any class on the way of a pass, which does not keep it alive.
///
/// What ended stays in memory as long as this does, without anything that it held: it allocates no side table, as a `weak` variable would.
@safe
struct WeakResponder {
  /// The address of the object, to compare.
  let address: UnsafeRawPointer

  #if _runtime(_ObjC)
    private weak var responder: (any Responder)?
  #else
    private unowned let responder: any Responder
  #endif

  init(_ responder: any Responder) {
    unsafe address = UnsafeRawPointer(Unmanaged.passUnretained(responder as AnyObject).toOpaque())
    self.responder = responder
  }

  /// The responder, nil when it has ended.
  var node: (any Responder)? {
    #if _runtime(_ObjC)
      return responder
    #else
      guard unsafe WeakObject.tryRetain(address) else { return nil }
      let node = responder
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
      return node
    #endif
  }

  /// The object at the address of a reference like this one that is still there, nil when it has ended.
  static func object(at address: UnsafeRawPointer) -> AnyObject? {
    #if _runtime(_ObjC)
      // The pass that asks it keeps it.
      return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    #else
      return unsafe WeakObject.tryRetain(address) ? Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue() : nil
    #endif
  }
}
