#if Macros
  /// Makes the methods of a class invocable by selector, at the speed of a C function.
  ///
  ///     @Invocable final class Controller {
  ///       func tapped(_ source: View?, tag: Int, frame: Rect) -> Bool { ... }   // "tapped(_:tag:frame:)"
  ///       @NotInvocable func sorted(by areInOrder: (Int, Int) -> Bool) { ... }
  ///     }
  ///
  ///     let invocation = Invocation(try MethodSignature(types: "B@:@q{Rect={Point=dd}{Size=dd}}"))
  ///     invocation.target = controller
  ///     invocation.selector = "tapped(_:tag:frame:)"
  ///
  /// Each instance method in the body of the class gets a thunk, a function of C's calling convention that calls it, and is in the
  /// ``/DynamicInvocation/MethodTable`` of the class from the start. Its selector is Swift's full name for it. What it throws comes out of
  /// ``/DynamicInvocation/Invocation/invoke()``.
  ///
  /// Parameters and results are numbers, `Bool`, the geometry, pointers, selectors, objects of classes that are
  /// ``/DynamicInvocation/EncodedObject``, optionals of pointers and objects, and what is made a ``/DynamicInvocation/ThunkConvertible``; a `String`
  /// only as a parameter. A method with others, or that is generic or asynchronous, does not compile until it is excluded by
  /// ``NotInvocable()``; it can still be added to the table with a closure.
  ///
  /// ## What has no selector
  ///
  /// Left out without a word are private and fileprivate methods, methods of the class rather than of its objects (`static` and `class`), methods
  /// marked unavailable, initializers, subscripts and properties, and everything in extensions, which the macro does not see.
  ///
  /// ## Inheritance
  ///
  /// A subclass inherits the selectors; what it overrides is called, whether it is `@Invocable` too or not. It needs the attribute for methods
  /// of its own. A method that the superclass has excluded becomes invocable in the subclass that overrides it, unless it is excluded there
  /// too. The class may not be generic.
  ///
  /// ## Actors
  ///
  /// A method of the main actor (`@MainActor` is written before it or its class) may only be sent to on the main actor, and traps elsewhere: a message
  /// does not wait. Methods of other global actors do not compile.
  @attached(member, conformances: InvocableClass, names: named(invocableMethods))
  @attached(extension, conformances: InvocableClass)
  public macro Invocable() = #externalMacro(module: "InvocationMacrosPlugin", type: "InvocableMacro")

  /// Excludes a method from those that ``Invocable()`` makes invocable by selector.
  @attached(peer)
  public macro NotInvocable() = #externalMacro(module: "InvocationMacrosPlugin", type: "NotInvocableMacro")
#endif
