#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// The implementation that was found for a target is called on that target, whatever sets another one meanwhile.
  @Suite(.measured) struct ChangedTargetTests {
    /// What the methods of this test are called on; another class would be read as if it were this one.
    private final class Named: EncodedObject {
      let names = ["one", "two"]
      weak var invocation: Invocation?
    }
    private final class Other: EncodedObject {
      let word = 0x4141_4141_4141_4141
    }
    /// Sets another target when it is released.
    private final class Changing: EncodedObject {
      private weak var invocation: Invocation?
      init(_ invocation: Invocation?) { self.invocation = invocation }
      deinit { invocation?.target = Other() }
    }

    @Test("A previous result that sets another target when it is released") func previousResult() throws {
      let table = MethodTable.of(Named.self)
      let make = try Implementation { (target: Named) -> Changing? in target.names.count == 2 ? Changing(target.invocation) : nil }
      try table.replace("make()", make)
      for way in 0..<4 {
        let (target, invocation) = (Named(), Invocation(try MethodSignature(types: "@@:")))
        target.invocation = invocation
        invocation.target = target
        invocation.selector = "make()"
        for _ in 0..<2 {
          switch way {
          case 0: try invocation.invoke()
          case 1: try invocation.invoke(using: make)
          case 2: try invocation.call(make)
          default:
            invocation.implementation = make
            try invocation.invoke()
          }
          try expect(invocation.objectReturnValue() is Changing)
        }
        expect(invocation.target is Other)
        expectThrows(InvocationError.self) { try invocation.invoke() }
      }
    }

    @Test("An implementation that sets another target when it is asked for") func lookups() throws {
      final class Asked: Invocable {
        let names = ["one"]
        weak var invocation: Invocation?
        func implementation(for selector: MethodSelector) -> Implementation? {
          invocation?.target = selector == "nothing()" ? nil : Other()
          return try? Implementation { (asked: Asked) -> Int in asked.names.count }
        }
      }
      for selector: MethodSelector in ["names()", "nothing()"] {
        let (target, invocation) = (Asked(), Invocation(try MethodSignature(types: "q@:")))
        target.invocation = invocation
        invocation.target = target
        invocation.selector = selector
        try expectEqual(invocation.result(as: Int.self), 1)
      }
    }

    @Test("A method that is replaced, and sets another target when it is released") @MainActor func replacedMethod() throws {
      final class Owner {
        @MainActor static var invocation: Invocation?
        deinit { MainActor.assumeIsolated { Self.invocation?.target = Other() } }
      }
      final class Listed {
        let names = ["one", "two", "three"]
      }
      let table = MethodTable.of(Listed.self)
      func add(_ owner: Owner) throws {
        nonisolated(unsafe) let owner = owner
        try table.replace("count()", Implementation { (listed: Listed) -> Int in withExtendedLifetime(owner) { listed.names.count } })
      }
      let (target, invocation) = (Listed(), Invocation(try MethodSignature(types: "q@:")))
      invocation.target = target
      invocation.selector = "count()"
      try add(Owner())
      try invocation.invoke()
      Owner.invocation = invocation
      defer { Owner.invocation = nil }
      try table.replace("count()", Implementation { (listed: Listed) -> Int in -listed.names.count })
      try expectEqual(invocation.result(as: Int.self), -3)
    }

    @Test("A raw value that sets the argument that it is for") @MainActor func rawValues() throws {
      enum Sneaky: RawRepresentable, EncodedValue {
        case only
        @MainActor static var invocation: Invocation?
        init?(rawValue: String) { self = .only }
        var rawValue: String {
          MainActor.assumeIsolated {
            let invocation = Self.invocation
            Self.invocation = nil
            try? invocation?.setArgument("a text that is longer than a small string, from the raw value", at: 0)
          }
          return "the text of the raw value, which is longer than a small string too"
        }
      }
      let invocation = try Invocation(MethodSignature(types: "v*"))
      try invocation.setArgument("the first text, which is longer than a small string as well", at: 0)
      Sneaky.invocation = invocation
      try invocation.setArgument(Sneaky.only, at: 0)
      try expectEqual(invocation.argument(at: 0, as: String.self), Sneaky.only.rawValue)
    }
  }
#endif
