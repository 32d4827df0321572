import DynamicInvocation
import ObjectiveCMessages
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct ObjectiveCCallTests {
  @Test("A message has the result that compiled code gets")
  func values() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let id = object.objectPointer
      func same<Value: EncodedValue & Equatable>(
        _ selector: MethodSelector, _ oracle: String, _ types: String, _ arguments: any EncodedValue..., as type: Value.Type
      ) throws {
        let invocation = try Invocation(target: object, selector: selector)
        let function = Invocation(try MethodSignature(types: types))
        try function.setArgument(id, at: 0)
        for (offset, argument) in arguments.enumerated() {
          try set(argument, at: offset + 2, of: invocation)
          try set(argument, at: offset + 1, of: function)
        }
        function.implementation = Implementation(try require(Fixtures.library).symbol(oracle))
        try function.invoke()
        // Twice: looked up, and as it was cached.
        for _ in 0..<2 {
          try invocation.invoke()
          expectEqual(try invocation.returnValue(as: type), try function.returnValue(as: type), "\(selector)")
        }
        expectEqual(try invocation.copy().returnValue(as: type), try function.returnValue(as: type), "copy of \(selector)")
      }
      try same("add:to:", "o_add", "i^vii", Int32(3), Int32(4), as: Int32.self)
      try same("scale:by:", "o_scale", "d^vdf", 1.5, Float(2), as: Double.self)
      let rect = Rect(x: 1, y: 2, width: 30, height: 40)
      try same("inset:by:", "o_inset", "{CGRect={?=dd}{?=dd}}^v{CGRect={?=dd}{?=dd}}d", rect, 0.5, as: Rect.self)
      try same("flip:", "o_flip", "C^vC", UInt8(0), as: UInt8.self)
      try same("echoText:", "o_text", "*^v*", "text", as: String.self)
      try same("number", "o_number", "i^v", as: Int32.self)
    }
  }

  private func set(_ value: some EncodedValue, at index: Int, of invocation: Invocation) throws {
    try invocation.setArgument(value, at: index)
  }

  @Test("Boxes, literals, structs in memory, unions, selectors, classes and out-parameters")
  func kinds() throws {
    try Fixtures.run {
      let (type, object) = (try Fixtures.type(), try Fixtures.make())
      expectEqual(try Invocation.send(object, "add:to:", .int(1), 2) as Int32, 3)
      expectEqual("\(try Invocation.send(object, "add:to:", 1, 2) as BoxedValue)", "3")
      let big = try Invocation.send(object, "big:", 7)
      expect("\(big)".contains("11"), "\(big)")
      let invocation = try Invocation(target: object, selector: "either:")
      let number = 41
      try withUnsafeBytes(of: number) { try invocation.setArgument(from: try require($0.baseAddress), at: 2) }
      try invocation.invoke()
      var result = 0
      try withUnsafeMutableBytes(of: &result) { try invocation.getReturnValue(into: try require($0.baseAddress)) }
      expectEqual(result, 42)
      expectEqual(try Invocation.send(object, "echoSelector:", MethodSelector("add:to:")) as MethodSelector, "add:to:")
      expectEqual(try Invocation.send(object, "isSelector:", MethodSelector("add:to:")) as UInt8, 1)
      expectEqual(try Invocation.send(object, "echoClass:", type) as ObjectiveCObject, type)
      expectEqual(try Invocation.send(object, "class") as ObjectiveCObject, type)
      expectEqual(try Invocation.send(type, "twice:", 21) as Int32, 42)
      var (x, y): (Int32, Double) = (0, 0)
      try withUnsafeMutablePointer(to: &x) { x in
        try withUnsafeMutablePointer(to: &y) { y in _ = try Invocation.send(object, "getX:y:", x, y) }
      }
      expectEqual("\(x) \(y)", "7 2.5")
      let error = ObjectiveCReference()
      expectEqual(try Invocation.send(object, "load:error:", nil, error) as UInt8, 0)
      expectEqual(error.object?.description.contains("Fixture"), true)
      expectEqual(try Invocation.send(object, "load:error:", object, error) as UInt8, 1)
      _ = try Invocation.send(object, "setNumber:", 5)
      expectEqual(try Invocation.send(object, "number") as Int32, 5)
    }
  }

  @Test("Class methods, overrides, super, +initialize and targets that change")
  func lookup() throws {
    try Fixtures.run {
      let (object, sub) = (try Fixtures.make(), try Fixtures.make("SubFixture"))
      expectEqual(try Invocation.send(sub, "add:to:", 1, 2) as Int32, 1003)
      let above = ObjectiveCSuper(sub, above: try Fixtures.type("SubFixture"))
      expectEqual(try Invocation.send(above, "add:to:", 1, 2) as Int32, 3)
      let invocation = try Invocation(target: object, selector: "add:to:")
      try invocation.setArguments(boxed: [1, 2])
      for (target, result) in [(object, 3), (sub, 1003), (object, 3), (sub, 1003)] as [(ObjectiveCObject, Int32)] {
        try invocation.invoke(with: target)
        expectEqual(try invocation.returnValue(as: Int32.self), result)
      }
      try invocation.invoke(with: above)
      expectEqual(try invocation.returnValue(as: Int32.self), 3)
      invocation.target = nil
      try invocation.invoke()
      expectEqual(try invocation.returnValue(as: Int32.self), 0)
      let lazy = try Fixtures.make("Lazy")
      expectEqual(try Invocation.send(lazy, "value") as Int32, 1)
      let forwarder: ObjectiveCObject = try Invocation.send(Fixtures.type("Forwarder"), "to:", object)
      expectEqual(try Invocation.send(forwarder, "add:to:", 20, 3) as Int32, 23)
      expectEqual(
        try Invocation.send(forwarder, "inset:by:", Rect(x: 0, y: 0, width: 9, height: 9), 1.0) as Rect,
        Rect(x: 1, y: 1, width: 7, height: 7))
    }
  }

  @Test("Errors name the method and the argument, and no exception is raised")
  func errors() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      expectMessage("Fixture does not respond to 'ad:to:'; nearest: add:to:") {
        _ = try Invocation.send(object, "ad:to:", 1, 2)
      }
      expectError(.unrecognizedSelector) { _ = try Invocation.send(Fixtures.type(), "twize:", 1) }
      expectError(.symbolNotFound) { _ = try Fixtures.type("NoSuchClass") }
      let error = try requireThrows(InvocationError.self) { _ = try Invocation.send(object, "add:to:", "x", 2) }
      expect("\(error)".contains("-[Fixture add:to:]") && "\(error)".contains("argument 2"), "\(error)")
      expectError(.typeMismatch) { _ = try Invocation.send(object, "echo:", SwiftValue(1)) }
      expectError(.countMismatch) { _ = try Invocation.send(object, "add:to:", 1) }
      let invocation = try Invocation(target: object, selector: "add:to:")
      expectError(.argumentNotSet) { try invocation.invoke() }
      expectEqual("\(invocation)", "-[Fixture add:to:](unset, unset)")
      invocation.selector = "scale:by:"
      try invocation.setArguments(boxed: [1, 2])
      expectError(.typeMismatch) { try invocation.invoke() }
    }
  }

  @Test(
    "Nothing is leaked or released too often, in any order",
    arguments: ["child", "newChild", "copy", "newsletter", "kept", "make", "initialChild"])
  func results(selector: String) throws {
    try Fixtures.run(selector) {
      let object = try Fixtures.make()
      if selector == "initialChild" { return }
      if selector == "kept" { _ = try Invocation.send(object, "keep:", Fixtures.make()) }
      let target = selector == "make" ? try Fixtures.type() : object
      let invocation = try Invocation(target: target, selector: MethodSelector(selector))
      try invocation.invoke()
      try invocation.invoke()
      let copy = invocation.copy()
      let result = try invocation.returnValue(as: ObjectiveCObject.self)
      expectEqual(result, try copy.returnValue(as: ObjectiveCObject.self))
      try invocation.invoke()
      try invocation.setReturnValue(result)
      try invocation.invoke()
      expectEqual(try Invocation.send(result, "number") as Int32, 0)
    }
  }

  @Test("A method of the family init consumes and returns its receiver, and what a statement says counts before the name")
  func ownership() throws {
    try Fixtures.run {
      let type = try Fixtures.type()
      let made: ObjectiveCObject = try Invocation.send(Invocation.send(type, "alloc") as ObjectiveCObject, "initWithNumber:", 9)
      expectEqual(try Invocation.send(made, "number") as Int32, 9)
      let other: ObjectiveCObject = try Invocation.send(Invocation.send(type, "alloc") as ObjectiveCObject, "initOther:", 8)
      expectEqual(try Invocation.send(other, "number") as Int32, 8)
      expectNil(try Invocation.send(Invocation.send(type, "alloc") as ObjectiveCObject, "initFailing") as ObjectiveCObject?)
      let swift: ObjectiveCObject = try Invocation.send(Invocation.send(type, "alloc") as ObjectiveCObject, "init(x:y:)", 3, 4)
      expectEqual(try Invocation.send(swift, "number") as Int32, 304)
      ObjectiveCRuntime.state("obtain", of: type, returnsRetained: true)
      ObjectiveCRuntime.state("consume:", of: type, returnsRetained: false, consumedArguments: [2])
      _ = try Invocation.send(Fixtures.make("SubFixture"), "obtain") as ObjectiveCObject
      _ = try Invocation.send(made, "consume:", other)
      expectEqual(try Invocation.send(other, "number") as Int32, 8)
    }
  }

  @Test("An invocation keeps its target and arguments alive until they are replaced")
  func arguments() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let invocation = try Invocation(target: Fixtures.make(), selector: "keep:")
      try invocation.setArgument(Fixtures.make(), at: 2)
      expectEqual(try Fixtures.live(), 3)
      try invocation.invoke()
      try invocation.setArgument(boxed: .null, at: 2)
      expectEqual(try Fixtures.live(), 3)
      try invocation.invoke()
      expectEqual(try Fixtures.live(), 2)
      invocation.target = object
      expectEqual(try Fixtures.live(), 1)
      let copy = invocation.copy()
      copy.target = nil
      let selfKeeping = try Invocation(target: object, selector: "echo:")
      try selfKeeping.setArgument(object, at: 2)
      try selfKeeping.invoke()
      expectEqual(try selfKeeping.objectReturnValue() as? ObjectiveCObject, object)
    }
  }
}
