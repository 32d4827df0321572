#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Method tables: what a class answers, inherits and overrides, and what of it an invocation calls.
  @Suite(.measured) struct MethodTableTests {
    // Each test has classes of its own, since the tables of classes live as long as the process.

    /// An implementation of the types `q@:q` that adds a number to its argument.
    static func adding(_ number: Int, owner: (any AnyObject & Sendable)? = nil) throws -> Implementation {
      try Closure(types: "q@:q") { (_: Unmanaged<AnyObject>, _: MethodSelector, value: Int) -> Int in
        withExtendedLifetime(owner) { value + number }
      }.implementation
    }

    /// An invocation of the types `q@:q` with the argument 1.
    static func invocation(_ selector: MethodSelector, _ target: AnyObject) throws -> Invocation {
      let invocation = Invocation(try MethodSignature(types: "q@:q"))
      invocation.target = target
      invocation.selector = selector
      try invocation.setArgument(1, at: 2)
      return invocation
    }

    private static func send(_ selector: MethodSelector, to target: AnyObject) throws -> Int {
      let invocation = try invocation(selector, target)
      try invocation.invoke()
      return try invocation.returnValue()
    }

    @Test func aClassInheritsAndOverrides() throws {
      class Base {}
      class Middle: Base {}
      final class Leaf: Middle {}
      let table = MethodTable.of(Base.self)
      #expect(table === MethodTable.of(Base.self) && table.type == Base.self && table.superclassTable == nil)
      #expect(MethodTable.of(Leaf.self).superclassTable === MethodTable.of(Middle.self))
      #expect(!table.responds(to: "add(_:)") && table.implementation(for: "add(_:)") == nil && table.methodSignature(for: "add(_:)") == nil)

      let first = try Self.adding(10)
      try table.add("add(_:)", first)
      for type in [Base.self, Middle.self, Leaf.self] {
        let table = MethodTable.of(type)
        #expect(table.responds(to: "add(_:)") && table.implementation(for: "add(_:)")?.pointer == first.pointer)
        #expect(try table.methodSignature(for: "add(_:)") == MethodSignature(types: "q@:q"))
      }
      try MethodTable.of(Middle.self).add("add(_:)", Self.adding(20))
      #expect(try Self.send("add(_:)", to: Base()) == 11)
      #expect(try Self.send("add(_:)", to: Middle()) == 21)
      #expect(try Self.send("add(_:)", to: Leaf()) == 21)
      #expect(table.selectors == ["add(_:)"] && MethodTable.of(Leaf.self).selectors.isEmpty)
      #expect(MethodTable.of(Middle.self).remove("add(_:)") != nil && MethodTable.of(Middle.self).remove("add(_:)") == nil)
      #expect(try Self.send("add(_:)", to: Leaf()) == 11)
    }

    @Test func replacingReturnsTheOldImplementation() throws {
      class Base {}
      final class Leaf: Base {}
      let (first, second, third) = (try Self.adding(1), try Self.adding(2), try Self.adding(3))
      let table = MethodTable.of(Base.self)
      #expect(try table.replace("f", first) == nil)
      #expect(try table.replace("f", second)?.pointer == first.pointer)
      // What is inherited is overridden, not changed.
      #expect(try MethodTable.of(Leaf.self).replace("f", third)?.pointer == second.pointer)
      #expect(try Self.send("f", to: Base()) == 3 && Self.send("f", to: Leaf()) == 4)
      // The old one can be called by the new one's maker.
      let invocation = try Self.invocation("f", Base())
      try invocation.invoke(using: first)
      #expect(try invocation.returnValue(as: Int.self) == 2)
    }

    @Test func theNumberOfFixedArgumentsIsAPartOfTheTypes() throws {
      final class Target {}
      let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Int) -> Int = { 10 * $2 + $3 }
      let signatures = try [nil, 3, 4].map { try MethodSignature(types: "q@:qq", fixedArgumentCount: $0) }
      for (index, own) in signatures.enumerated() {
        let selector = MethodSelector("variadic\(index)")
        try MethodTable.of(Target.self).add(selector, Implementation(function: code, methodSignature: own))
        for signature in signatures {
          let invocation = Invocation(signature)
          invocation.target = Target()
          invocation.selector = selector
          try invocation.setArgument(4, at: 2)
          try invocation.setArgument(2, at: 3)
          if signature == own {
            try invocation.invoke()
            #expect(try invocation.returnValue(as: Int.self) == 42)
          } else {
            #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch)
          }
        }
      }
    }

    @Test func whatIsNoMethodIsRefused() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("f", Self.adding(1))
      #expect(InvocationFixtures.code { try table.add("f", Self.adding(2)) } == .duplicateMethod)
      #expect(InvocationFixtures.message { try table.add("f", Self.adding(2)) } == "Target has a method 'f' already; replace it")
      let code: @convention(c) () -> Void = {}
      #expect(InvocationFixtures.code { try table.add("g", Implementation(function: code)) } == .typeMismatch)
      for types in ["v", "v@", "v#:", "vq:", "v:@"] {
        let implementation = Implementation(function: code, methodSignature: try MethodSignature(types: types))
        #expect(InvocationFixtures.code { try table.add("g", implementation) } == .typeMismatch, "\(types)")
        #expect(InvocationFixtures.code { try table.replace("f", implementation) } == .typeMismatch, "\(types)")
      }
      #expect(table.selectors == ["f"] && !table.responds(to: "g"))
      #expect(try Self.send("f", to: Target()) == 2)
    }

    @Test func anUnknownSelectorNamesTheNearest() throws {
      class Base {}
      final class Target: Base {}
      try MethodTable.of(Base.self).add("tapped(tag:)", Self.adding(1))
      try MethodTable.of(Target.self).add("tapped(bag:)", Self.adding(1))
      try MethodTable.of(Target.self).add("closed(_:)", Self.adding(1))
      let invocation = try Self.invocation("taped(tag:)", Target())
      do {
        try invocation.invoke()
        Issue.record("no error")
      } catch let error as InvocationError {
        #expect(error.code == .unrecognizedSelector && error.candidates == ["tapped(tag:)", "tapped(bag:)"])
        #expect("\(error)" == "Target does not respond to 'taped(tag:)'; nearest: tapped(tag:), tapped(bag:)")
      }
      #expect(!invocation.hasReturnValue)
      invocation.selector = "closed(_:)"
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Int.self) == 2)
    }

    @Test func otherTypesAreRefused() throws {
      class Base {}
      final class Leaf: Base {}
      try MethodTable.of(Base.self).add("f", Self.adding(1))
      let invocation = try InvocationFixtures.invocation("q@:i")
      invocation.target = Base()
      invocation.selector = "f"
      try invocation.setArgument(1 as Int32, at: 2)
      for _ in 0..<2 {
        #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch)
        #expect(
          InvocationFixtures.message { try invocation.invoke() }
            == "Base implements 'f' with the types 'q@:q', the invocation has 'q@:i'")
      }
      // A subclass may have other types; each invocation is right for one of them.
      let twice = try Closure(types: "q@:i") { (_: Unmanaged<AnyObject>, _: MethodSelector, value: Int32) -> Int in 2 * Int(value) }
      try MethodTable.of(Leaf.self).add("f", twice.implementation)
      try invocation.invoke(with: Leaf())
      #expect(try invocation.returnValue(as: Int.self) == 2)
      #expect(InvocationFixtures.code { try invocation.invoke(with: Base()) } == .typeMismatch)
      #expect(try Self.send("f", to: Base()) == 2)
    }

    /// The name of a struct is not passed.
    @Test func namesOfStructsDoNotCount() throws {
      final class Target {}
      let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Geometry.Point, UnsafeRawPointer?) -> Double = { _, _, point, _ in
        point.x + point.y
      }
      let signature = try MethodSignature(types: "d@:{Point=dd}^i")
      try MethodTable.of(Target.self).add("f", Implementation(function: code, methodSignature: signature))
      for types in ["d@:{NSPoint=dd}^v", "d@:{=dd}^{View}", "d@:{P={X=d}d}^i", "d@:{Point=dd}^i"] {
        let invocation = try InvocationFixtures.invocation(types)
        invocation.target = Target()
        invocation.selector = "f"
        try invocation.setArgument(Geometry.Point(x: 1, y: 2), at: 2)
        try invocation.setArgument(nil, at: 3)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Double.self) == 3, "\(types)")
      }
      for types in ["d@:{Point=ff}^i", "d@:{Point=dd}", "f@:{Point=dd}^i", "d@:dd", "d@:{Point=dd}@", "d@:{Point=ddd}^i"] {
        let invocation = try InvocationFixtures.invocation(types)
        let count = invocation.methodSignature.numberOfArguments
        let zeros = [UInt8](repeating: 0, count: 64)
        for index in 2..<count { try zeros.withUnsafeBytes { try invocation.setArgument(from: #require($0.baseAddress), at: index) } }
        invocation.target = Target()
        invocation.selector = "f"
        #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch, "\(types)")
      }
    }

    /// The same invocation, while methods, class and selector change under it.
    @Test func anInvocationHeedsEveryChange() throws {
      class Base {}
      final class Leaf: Base {}
      final class Other {}
      let base = MethodTable.of(Base.self)
      try base.add("f", Self.adding(10))
      try base.add("g", Self.adding(20))
      try MethodTable.of(Other.self).add("f", Self.adding(30))
      let invocation = try Self.invocation("f", Base())
      func result() throws -> Int {
        try invocation.invoke()
        let first = try invocation.returnValue(as: Int.self)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == first)
        return first
      }
      #expect(try result() == 11)
      try base.replace("f", Self.adding(40))
      #expect(try result() == 41)
      invocation.target = Leaf()
      #expect(try result() == 41)
      try MethodTable.of(Leaf.self).add("f", Self.adding(50))
      #expect(try result() == 51)
      invocation.selector = "g"
      #expect(try result() == 21)
      invocation.target = Other()
      #expect(InvocationFixtures.code { try invocation.invoke() } == .unrecognizedSelector)
      invocation.selector = "f"
      #expect(try result() == 31)
      MethodTable.of(Other.self).remove("f")
      #expect(InvocationFixtures.code { try invocation.invoke() } == .unrecognizedSelector)
      invocation.implementation = try Self.adding(60)
      #expect(try result() == 61)
      invocation.implementation = nil
      invocation.target = Base()
      #expect(try result() == 41)
      try invocation.setArgument(2, at: 2)
      #expect(try result() == 42)
      invocation.target = nil
      #expect(try result() == 0)
      let copy = try Self.invocation("g", Base()).copy()
      try copy.invoke()
      #expect(try copy.returnValue(as: Int.self) == 21)
    }

    /// A target that answers by itself is asked for what its class has no method for.
    @Test func anInvocableAnswersTheRest() throws {
      final class Answering: Invocable {
        var asked: [MethodSelector] = []
        let own: Implementation
        init(_ own: Implementation) { self.own = own }
        func implementation(for selector: MethodSelector) -> Implementation? {
          asked.append(selector)
          return selector == "own" ? own : nil
        }
      }
      try MethodTable.of(Answering.self).add("table", Self.adding(1))
      let target = Answering(try Self.adding(2))
      #expect(try Self.send("table", to: target) == 2 && target.asked.isEmpty)
      #expect(try Self.send("own", to: target) == 3 && target.asked == ["own"])
      #expect(
        InvocationFixtures.message { _ = try Self.send("tabel", to: target) } == "Answering does not respond to 'tabel'; nearest: table")
      // It says the types, so they are compared.
      let invocation = try InvocationFixtures.invocation("v@:")
      invocation.target = target
      invocation.selector = "own"
      #expect(InvocationFixtures.code { try invocation.invoke() } == .typeMismatch)
    }

    /// The selector of a message may be a null.
    @Test func aNullSelectorIsRefused() throws {
      final class Target {}
      let invocation = try Self.invocation("f", Target())
      try invocation.setArgument(nil, at: 1)
      #expect(InvocationFixtures.code { try invocation.invoke() } == .unrecognizedSelector)
    }

    /// A method that changes its own class, and drops what it runs by.
    @Test func aMethodMayReplaceItself() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try LifetimeTracker.check { tracker in
        let object = tracker.object(5)
        let target = Target()
        let invocation = try Self.invocation("f", target)
        nonisolated(unsafe) let same = invocation
        let closure = try Closure(types: "q@:q") { [object] (_: Unmanaged<AnyObject>, _: MethodSelector, value: Int) -> Int in
          do {
            try table.replace("f", Self.adding(100))
            // The same invocation again, by the new method, while this one runs.
            try same.invoke()
            #expect(try same.returnValue(as: Int.self) == value + 100)
          } catch {
            Issue.record(error)
          }
          return object.payload + value
        }
        for _ in 0..<3 {
          try table.replace("f", closure.implementation)
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Int.self) == 6)
        }
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 101)
      }
    }

    @Test func whatAReplacedMethodOwnsEnds() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try LifetimeTracker.check { tracker in
        let target = Target()
        let invocation = try Self.invocation("f", target)
        for number in 0..<100 {
          try table.replace("f", Self.adding(number, owner: tracker.object(number)))
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Int.self) == number + 1)
          // The present one, and what the invocation called last.
          #expect(tracker.liveCount <= 2)
        }
        table.remove("f")
      }
      #expect(table.selectors.isEmpty)
    }
  }
#endif
