import DynamicInvocation
import DynamicInvocationFoundation
import Foundation
import TestSupport
import Testing

@Suite(.measured) struct InvocationAnyTests {
  private final class Controller: Invocable {
    func implementation(for selector: DynamicInvocation.MethodSelector) -> Implementation? {
      let area: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Geometry.Rect) -> Double = { _, _, factor, rect in
        Double(factor) * rect.size.width * rect.size.height
      }
      return selector == "area(_:in:)" ? Implementation(function: area) : nil
    }
  }

  @Test func signatureDecides() throws {
    let invocation = Invocation(try MethodSignature(types: "d@:q{Rect={Point=dd}{Size=dd}}"))
    invocation.target = Controller()
    invocation.selector = "area(_:in:)"
    try invocation.setArguments(any: [NSNumber(value: Int8(7)), NSValue(rect: CGRect(x: 0, y: 0, width: 2, height: 3))])
    try invocation.invoke()
    try expectEqual((invocation.boxedReturnValue().foundationValue as? NSNumber)?.doubleValue, 42)
    try expectEqual((invocation.boxedArgument(at: 2).foundationValue as? NSNumber)?.intValue, 7)
    try expectEqual((invocation.boxedArgument(at: 3).foundationValue as? NSValue)?.rectValue, CGRect(x: 0, y: 0, width: 2, height: 3))
    try expect(invocation.boxedArgument(at: 0).foundationValue as? Controller === invocation.target)
    try expectEqual(invocation.boxedArgument(at: 1).foundationValue as? DynamicInvocation.MethodSelector, "area(_:in:)")
  }

  @Test func anObjectParameterTakesTheObjectItself() throws {
    let invocation = Invocation(try MethodSignature(types: "v@"))
    func object(_ any: Any?) throws -> AnyObject? {
      try invocation.setArgument(any: any, at: 0)
      return try invocation.objectArgument(at: 0)
    }
    let number = NSNumber(value: 70000)
    let value = NSValue(point: CGPoint(x: 1, y: 2))
    let text = NSMutableString(string: "x")
    let decimal = NSDecimalNumber(string: "0.1")
    for same in [number, value, text, decimal, NSDate(), Controller()] as [AnyObject] { try expect(object(same) === same) }
    try expect(object(number as NSNumber?) === number)
    try expect(object(Unmanaged.passUnretained(number)) === number)
    try expect(object(BoxedValue.object(number)) === number)
    try expect(object(NSNull()) == nil && object(nil) == nil && object(String?.none as Any) == nil && object(BoxedValue.null) == nil)
  }

  @Test func aTextThatCWouldSeeAPartOfIsRefused() throws {
    let invocation = Invocation(try MethodSignature(types: "v*"))
    try invocation.setArgument(any: "whole", at: 0)
    for text in ["cut\0off", NSString(string: "cut\0off"), "cut\0off" as Any? as Any] {
      let error = #expect(throws: InvocationError.self) { try invocation.setArgument(any: text, at: 0) }
      expect(error?.code == .typeMismatch && error?.argument == .index(0))
    }
    try expectEqual(invocation.argument(at: 0, as: String.self), "whole")
  }

  @Test func anObjectParameterTakesTheBridgedSwiftValue() throws {
    let invocation = Invocation(try MethodSignature(types: "v@"))
    func object(_ any: Any?) throws -> Any? {
      try invocation.setArgument(any: any, at: 0)
      return try invocation.boxedArgument(at: 0).foundationValue
    }
    try expect(object("text") is NSString && object("text") as? String == "text")
    try expect((object(7) as? NSNumber)?.intValue == 7 && (object(UInt64.max) as? NSNumber)?.uint64Value == .max)
    try expect(object(true) as? NSNumber === NSNumber(value: true))
    try expect((object(0.1) as? NSNumber)?.doubleValue == 0.1 && (object(Float(0.1)) as? NSNumber)?.floatValue == 0.1)
    try expectEqual((object(Decimal(string: "0.1") ?? 0) as? NSDecimalNumber)?.stringValue, "0.1")
    try expectEqual((object(Int128.max) as? NSDecimalNumber)?.stringValue, "\(Int128.max)")
    try expect((object(BoxedValue.int(7)) as? NSNumber)?.intValue == 7 && object(BoxedValue.string("b")) as? String == "b")
    try expect(object(Data([1, 2])) as? Data == Data([1, 2]) && object([1, 2]) as? [Int] == [1, 2])
    try expect(object(UUID()) is NSUUID || object(UUID()) is UUID)
    try expect((object(CGPoint(x: 1, y: 2)) as? NSValue)?.pointValue == CGPoint(x: 1, y: 2))
    try expect((object(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)) as? NSValue)?.rectValue == CGRect(x: 1, y: 2, width: 3, height: 4))
    try expect(object(AffineTransform.identity) is NSAffineTransform)
    let refused: [Any] = [
      DynamicInvocation.MethodSelector("a"), Controller.self, (1, 2), Geometry.Vector.zero, UnsafeRawPointer(bitPattern: 16) as Any,
      Character("c"),
      BoxedValue.selector("a"),
    ]
    for value in refused {
      try expectEqual(failure(value, at: 0, of: "v@")?.code, .typeMismatch, "\(value)")
    }
    try expectEqual(failure((1, 2), at: 0, of: "v@")?.description, "argument 0 (@): a value of type (Int, Int) is not an object")
  }

  @Test func otherParameters() throws {
    try expectEqual(outcome("text", as: "*"), "\"text\"")
    try expectEqual(outcome(NSString(string: "text"), as: "*"), "\"text\"")
    try expect(outcome("a:b:", as: ":") == "a:b:" && outcome(DynamicInvocation.MethodSelector("a"), as: ":") == "a")
    try expect(outcome(Controller.self, as: "#").contains("Controller"))
    try expect(outcome(NSNumber(value: 1), as: "#") == "typeMismatch" && outcome(NSObject(), as: "^v") == "typeMismatch")
    try expect(outcome(NSObject(), as: "i") == "typeMismatch" && outcome(NSObject(), as: "{CGPoint=dd}") == "typeMismatch")
    try expectEqual(outcome(UnsafeRawPointer(bitPattern: 0x1000) as Any, as: "^i"), "0x1000")
    try expect(outcome(Int32(7), as: "i") == "7" && outcome(Int32(7), as: "d") == "7.0" && outcome(7.0, as: "i") == "7")
    try expect(outcome(true, as: "B") == "true" && outcome(1, as: "B") == "typeMismatch" && outcome(true, as: "q") == "typeMismatch")
  }

  /// A pointer to characters in `Any` is copied as it is when set with its own type.
  @Test func cStringsAreCopied() throws {
    let invocation = Invocation(try MethodSignature(types: "v*"))
    var text: [CChar] = [0x61, 0x62, 0]
    try text.withUnsafeMutableBufferPointer { buffer in
      let base = try #require(buffer.baseAddress)
      try invocation.setArgument(any: UnsafePointer(base), at: 0)
      base[0] = 0x7A
      try expectEqual(invocation.argument(at: 0, as: String.self), "ab")
      try invocation.setArgument(any: base, at: 0)
      try expectEqual(invocation.argument(at: 0, as: UnsafeMutablePointer<CChar>.self), base)
    }
  }

  @Test func countsAndIndices() throws {
    let invocation = Invocation(try MethodSignature(types: "v@:ii"))
    #expect(throws: InvocationError.self) { try invocation.setArguments(any: [1]) }
    expectEqual(#expect(throws: InvocationError.self) { try invocation.setArguments(any: [1, 2, 3]) }?.code, .countMismatch)
    try invocation.setArguments(any: [1, NSNumber(value: 2)])
    try expectEqual(invocation.argument(at: 3, as: Int32.self), 2)
    for index in [-1, 4, .max, .min] {
      try expectEqual(failure(1, at: index, of: "v@:ii")?.code, .indexOutOfRange)
      #expect(throws: InvocationError.self) { try invocation.boxedArgument(at: index).foundationValue }
    }
    #expect(throws: InvocationError.self) { try invocation.boxedReturnValue().foundationValue }
  }

  @Test func aFailureKeepsTheFormerValue() throws {
    let invocation = Invocation(try MethodSignature(types: "v@:s@"))
    let object = NSObject()
    try invocation.setArguments(any: [5, object])
    #expect(throws: InvocationError.self) { try invocation.setArgument(any: 70000, at: 2) }
    #expect(throws: InvocationError.self) { try invocation.setArgument(any: (1, 2), at: 3) }
    try expectEqual(invocation.argument(at: 2, as: Int16.self), 5)
    try expect(invocation.objectArgument(at: 3) === object)
  }

  @Test func results() throws {
    let number = Invocation(try MethodSignature(types: "s"))
    try number.setReturnValue(any: NSNumber(value: 300))
    try expectEqual(number.returnValue(as: Int16.self), 300)
    do {
      try number.setReturnValue(any: 70000)
      Issue.record("70000 is a short")
    } catch {
      expectEqual(error.description, "return value (s, Int16): 70000 does not fit")
    }
    let object = Invocation(try MethodSignature(types: "@"))
    try object.setReturnValue(any: "text")
    try expectEqual(object.boxedReturnValue().foundationValue as? String, "text")
    try object.setReturnValue(any: NSNull())
    try expect(object.boxedReturnValue().foundationValue == nil)
    let nothing = Invocation(try MethodSignature(types: "v"))
    #expect(throws: InvocationError.self) { try nothing.setReturnValue(any: 1) }
    let text = Invocation(try MethodSignature(types: "*"))
    #expect(throws: InvocationError.self) { try text.setReturnValue(any: "text") }
  }

  @Test func keepsWhatItIsGivenAndNothingElse() throws {
    try LifetimeTracker.check { tracker in
      let invocation = Invocation(try MethodSignature(types: "@@@"))
      for payload in 0..<3 {
        try invocation.setArgument(any: tracker.object(payload), at: 0)
        try invocation.setArgument(any: tracker.object(payload) as LifetimeTracked? as Any, at: 1)
        try invocation.setReturnValue(any: tracker.object(payload))
      }
      expectEqual(tracker.liveCount, 3)
      try expectEqual((invocation.boxedArgument(at: 0).foundationValue as? LifetimeTracked)?.payload, 2)
      try invocation.setArgument(any: invocation.boxedArgument(at: 0).foundationValue, at: 1)
      expectEqual(tracker.liveCount, 2)
      try invocation.setReturnValue(any: nil)
      expectEqual(tracker.liveCount, 1)
    }
  }
}
