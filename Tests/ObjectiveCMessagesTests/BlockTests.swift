import DynamicInvocation
import ObjectiveCMessages
import TestSupport
import Testing

@Suite(.enabled(if: Blocks.library != nil, "there is no clang with blocks, or no runtime")) struct BlockTests {
  @Test("A Swift closure is called as a block, and lives as long as its last copy")
  func closures() throws {
    try Fixtures.run {
      let tracker = LifetimeTracker()
      do {
        let tracked = tracker.object(10)
        let block = try ObjectiveCBlock("i@?i") { call in
          try call.setReturnValue(try call.argument(at: 1, as: Int32.self) * Int32(tracked.payload))
        }
        expectEqual(try block(Int32(4)) as Int32, 40)
        expectEqual(try Blocks.call("apply", "i^vi", block, Int32(5)) as Int32, 50)
        expectEqual(try Blocks.call("keep", "i^vi", block, Int32(0)) as Int32, 0)
        let rect = try ObjectiveCBlock("{CGRect={?=dd}{?=dd}}@?{CGRect={?=dd}{?=dd}}") { call in
          var rect: Rect = try call.argument(at: 1)
          rect.height = 44
          try call.setReturnValue(rect)
        }
        expectEqual(try rect(Rect(x: 1, y: 2, width: 3, height: 4)) as Rect, Rect(x: 1, y: 2, width: 3, height: 44))
        expectEqual("\(block)", "block 'i@i'")
        expectError(.countMismatch) { _ = try block(Int32(1), Int32(2)) as Int32 }
        expectError(.typeMismatch) { _ = try block("text") as Int32 }
        expectError(.typeMismatch) { _ = try ObjectiveCBlock("ii") { _ in } }
      }
      expectEqual(tracker.liveCount, 1)
      let kept: Int32 = try Blocks.function("callKept", "ii")(Int32(6))
      expectEqual(kept, 60)
      _ = try Blocks.function("dropKept", "v")() as Void
      expectEqual(tracker.liveCount, 0)
    }
  }

  @Test("A block of clang is called by its own types")
  func compiled() throws {
    try Fixtures.run {
      let made: UnsafeMutableRawPointer? = try Blocks.function("makeAdder", "^vi")(Int32(3))
      let adder = try require(try ObjectiveCBlock.at(made))
      expectEqual(try adder(Int32(4)) as Int32, 7)
      let object = try Fixtures.make()
      let echo: UnsafeMutableRawPointer? = try Blocks.function("makeEcho", "^v")()
      let echoing = try require(try ObjectiveCBlock.at(echo))
      expectEqual(try echoing(object) as ObjectiveCObject, object)
      let invocation = try adder.makeInvocation()
      try invocation.setArgument(boxed: 20, at: 1)
      try invocation.invoke()
      expectEqual("\(try invocation.boxedReturnValue())", "23")
    }
  }

  @Test("A block is an argument of a message, and an argument of a block")
  func arguments() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let block = try ObjectiveCBlock("v@?") { _ in }
      let invocation = try Invocation(target: object, selector: "echoWord:")
      try invocation.setArgument(block, at: 2)
      try invocation.invoke()
      expectEqual(try invocation.returnValue(as: UnsafeMutableRawPointer?.self), block.pointer)
    }
  }
}

/// Functions with blocks, compiled by the toolchain's clang.
enum Blocks {
  static let library: DynamicLibrary? = {
    guard Fixtures.isAvailable else { return nil }
    let flags = ["-x", "objective-c", "-fobjc-runtime=gcc", "-fblocks", "-O1"]
    return try? DynamicLibrary(CCompiler.clang.sharedLibrary(source: source, flags: flags, name: "blocks"))
  }()

  static func function(_ name: String, _ types: String) throws -> ForeignFunction { try require(library).function(name, types: types) }

  static func call<Result: EncodedValue>(_ name: String, _ types: String, _ block: ObjectiveCBlock, _ number: Int32) throws -> Result {
    try function(name, types)(Optional(block.pointer), number)
  }

  private static let source = """
    #include <stddef.h>
    extern void *_Block_copy(const void *);
    extern void _Block_release(const void *);
    typedef int (^Number)(int);
    static Number kept;
    int apply(Number block, int n) { return block(n); }
    int keep(Number block, int unused) { kept = _Block_copy(block); return 0; }
    int callKept(int n) { return kept(n); }
    void dropKept(void) { _Block_release(kept); kept = NULL; }
    void *makeAdder(int k) { return _Block_copy(^int(int n) { return n + k; }); }
    void *makeEcho(void) { return _Block_copy(^id(id o) { return o; }); }
    """
}
