#if Macros
  /// Makes the methods of a class invocable by selector, at the speed of a C function.
  ///
  ///     @Invocable final class Controller {
  ///       func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) -> Bool { ... }   // "tapped(_:tag:frame:)"
  ///       @NotInvocable func sorted(by areInOrder: (Int, Int) -> Bool) { ... }
  ///     }
  ///
  ///     let invocation = Invocation(try MethodSignature(types: "B@:@q{Rect={Point=dd}{Size=dd}}"))
  ///     invocation.target = controller
  ///     invocation.selector = "tapped(_:tag:frame:)"
  ///
  /// Each instance method in the body of the class gets a thunk, a function with the C calling convention that calls
  /// it. The method is in the ``/DynamicInvocation/MethodTable`` of the class from the start. Its selector is its full
  /// Swift name. ``/DynamicInvocation/Invocation/invoke()`` throws the errors that the method throws.
  ///
  /// Parameters and results are numbers, `Bool`, the geometry, pointers, selectors, objects of classes that are
  /// ``/DynamicInvocation/EncodedObject``, optionals of pointers and objects, and types that conform to
  /// `_CRepresentable`; a `String` only as a parameter. A method with other types, or one that is
  /// generic or asynchronous, does not compile until it is excluded by ``NotInvocable()``. It can still be added to the
  /// table with a closure.
  ///
  /// ## Members without a selector
  ///
  /// The macro silently omits private and fileprivate methods, `static` and `class` methods, methods marked
  /// unavailable, initializers, subscripts and properties, and all members of extensions, which the macro does not see.
  ///
  /// ## Inheritance
  ///
  /// A subclass inherits the selectors. An override is called whether or not the subclass is `@Invocable`. The subclass
  /// needs the attribute for methods of its own. A method that the superclass excludes becomes invocable in a subclass
  /// that overrides it, unless the subclass excludes it too. The class may not be generic.
  ///
  /// ## Actors
  ///
  /// A method of the main actor (`@MainActor` is written before it or its class) may only be invoked on the main actor.
  /// On other threads it traps: a message does not wait. Methods of other global actors do not compile.
  @attached(member, conformances: _InvocableClass, names: named(invocableMethods))
  @attached(extension, conformances: _InvocableClass)
  public macro Invocable() = #externalMacro(module: "InvocationMacrosPlugin", type: "InvocableMacro")

  /// Excludes a method from the methods that ``Invocable()`` makes invocable by selector.
  @attached(peer)
  public macro NotInvocable() = #externalMacro(module: "InvocationMacrosPlugin", type: "NotInvocableMacro")
#endif
