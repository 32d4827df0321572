#if Macros
  /// Makes a class that is a value of a protocol and passes each call on to several implementers.
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
  /// The class has the name of the protocol with "Dispatcher" after it, is final, as accessible as the protocol, and an
  /// ``/DynamicInvocation/ImplementerDispatcher``: it does not keep the implementers alive, calls them in order, and lets them come and go
  /// even within a call. The calls are direct ones of Swift, so that parameters and results may be of any type.
  ///
  /// ## What a call does
  ///
  /// - All implementers are called, and the result is that of the last one, unless `@DispatchPolicy` says something else.
  /// - When nobody is there the result is that of ``DispatchDefault(_:)``; else nil if the result is an optional, what the policy says of a
  ///   `Bool`, or an error `unrecognizedSelector` if the method throws any error. Otherwise the program ends, of which the macro warns until
  ///   ``DispatchRequired()`` says that it is meant.
  /// - An implementer that throws does not keep the others from being called; the first error is thrown at the end.
  /// - An `inout` argument goes from one to the next, each of which finds what the former one wrote.
  /// - Of an asynchronous method each waits for the former one.
  /// - A property that is set is set in all.
  ///
  /// ## Which protocols
  ///
  /// The protocol is one of classes: it names `AnyObject`. Its requirements are methods, properties and subscripts of objects;
  /// initializers, static requirements, associated types, `Self`, generic and variadic methods, and `rethrows` do not compile. A protocol
  /// of a global actor has a dispatcher of that actor.
  ///
  /// Make it `package` or `public`, of which the macro warns: an optimized build of Swift 6.3 collects the types of a module that conform to any
  /// other protocol, and leaves out those that a macro makes. Where it finds one type alone, it takes a dispatcher for a value of that type, and
  /// calls go wrong.
  ///
  /// The macro does not see what the protocol inherits. A requirement of an inherited protocol has to be written once more, which Swift
  /// allows:
  ///
  ///     @Dispatchable(repeatsInherited: true) package protocol GridDelegate: AnyObject, Scrolling {
  ///       func didScroll(_ offset: Double)   // that of Scrolling
  ///       func columnCount() throws -> Int
  ///     }
  ///
  /// - Parameter repeatsInherited: Whether the protocol has all requirements of those it inherits from itself.
  @attached(peer, names: suffixed(Dispatcher))
  public macro Dispatchable(repeatsInherited: Bool = false) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchableMacro")

  /// States what becomes of several results of a requirement of a ``Dispatchable(repeatsInherited:)`` protocol.
  ///
  /// It is one of the cases of ``/DynamicInvocation/ReturnPolicy``, written as such. `first` and `only` count for requirements without a
  /// result and for setters too, and call one implementer. `all` is not among them: `dispatcher.implementers.map { $0.rowCount() }` has
  /// all results.
  ///
  /// - Parameter policy: The policy.
  @attached(peer)
  public macro DispatchPolicy(_ policy: ReturnPolicy<Any>) = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchPolicyMacro")

  /// States what is made of several results of a requirement of a ``Dispatchable(repeatsInherited:)`` protocol.
  ///
  ///     @DispatchPolicy(.reduce({ (sum: Int?, next: Int) in .next((sum ?? 0) + next) }))
  ///     @DispatchDefault(0)
  ///     func rowCount() -> Int
  ///
  /// - Parameter policy: A ``/DynamicInvocation/ReturnPolicy/reduce(_:)`` whose closure names the type of the result, and throws nothing.
  @attached(peer)
  public macro DispatchPolicy<Value>(_ policy: ReturnPolicy<Value>) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchPolicyMacro")

  /// States the result of a requirement of a ``Dispatchable(repeatsInherited:)`` protocol when nobody is there to answer.
  ///
  /// - Parameter value: The result; it is evaluated in each call that needs it. It is also checked alone, so that `.zero` needs its type:
  ///   `Point.zero`.
  @attached(peer)
  public macro DispatchDefault<Value>(_ value: Value) = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchDefaultMacro")

  /// States that somebody always is there to answer a requirement of a ``Dispatchable(repeatsInherited:)`` protocol: a call without one
  /// ends the program.
  @attached(peer)
  public macro DispatchRequired() = #externalMacro(module: "InvocationMacrosPlugin", type: "DispatchRequiredMacro")
#endif
