/// A class that says itself which of its methods can be called by selector.
///
/// The macro `@Invocable` of the module InvocationMacros makes a class one. Its methods are in its ``MethodTable`` from the start: nothing
/// has to be registered before the first message.
///
/// The conformance is inherited; a subclass that overrides nothing has no further methods in its own table.
public protocol InvocableClass: AnyObject, SendableMetatype {
  /// The methods of the class itself, without those of its superclasses.
  ///
  /// Asked for when the class's table is made; twice if two threads make it at once.
  static var invocableMethods: InvocableMethods { get }
}
