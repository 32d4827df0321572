import DynamicInvocation
import TestSupport

#if arch(x86_64) || arch(arm64)
  /// Names another object for each message.
  final class Relay: Forwarding {
    var next: AnyObject?
    private(set) var asked = 0
    init(_ next: AnyObject? = nil) { self.next = next }
    func forwardingTarget(for selector: MethodSelector) -> AnyObject? {
      asked += 1
      return next
    }
  }

  /// The ways of a message to an object that answers it: objects that name the next one, and proxies, which make an invocation of it.
  enum ForwardingWay: CaseIterable {
    case target, twoTargets, invocation, targetAndInvocation

    func target(_ object: AnyObject) -> AnyObject {
      switch self {
      case .target: Relay(object)
      case .twoTargets: Relay(Relay(object))
      case .invocation: InvocationProxy(target: object)
      case .targetAndInvocation: Relay(InvocationProxy(target: object))
      }
    }
  }
#endif

/// An object that an invocation may pass by its type, whose life is counted.
final class Tracked: EncodedObject {
  let object: LifetimeTracked
  init(_ object: LifetimeTracked) { self.object = object }
}

/// An error that tells who threw it.
struct Refusal: Error, Equatable {
  var number: Int = 0
}
