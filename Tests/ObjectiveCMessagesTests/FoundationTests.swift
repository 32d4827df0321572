import CallFrames
import DynamicInvocation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

/// GNUstep's own objects, as they are.
@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct FoundationTests {
  private func string(_ text: String) throws -> ObjectiveCObject {
    try Invocation.send(Fixtures.type("NSString"), "stringWithUTF8String:", text)
  }

  private func text(_ string: ObjectiveCObject) throws -> String { try Invocation.send(string, "UTF8String") }

  @Test("NSString and NSMutableArray")
  func values() throws {
    try Fixtures.run {
      let (first, second) = (try string("b"), try string("a"))
      expectEqual(try text(Invocation.send(first, "stringByAppendingString:", second)), "ba")
      expectEqual(try text(Invocation.send(first, "uppercaseString")), "B")
      expectEqual(try Invocation.send(first, "length") as UInt64, 1)
      expectEqual(try Invocation.send(first, "characterAtIndex:", 0) as UInt16, 98)
      expectEqual(try Invocation.send(first, "isEqualToString:", second) as UInt8, 0)
      let array: ObjectiveCObject = try Fixtures.make("NSMutableArray")
      for object in [first, second] { _ = try Invocation.send(array, "addObject:", object) }
      _ = try Invocation.send(array, "sortUsingSelector:", MethodSelector("compare:"))
      expectEqual(try text(Invocation.send(array, "objectAtIndex:", 0)), "a")
      expectEqual(try Invocation.send(array, "count") as UInt64, 2)
      let fixture = try Fixtures.make()
      _ = try Invocation.send(array, "addObject:", fixture)
      _ = try Invocation.send(array, "removeAllObjects")
    }
  }

  @Test("NSUndoManager keeps invocations of its own for Objective-C objects and for receivers")
  func undo() throws {
    try Fixtures.run {
      let manager = try Fixtures.make("NSUndoManager")
      nonisolated(unsafe) let object = try Fixtures.make()
      _ = try Invocation.send(object, "setNumber:", 2)
      _ = try Invocation.send(manager, "beginUndoGrouping")
      let recorder: ObjectiveCObject = try Invocation.send(manager, "prepareWithInvocationTarget:", object)
      _ = try Invocation.send(recorder, "setNumber:", 1)
      _ = try Invocation.send(manager, "endUndoGrouping")
      expectEqual(try Invocation.send(object, "number") as Int32, 2)
      _ = try Invocation.send(manager, "undo")
      expectEqual(try Invocation.send(object, "number") as Int32, 1)
      let seen: Locked<[String]> = Locked([])
      nonisolated(unsafe) let target = object
      let proxy = try ObjectiveCProxy(of: Fixtures.type()) { invocation in
        seen.withLock { $0.append("\(invocation)") }
        try invocation.invoke(with: target)
      }
      _ = try Invocation.send(manager, "beginUndoGrouping")
      _ = try Invocation.send(manager, "registerUndoWithTarget:selector:object:", proxy.object, MethodSelector("keep:"), object)
      _ = try Invocation.send(manager, "endUndoGrouping")
      _ = try Invocation.send(manager, "undo")
      expectEqual(seen.withLock { $0.count }, 1)
      _ = try Invocation.send(object, "keep:", nil)
      _ = try Invocation.send(manager, "removeAllActions")
    }
  }

  @Test("NSNotificationCenter and NSTimer send to a receiver's closures")
  func callbacks() throws {
    try Fixtures.run {
      let center: ObjectiveCObject = try Invocation.send(Fixtures.type("NSNotificationCenter"), "defaultCenter")
      let name = try string("Changed")
      let receiver = try ObjectiveCReceiver([], methods: [.optional("note:", types: "v@:@"), .optional("tick:", types: "v@:@")])
      let names: Mutex<[String]> = Mutex([])
      try receiver.handle("note:") { call in
        let note = try call.argument(at: 2, as: ObjectiveCObject.self)
        let name: String = try Invocation.send(Invocation.send(note, "name") as ObjectiveCObject, "UTF8String")
        names.withLock { $0.append(name) }
      }
      try receiver.handle("tick:") { _ in names.withLock { $0.append("tick") } }
      _ = try Invocation.send(center, "addObserver:selector:name:object:", receiver.object, MethodSelector("note:"), name, nil)
      _ = try Invocation.send(center, "postNotificationName:object:", name, nil)
      _ = try Invocation.send(center, "removeObserver:", receiver.object)
      _ = try Invocation.send(center, "postNotificationName:object:", name, nil)
      let timer: ObjectiveCObject = try Invocation.send(
        Fixtures.type("NSTimer"), "timerWithTimeInterval:target:selector:userInfo:repeats:", 60.0, receiver.object,
        MethodSelector("tick:"), nil, UInt8(0))
      _ = try Invocation.send(timer, "fire")
      expectEqual(names.withLock { $0 }, ["Changed", "tick"])
    }
  }
}
