#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Dispatchers as structs of C callbacks.
  @Suite(.measured) struct FunctionTableTests {
    /// A C library with a struct of callbacks in each form.
    private static let source = """
      #include <stddef.h>
      struct point { double x, y; };
      struct rect { struct point origin, size; };
      struct first { int (*opened)(void *user, int file, short mode); double (*ratio)(void *user, float a, double b);
                     struct rect (*frame)(void *user, struct rect bounds); void (*closed)(void *user); };
      struct last { int (*opened)(int file, short mode, void *user); double (*ratio)(float a, double b, void *user);
                    struct rect (*frame)(struct rect bounds, void *user); void (*closed)(void *user); };
      struct plain { int (*opened)(int file, short mode); double (*ratio)(float a, double b);
                     struct rect (*frame)(struct rect bounds); void (*closed)(void); };
      struct message { int (*opened)(void *self, const char *cmd, int file, short mode);
                       double (*ratio)(void *self, const char *cmd, float a, double b);
                       struct rect (*frame)(void *self, const char *cmd, struct rect bounds);
                       void (*closed)(void *self, const char *cmd); };
      static const struct rect bounds = { { 1, 2 }, { 3, 4 } };
      double call_first(const struct first *t, void *user) {
        struct rect r = t->frame(user, bounds);
        if (t->closed) t->closed(user);
        return t->opened(user, -70000, -3) + t->ratio(user, 0.5f, 0.25) + r.origin.x + r.size.y;
      }
      double call_last(const struct last *t, void *user) {
        struct rect r = t->frame(bounds, user);
        if (t->closed) t->closed(user);
        return t->opened(-70000, -3, user) + t->ratio(0.5f, 0.25, user) + r.origin.x + r.size.y;
      }
      double call_plain(const struct plain *t, void *user) {
        struct rect r = t->frame(bounds);
        if (t->closed) t->closed();
        return t->opened(-70000, -3) + t->ratio(0.5f, 0.25) + r.origin.x + r.size.y;
      }
      double call_message(const struct message *t, void *user) {
        struct rect r = t->frame(user, 0, bounds);
        if (t->closed) t->closed(user, 0);
        return t->opened(user, 0, -70000, -3) + t->ratio(user, 0, 0.5f, 0.25) + r.origin.x + r.size.y;
      }
      """

    private static func description() throws -> DispatchProtocol {
      try DispatchProtocol(
        "Callbacks",
        methods: [
          .required("opened(_:_:)", types: "i@:is"), .required("ratio(_:_:)", types: "d@:fd"),
          .required("frame(_:)", types: "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}"), .optional("closed()", types: "v@:"),
        ])
    }

    /// An implementer in Swift.
    private final class Plugin {
      let factor: Int32
      var log: [String] = []
      init(_ factor: Int32) {
        self.factor = factor
        _ = Self.methods
      }

      private static let methods: Void = {
        do {
          let table = MethodTable.of(Plugin.self)
          try table.add("opened(_:_:)") { (plugin: Plugin, file: Int32, mode: Int16) -> Int32 in
            plugin.log.append("opened \(file) \(mode)")
            return plugin.factor * file
          }
          try table.add("ratio(_:_:)") { (plugin: Plugin, a: Float, b: Double) throws -> Double in
            plugin.log.append("ratio \(a) \(b)")
            return Double(plugin.factor) * (Double(a) + b)
          }
          try table.add("frame(_:)") { (plugin: Plugin, bounds: Geometry.Rect) -> Geometry.Rect in
            plugin.log.append("frame")
            return Geometry.Rect(x: bounds.origin.x * Double(plugin.factor), y: 0, width: 0, height: bounds.size.height)
          }
        } catch {
          Issue.record(error)
        }
      }()
    }

    @Test(
      arguments: CCompiler.all.filter(\.available),
      [(FunctionTable.Form.userDataFirst, "first"), (.userDataLast, "last"), (.plain, "plain"), (.message, "message")])
    func calledFromC(compiler: CCompiler, form: (FunctionTable.Form, String)) throws {
      let library = try DynamicLibrary(compiler.sharedLibrary(source: Self.source, flags: ["-O2"], name: "callbacks"))
      let call = try library.function("call_\(form.1)", types: "d^v^v")
      let plugins = [Plugin(2), Plugin(3)]
      let dispatcher = try ProtocolDispatcher(Self.description(), implementers: plugins)
      let table = try dispatcher.functionTable(form.0, omitsUnanswered: true)
      #expect(table.count == 4 && table.dispatcher === dispatcher)
      let user = UnsafeRawPointer(bitPattern: 0xDEAD)
      let result: Double = try call(table.pointer, user)
      #expect(result == -209_990.75)
      for plugin in plugins { #expect(plugin.log == ["frame", "opened -70000 -3", "ratio 0.5 0.25"]) }
      // Nobody had the optional method, so it is null in this table; in the other it does nothing.
      #expect(table.function(for: "closed()") == nil && table.function(for: "opened(_:_:)") != nil)
      #expect(table.function(for: "nothing()") == nil && table.methodSignature(for: "nothing()") == nil)
      let full = try dispatcher.functionTable(form.0)
      #expect(full.function(for: "closed()") != nil)
      dispatcher.remove(plugins[1])
      let other: Double = try call(full.pointer, user)
      #expect(other == -139_992.5)
      withExtendedLifetime((plugins, table)) {}
    }

    /// The error goes to the handler, the result is that of the others, or zero.
    @Test func errorsGoToTheHandler() throws {
      final class Failing {
        var throwing = true
      }
      try MethodTable.of(Failing.self).add("count()") { (failing: Failing) throws -> Int in
        if failing.throwing { throw Refusal(number: 1) }
        return 8
      }
      let failing = [Failing(), Failing()]
      let description = try DispatchProtocol("Counting", methods: [.required("count()", types: "q@:")])
      let dispatcher = try ProtocolDispatcher(description, implementers: failing)
      let errors = Locked<[String]>([])
      let table = try dispatcher.functionTable(.plain, onError: { error in errors.withLock { $0.append("\(error)") } })
      let count = try ForeignFunction(
        Implementation(try #require(table.function(for: "count()"))), try #require(table.methodSignature(for: "count()")))
      #expect(try count() as Int == 0)
      failing[0].throwing = false
      #expect(try count() as Int == 8)
      failing[1].throwing = false
      #expect(try count() as Int == 8)
      dispatcher.removeAll()
      #expect(try count() as Int == 0)
      #expect(
        errors.withLock { $0 } == [
          "Refusal(number: 1)", "Refusal(number: 1)", "no implementer responds to 'count()', which Counting requires",
        ])
      withExtendedLifetime((failing, table)) {}
    }

    @Test func theTableKeepsTheDispatcherAndNothingLeaks() throws {
      try LifetimeTracker.check { tracker in
        let listeners = Listener.make([1, 2])
        for listener in listeners { listener.object = tracker.object(listener.number) }
        weak var gone: ProtocolDispatcher?
        do {
          let table: FunctionTable
          do {
            let dispatcher = try DispatchFixtures.dispatcher(listeners)
            gone = dispatcher
            table = try dispatcher.functionTable(.userDataFirst)
          }
          #expect(gone != nil)
          let object = Implementation(
            try #require(table.function(for: "object()")), methodSignature: table.methodSignature(for: "object()"), returnsRetained: true)
          let invocation = Invocation(try #require(object.methodSignature))
          try invocation.setArgument(UnsafeRawPointer?.none, at: 0)
          for _ in 0..<3 {
            try invocation.invoke(using: object)
            #expect(try (invocation.objectReturnValue() as? LifetimeTracked)?.payload == 2)
          }
          withExtendedLifetime(table) {}
        }
        #expect(gone == nil)
        for listener in listeners { listener.object = nil }
        #expect(tracker.liveCount == 0)
      }
    }
  }
#endif
