#if Macros
  /// Makes a class register its methods that are marked with `@EventHandler` as event handlers.
  ///
  ///     @EventHandling final class Controller {
  ///       @EventHandler("row.tapped") func tapped(_ row: Row?, index: Int) { ... }
  ///       @EventHandler("row.moved", "row.dropped") func moved(_ row: Row) throws { ... }
  ///     }
  ///
  ///     let registrations = try controller.registerEventHandlers(on: proxy)
  ///
  /// The class conforms to ``/EventRouting/EventHandling``. Each method is registered as one of the
  /// object, with its types. The options specify how the target is referenced: weakly by default. A registration that fails, for
  /// example because its key is taken, does not prevent the others. One error that describes all failed registrations
  /// is then thrown.
  ///
  /// A method takes the source first, an object or an optional object, and then at most four arguments. It may throw.
  /// If its result is an ``/EventRouting/EventReply``, the result is the reply. The macro warns about a key that occurs
  /// twice in the class.
  ///
  /// A subclass registers the methods of its superclass. If it has the attribute itself, it then also registers its own
  /// methods. A method that it overrides is registered already and needs no mark.
  @attached(member, conformances: EventHandling, names: named(registerEventHandlers))
  @attached(extension, conformances: EventHandling)
  public macro EventHandling() = #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlingMacro")

  /// Marks a method of an ``EventHandling()`` class as the handler of events.
  ///
  /// - Parameter keys: The names of the events, as literals.
  @attached(peer)
  public macro EventHandler(_ keys: StaticString...) = #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlerMacro")

  /// Marks a method of an ``EventHandling()`` class as the handler of events whose keys are constants.
  ///
  /// - Parameter keys: The keys; their arguments are the method's arguments after the source.
  @attached(peer)
  public macro EventHandler<Arguments>(_ keys: TypedEventKey<Arguments>...) =
    #externalMacro(module: "InvocationMacrosPlugin", type: "EventHandlerMacro")
#endif
