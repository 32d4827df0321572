#if Macros
  /// Makes a class register those of its methods as handlers that are marked with `@EventHandler`.
  ///
  ///     @EventHandling final class Controller {
  ///       @EventHandler("row.tapped") func tapped(_ row: Row?, index: Int) { ... }
  ///       @EventHandler("row.moved", "row.dropped") func moved(_ row: Row) throws { ... }
  ///     }
  ///
  ///     let registrations = try controller.registerEventHandlers(on: proxy)
  ///
  /// The class becomes an ``/EventRouting/EventHandling``. Each method is registered as a typed closure with the object as its target,
  /// which the options hold: weak by default. A registration that fails, as for a key that is taken, keeps no other from being made;
  /// then one error is thrown that tells of all that failed.
  ///
  /// A method takes the source first, an object or an optional one, and then at most eight arguments; it may throw. What it returns is the
  /// reply if it is an ``/EventRouting/EventReply``. A key given twice in the class is warned of.
  ///
  /// A subclass registers what its superclass does, and with the attribute of its own also its own methods, after them. A method that it
  /// overrides is registered already, and needs no mark.
  @attached(member, conformances: EventHandling, names: named(registerEventHandlers))
  @attached(extension, conformances: EventHandling)
  public macro EventHandling() = #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlingMacro")

  /// Marks a method of an ``EventHandling()`` class as the handler of events.
  ///
  /// - Parameter keys: The names of the events, literals.
  @attached(peer)
  public macro EventHandler(_ keys: StaticString...) = #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlerMacro")

  /// Marks a method of an ``EventHandling()`` class as the handler of events whose keys are constants.
  ///
  /// - Parameter keys: The keys, whose arguments are those of the method after its source.
  @attached(peer)
  public macro EventHandler<Arguments>(_ keys: TypedEventKey<Arguments>...) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlerMacro")
#endif
