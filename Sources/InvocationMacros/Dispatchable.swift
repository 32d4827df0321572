#if Macros
  /// Generates a class that conforms to a protocol and passes each call on to several implementers.
  ///
  ///     @Dispatchable package protocol TableDelegate: AnyObject {
  ///       @DispatchDefault(0) func rowCount() -> Int
  ///       @DispatchPolicy(.allTrue) func shouldSelect(_ row: Int) -> Bool
  ///       func selected(_ row: Int) throws
  ///       @DispatchPolicy(.firstNonNil) var title: String? { get }
  ///     }
  ///
  ///     let dispatcher = TableDelegateDispatcher(controller, logger)
  ///     view.delegate = dispatcher
  ///     try dispatcher.append(other)
  ///
  /// The class has the name of the protocol with the suffix "Dispatcher". It is final, as accessible as the protocol,
  /// and an ``/DynamicInvocation/ImplementerDispatcher``: it does not keep the implementers alive, calls them in order,
  /// and allows adding and removing them, even during a call. The calls are direct Swift calls, so parameters and
  /// results may have any type.
  ///
  /// ## Semantics of a call
  ///
  /// - All implementers are called, and the last one gives the result, unless `@DispatchPolicy` specifies a
  ///   different policy.
  /// - If there are no implementers, ``DispatchDefault(_:)`` states the result. Without that attribute, the result is nil if it
  ///   is an optional, or what the policy specifies for a `Bool`. Otherwise a method that throws `any Error` or
  ///   `InvocationError` throws `unrecognizedSelector`, and any other call ends the program. The macro warns about the
  ///   latter unless ``DispatchRequired()`` states that it is intended.
  /// - If an implementer throws, the others are still called. The first error is thrown at the end.
  /// - An `inout` argument is passed from one implementer to the next. Each of them receives what the previous one
  ///   wrote.
  /// - In an asynchronous method each call waits for the previous one.
  /// - A property that is set is set in all implementers.
  ///
  /// ## Supported protocols
  ///
  /// The protocol is a class protocol: its inheritance clause names `AnyObject`. Its requirements are instance methods,
  /// properties and subscripts. Initializers, static requirements, associated types, `Self`, generic and variadic
  /// methods, and `rethrows` do not compile. The dispatcher of a protocol that is isolated to a global actor is
  /// isolated to that actor.
  ///
  /// Declare the protocol `package` or `public`; the macro warns otherwise. An optimized build of Swift 6.3 collects
  /// the types of a module that conform to any other protocol, and omits the types that a macro generates. If it finds
  /// only one conforming type, it assumes that a dispatcher has that type, and calls go wrong.
  ///
  /// The macro does not see the requirements of inherited protocols. They must be repeated in the protocol, which Swift
  /// allows:
  ///
  ///     @Dispatchable(repeatsInherited: true) package protocol GridDelegate: AnyObject, Scrolling {
  ///       func didScroll(_ offset: Double)   // the method of Scrolling
  ///       func columnCount() throws -> Int
  ///     }
  ///
  /// - Parameter repeatsInherited: Whether the protocol itself contains all requirements of the protocols that it
  ///   inherits from.
  @attached(peer, names: suffixed(Dispatcher))
  public macro Dispatchable(repeatsInherited: Bool = false) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchableMacro")

  /// Specifies how the results of several implementers of a requirement of a ``Dispatchable(repeatsInherited:)``
  /// protocol are combined.
  ///
  /// The policy is one of the cases of ``/DynamicInvocation/ReturnPolicy``, written as such. `first` also
  /// applies to requirements without a result and to setters, and calls one implementer.
  /// `dispatcher.implementers.map { $0.rowCount() }` returns all results.
  ///
  /// - Parameter policy: The policy.
  @attached(peer)
  public macro DispatchPolicy(_ policy: ReturnPolicy<Any>) = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchPolicyMacro")

  /// Specifies how the results of several implementers of a requirement of a ``Dispatchable(repeatsInherited:)``
  /// protocol are reduced.
  ///
  ///     @DispatchPolicy(.reduce({ (sum: Int?, next: Int) in .next((sum ?? 0) + next) }))
  ///     @DispatchDefault(0)
  ///     func rowCount() -> Int
  ///
  /// - Parameter policy: A ``/DynamicInvocation/ReturnPolicy/reduce(_:)`` whose closure states the type of the result
  ///   and does not throw.
  @attached(peer)
  public macro DispatchPolicy<Value>(_ policy: ReturnPolicy<Value>) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchPolicyMacro")

  /// Specifies the result of a requirement of a ``Dispatchable(repeatsInherited:)`` protocol when there are no
  /// implementers.
  ///
  /// - Parameter value: The result, which is evaluated in each call that needs it. It is also type-checked separately,
  ///   so `.zero` needs its type: `Geometry.Point.zero`.
  @attached(peer)
  public macro DispatchDefault<Value>(_ value: Value) = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchDefaultMacro")

  /// States that a requirement of a ``Dispatchable(repeatsInherited:)`` protocol always has an implementer to call.
  ///
  /// A call without one ends the program.
  @attached(peer)
  public macro DispatchRequired() = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchRequiredMacro")
#endif
