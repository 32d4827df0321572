import Foundation
import ObjectiveCMessages

/// Sends the message of W2 to objects of gcc's Objective-C runtime, or receives it, in one of the ways that a suite compares.
///
/// The classes, and the loops of compiled messages, are compiled when the first loop runs, and opened: the benchmark is linked
/// with no runtime.
enum ObjectiveCLoop {
  /// Why there are no loops; nil if there are.
  static var missing: String? {
    if case .failure(let error) = library { "\(error)" } else { nil }
  }

  /// Runs a phase `count` times and returns the last result, to be checked.
  static func run(_ phase: Phase, _ engine: Engine, count: Int) throws -> Double {
    _ = try library.get()
    return try ObjectiveCRuntime.withAutoreleasePool {
      switch (phase, engine) {
      case (_, .direct): try send(to: make("Callee"), count)
      case (_, .message): try MessageLoop(suite: .objectiveC).run(.message, count: count)
      case (_, .objectiveC): try invoke([make("Callee")], count)
      case (_, .objectiveCLookedUp): try invoke([make("Callee"), make("OtherCallee")], count)
      case (_, .objectiveCReceiver): try receive(phase.implementers, count)
      case (_, .objectiveCProxy): try passOn(count)
      case (_, .objectiveCHook): try hook(count)
      case (_, .gnustep): try function("run_invocation")(make("Callee"), count)
      case (_, .gnustepProxy): try send(to: Invocation.send(ObjectiveCRuntime.type(named: "Forwarder"), "to:", make("Callee")), count)
      default: preconditionFailure("\(engine) sends no message of Objective-C")
      }
    }
  }

  /// Sends compiled messages.
  private static func send(to object: ObjectiveCObject, _ count: Int) throws -> Double { try function("run_messages")(object, count) }

  private static func invoke(_ targets: [ObjectiveCObject], _ count: Int) throws -> Double {
    guard let types = MethodSignature(of: selector, to: targets[0]) else { throw NotCompiled() }
    let invocation = Invocation(types, retainsArguments: false)
    invocation.selector = selector
    invocation.target = targets[0]
    var last = 0
    for index in 0..<count {
      if targets.count > 1 { invocation.target = targets[index & 1] }
      try invocation.setArgument(index, at: 2)
      try invocation.setArgument(2, at: 3)
      try invocation.invoke()
      last = try invocation.returnValue()
    }
    return Double(last)
  }

  private static func receive(_ implementers: Int, _ count: Int) throws -> Double {
    let objects = try (0..<implementers).map { _ in try make("Callee") }
    let receiver = try ObjectiveCReceiver(["Adding"], implementers: objects)
    return try withExtendedLifetime(objects) { try send(to: receiver.object, count) }
  }

  private static func passOn(_ count: Int) throws -> Double {
    nonisolated(unsafe) let object = try make("Callee")
    let proxy = try ObjectiveCProxy(of: ObjectiveCRuntime.type(named: "Callee")) { try $0.invoke(with: object) }
    return try send(to: proxy.object, count)
  }

  private static func hook(_ count: Int) throws -> Double {
    let hook = try ObjectiveCRuntime.type(named: "HookedCallee").hook(insteadOf: selector) { call, original in
      try call.forward(to: original)
    }
    defer { hook.cancel() }
    return try send(to: make("HookedCallee"), count)
  }

  private static let selector: MethodSelector = "add:to:"

  private static func make(_ name: String) throws -> ObjectiveCObject { try ObjectiveCRuntime.object(ofClass: name, "new") }

  /// A compiled loop, which returns the last result.
  private static func function(_ name: String) throws -> (ObjectiveCObject, Int) throws -> Double {
    let function = try library.get().function(name, types: "q^vq")
    return { object, count in Double(try function(Optional(object.objectPointer), count) as Int) }
  }
}

extension ObjectiveCLoop {
  private struct NotCompiled: Error, CustomStringConvertible {
    var description: String { "gcc compiles no Objective-C with GNUstep; install gobjc and libgnustep-base-dev" }
  }

  private static let library: Result<DynamicLibrary, any Error> = Result {
    #if os(Linux)
      let path = FileManager.default.temporaryDirectory.appendingPathComponent("invocation-bench-\(getpid()).so").path
      // Not `Process`, which valgrind does not let start a program. The counter of instructions sets no PATH.
      let command = "PATH=\"$PATH:/usr/bin\" gcc \(flags) -o '\(path)' - -Wl,--no-as-needed -lgnustep-base -lobjc 2>/dev/null"
      guard let gcc = popen(command, "w") else { throw NotCompiled() }
      fputs(source, gcc)
      guard pclose(gcc) == 0 else { throw NotCompiled() }
      defer { try? FileManager.default.removeItem(atPath: path) }
      let library = try DynamicLibrary(path)
      try ObjectiveCRuntime.use(library)
      return library
    #else
      throw NotCompiled()
    #endif
  }

  private static let flags = """
    -x objective-c -std=gnu11 -O2 -fPIC -shared -w -DGNUSTEP -DGNUSTEP_BASE_LIBRARY=1 -DGNU_RUNTIME=1 -fexceptions -fobjc-exceptions \
    -D_NATIVE_OBJC_EXCEPTIONS -pthread -fconstant-string-class=NSConstantString -I/usr/include/GNUstep
    """

  private static let source = """
    #import <Foundation/Foundation.h>

    @protocol Adding
    - (long long)add:(long long)a to:(long long)b;
    @end

    @interface Callee : NSObject <Adding> @end
    @implementation Callee
    - (long long)add:(long long)a to:(long long)b { return a + b; }
    @end

    @interface OtherCallee : NSObject <Adding> @end
    @implementation OtherCallee
    - (long long)add:(long long)a to:(long long)b { return a + b; }
    @end

    @interface HookedCallee : Callee @end
    @implementation HookedCallee
    - (long long)add:(long long)a to:(long long)b { return a + b; }
    @end

    @interface Forwarder : NSProxy { id target; } @end
    @implementation Forwarder
    + (id)to:(id)t { Forwarder *f = [[self alloc] autorelease]; f->target = [t retain]; return f; }
    - (void)dealloc { [target release]; [super dealloc]; }
    - (NSMethodSignature *)methodSignatureForSelector:(SEL)s { return [target methodSignatureForSelector:s]; }
    - (void)forwardInvocation:(NSInvocation *)i { [i invokeWithTarget:target]; }
    @end

    // The number of operations between drains of the autorelease pool.
    enum { pool_size = 64 };

    long long run_messages(id<Adding> object, long long count) {
      long long last = 0;
      for (long long start = 0; start < count; start += pool_size) {
        NSAutoreleasePool *pool = [NSAutoreleasePool new];
        for (long long index = start; index < count && index < start + pool_size; index++) last = [object add:index to:2];
        [pool release];
      }
      return last;
    }

    long long run_invocation(id object, long long count) {
      NSMethodSignature *types = [object methodSignatureForSelector:@selector(add:to:)];
      NSInvocation *invocation = [NSInvocation invocationWithMethodSignature:types];
      [invocation setTarget:object];
      [invocation setSelector:@selector(add:to:)];
      long long last = 0, two = 2;
      for (long long index = 0; index < count; index++) {
        [invocation setArgument:&index atIndex:2];
        [invocation setArgument:&two atIndex:3];
        [invocation invoke];
        [invocation getReturnValue:&last];
      }
      return last;
    }
    """
}
