#if arch(x86_64) || arch(arm64)
  @testable import DynamicInvocation
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
      try .message("q@:q", to: target, selector, 1)
    }

    private static func send(_ selector: MethodSelector, to target: AnyObject) throws -> Int { try invocation(selector, target).result() }

    @Test func aClassInheritsAndOverrides() throws {
      class Base {}
      class Middle: Base {}
      final class Leaf: Middle {}
      let (table, middle) = (MethodTable.of(Base.self), MethodTable.of(Middle.self))
      expect(table === MethodTable.of(Base.self) && table.type == Base.self && table.superclassTable == nil)
      expect(MethodTable.of(Leaf.self).superclassTable === middle)
      expect(
        !table.responds(to: "add(_:)") && table.implementation(for: "add(_:)") == nil && table.methodSignature(for: "add(_:)") == nil)

      let first = try Self.adding(10)
      try table.add("add(_:)", first)
      for table in [table, middle, MethodTable.of(Leaf.self)] {
        expect(table.responds(to: "add(_:)") && table.implementation(for: "add(_:)")?.pointer == first.pointer)
        try expectEqual(table.methodSignature(for: "add(_:)"), MethodSignature(types: "q@:q"))
      }
      try middle.add("add(_:)", Self.adding(20))
      try expectEqual([Base(), Middle(), Leaf()].map { try Self.send("add(_:)", to: $0) }, [11, 21, 21])
      expect(table.selectors == ["add(_:)"] && MethodTable.of(Leaf.self).selectors.isEmpty)
      expect(middle.remove("add(_:)") != nil && middle.remove("add(_:)") == nil)
      try expectEqual(Self.send("add(_:)", to: Leaf()), 11)
    }

    @Test func replacingReturnsTheOldImplementation() throws {
      class Base {}
      final class Leaf: Base {}
      let (first, second, third) = (try Self.adding(1), try Self.adding(2), try Self.adding(3))
      let table = MethodTable.of(Base.self)
      try expectNil(table.replace("f", first))
      try expectEqual(table.replace("f", second)?.pointer, first.pointer)
      // What is inherited is overridden, not changed.
      try expectEqual(MethodTable.of(Leaf.self).replace("f", third)?.pointer, second.pointer)
      try expect(Self.send("f", to: Base()) == 3 && Self.send("f", to: Leaf()) == 4)
      // The old one can be called by the new one's maker.
      let invocation = try Self.invocation("f", Base())
      try invocation.invoke(using: first)
      try expectEqual(invocation.returnValue(), 2)
    }

    @Test func theNumberOfFixedArgumentsIsAPartOfTheTypes() throws {
      final class Target {}
      let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Int) -> Int = { 10 * $2 + $3 }
      let signatures = try [nil, 3, 4].map { try MethodSignature(types: "q@:qq", fixedArgumentCount: $0) }
      for (index, own) in signatures.enumerated() {
        let selector = MethodSelector("variadic\(index)")
        try MethodTable.of(Target.self).add(selector, Implementation(function: code, methodSignature: own))
        for signature in signatures {
          let invocation = try Invocation.message(signature, to: Target(), selector, 4, 2)
          if signature == own { try expectEqual(invocation.result(), 42) } else { expectError(.typeMismatch) { try invocation.invoke() } }
        }
      }
    }

    @Test func whatIsNoMethodIsRefused() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("f", Self.adding(1))
      expectError(.duplicateMethod) { try table.add("f", Self.adding(2)) }
      expectMessage("Target has a method 'f' already; replace it") { try table.add("f", Self.adding(2)) }
      let code: @convention(c) () -> Void = {}
      expectError(.typeMismatch) { try table.add("g", Implementation(function: code)) }
      for types in ["v", "v@", "v#:", "vq:", "v:@"] {
        let implementation = Implementation(function: code, methodSignature: try MethodSignature(types: types))
        expectErrors(.typeMismatch, { try table.add("g", implementation) }, { try table.replace("f", implementation) })
      }
      expect(table.selectors == ["f"] && !table.responds(to: "g"))
      try expectEqual(Self.send("f", to: Target()), 2)
      // The selector of a message may be a null.
      let invocation = try Self.invocation("f", Target())
      try invocation.setArgument(nil, at: 1)
      expectError(.unrecognizedSelector) { try invocation.invoke() }
    }

    @Test func anUnknownSelectorNamesTheNearest() throws {
      class Base {}
      final class Target: Base {}
      try MethodTable.of(Base.self).add("tapped(tag:)", Self.adding(1))
      for selector in ["tapped(bag:)", "closed(_:)"] as [MethodSelector] { try MethodTable.of(Target.self).add(selector, Self.adding(1)) }
      let invocation = try Self.invocation("taped(tag:)", Target())
      let error = expectThrows(InvocationError.self) { try invocation.invoke() }
      expect(error?.code == .unrecognizedSelector && error?.candidates == ["tapped(tag:)", "tapped(bag:)"])
      expectEqual(error?.description, "Target does not respond to 'taped(tag:)'; nearest: tapped(tag:), tapped(bag:)")
      expect(!invocation.hasReturnValue)
      invocation.selector = "closed(_:)"
      try expectEqual(invocation.result(), 2)
    }

    @Test func otherTypesAreRefused() throws {
      class Base {}
      final class Leaf: Base {}
      try MethodTable.of(Base.self).add("f", Self.adding(1))
      let invocation = try Invocation.message("q@:i", to: Base(), "f", 1 as Int32)
      for _ in 0..<2 {
        expectError(.typeMismatch) { try invocation.invoke() }
        expectMessage("Base implements 'f' with the types 'q@:q', the invocation has 'q@:i'") { try invocation.invoke() }
      }
      // A subclass may have other types; each invocation is right for one of them.
      let twice = try Closure(types: "q@:i") { (_: Unmanaged<AnyObject>, _: MethodSelector, value: Int32) -> Int in 2 * Int(value) }
      try MethodTable.of(Leaf.self).add("f", twice.implementation)
      try invocation.invoke(with: Leaf())
      try expectEqual(invocation.returnValue(), 2)
      expectError(.typeMismatch) { try invocation.invoke(with: Base()) }
      try expectEqual(Self.send("f", to: Base()), 2)
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
        try expectEqual(Invocation.message(types, to: Target(), "f", Geometry.Point(x: 1, y: 2), nil).result(), 3.0, types)
      }
      for types in ["d@:{Point=ff}^i", "d@:{Point=dd}", "f@:{Point=dd}^i", "d@:dd", "d@:{Point=dd}@", "d@:{Point=ddd}^i"] {
        let invocation = try Invocation.message(types, to: Target(), "f")
        let zeros = [UInt8](repeating: 0, count: 64)
        for index in 2..<invocation.methodSignature.numberOfArguments {
          try zeros.withUnsafeBytes { try invocation.setArgument(from: require($0.baseAddress), at: index) }
        }
        expectError(.typeMismatch, types) { try invocation.invoke() }
      }
    }

    /// The same invocation, while methods, class and selector change under it.
    @Test func anInvocationHeedsEveryChange() throws {
      class Base {}
      final class Leaf: Base {}
      final class Other {}
      let (base, leaf, other) = (MethodTable.of(Base.self), MethodTable.of(Leaf.self), MethodTable.of(Other.self))
      for (table, selector, number) in [(base, "f", 10), (base, "g", 20), (other, "f", 30)] as [(MethodTable, MethodSelector, Int)] {
        try table.add(selector, Self.adding(number))
      }
      let invocation = try Self.invocation("f", Base())
      /// A change, and what an invocation gives after it, twice; nil for an unknown selector.
      let steps: [(change: () throws -> Void, result: Int?)] = [
        ({}, 11), ({ try base.replace("f", Self.adding(40)) }, 41), ({ invocation.target = Leaf() }, 41),
        ({ try leaf.add("f", Self.adding(50)) }, 51), ({ invocation.selector = "g" }, 21), ({ invocation.target = Other() }, nil),
        ({ invocation.selector = "f" }, 31), ({ other.remove("f") }, nil), ({ invocation.implementation = try Self.adding(60) }, 61),
        (
          {
            invocation.implementation = nil
            invocation.target = Base()
          }, 41
        ), ({ try invocation.setArgument(2, at: 2) }, 42), ({ invocation.target = nil }, 0),
      ]
      for (number, step) in steps.enumerated() {
        try step.change()
        for _ in 0..<2 {
          if let result = step.result {
            try expectEqual(invocation.result(), result, "step \(number)")
          } else {
            expectError(.unrecognizedSelector, "step \(number)") { try invocation.invoke() }
          }
        }
      }
      try expectEqual(Self.invocation("g", Base()).copy().result(), 21)
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
      try expect(Self.send("table", to: target) == 2 && target.asked.isEmpty)
      try expect(Self.send("own", to: target) == 3 && target.asked == ["own"])
      expectMessage("Answering does not respond to 'tabel'; nearest: table") { _ = try Self.send("tabel", to: target) }
      // It says the types, so they are compared.
      expectError(.typeMismatch) { try Invocation.message("v@:", to: target, "own").invoke() }
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
          expectError(nil) {
            try table.replace("f", Self.adding(100))
            // The same invocation again, by the new method, while this one runs.
            try expectEqual(same.result(), value + 100)
          }
          return object.payload + value
        }
        for _ in 0..<3 {
          try table.replace("f", closure.implementation)
          try expectEqual(invocation.result(), 6)
        }
        try expectEqual(invocation.result(), 101)
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
          try expectEqual(invocation.result(), number + 1)
          // The present one, and what the invocation called last.
          expect(tracker.liveCount <= 2)
        }
        table.remove("f")
      }
      expect(table.selectors.isEmpty)
    }

    // MARK: The steps of a look into a table, and a change that comes between them, which threads take in some unlucky order

    private final class Read {}

    @Test func whatALookUpMayHoldStaysAlive() throws {
      try LifetimeTracker.check { tracker in
        let table = MethodTable.of(Read.self)
        try table.add("f", Self.adding(1, owner: tracker.object()))
        var live: [Int] = []
        table.current { snapshot in
          // Two changes: the second must not release what the first has replaced.
          table.remove("f")
          live.append(tracker.liveCount)
          expectError(nil) { try table.add("g", Self.adding(2)) }
          live.append(tracker.liveCount)
          guard live == [1, 1] else { return }
          expect(snapshot.methods.map(\.selector) == ["f"] && snapshot.method(for: "f") != nil && snapshot.method(for: "g") == nil)
        }
        expectEqual(live, [1, 1])
        expectEqual(table.selectors, ["g"])
        // Released with the last reader, not only by a later change.
        expectEqual(tracker.liveCount, 0)
        table.remove("g")
      }
    }

    private final class Dated {}

    @Test func whatIsFoundBeforeAChangeIsStale() throws {
      let table = MethodTable.of(Dated.self)
      // Other tests change other tables, so that only the order of the numbers is known.
      let before = MethodTable.epoch
      var after = 0
      let (found, epoch) = try MethodTable.lookUp {
        let found = table.method(for: "f")
        try table.add("f", Self.adding(1))
        after = MethodTable.epoch
        return found
      }
      expect(found == nil && table.method(for: "f") != nil && before <= epoch && epoch < after)
    }
  }
#endif
