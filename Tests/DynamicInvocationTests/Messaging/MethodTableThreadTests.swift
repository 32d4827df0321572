#if arch(x86_64) || arch(arm64)
  import Dispatch
  import DynamicInvocation
  import Synchronization
  import TestSupport
  import Testing

  /// Many threads that add, replace, look up and call methods of the same classes.
  @Suite(.measured) struct MethodTableThreadTests {
    private static let threads = 16

    private class Base {}
    private final class Leaf: Base {}

    @Test func nothingIsLost() throws {
      let perThread = 40
      let failures = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        do {
          let target = Leaf()
          let signature = try MethodSignature(types: "q@:q")
          let invocation = Invocation(signature)
          invocation.target = target
          for number in 0..<perThread {
            let value = thread * perThread + number
            let selector = MethodSelector("method\(value)")
            // Half of them in the superclass.
            let table = MethodTable.of(number % 2 == 0 ? Base.self : Leaf.self)
            try table.add(selector, MethodTableTests.adding(value))
            invocation.selector = selector
            for argument in 0..<20 {
              try invocation.setArgument(argument, at: 2)
              try invocation.invoke()
              if try invocation.returnValue(as: Int.self) != value + argument { failures.add(1, ordering: .relaxed) }
            }
            if !MethodTable.of(Leaf.self).responds(to: selector) { failures.add(1, ordering: .relaxed) }
          }
        } catch {
          Issue.record(error)
        }
      }
      expectEqual(failures.load(ordering: .relaxed), 0)
      let tables = [MethodTable.of(Base.self), MethodTable.of(Leaf.self)]
      expectEqual(tables.map(\.selectors.count), [Self.threads * perThread / 2, Self.threads * perThread / 2])
      for value in 0..<Self.threads * perThread {
        let invocation = try MethodTableTests.invocation(MethodSelector("method\(value)"), Leaf())
        try expectEqual(invocation.result(as: Int.self), value + 1)
      }
    }

    private final class Contended {}

    /// Each call gets one of the implementations that were there at some time, whole, and their ends are counted.
    @Test func replacingWhileCalling() throws {
      try LifetimeTracker.check { tracker in
        let table = MethodTable.of(Contended.self)
        try table.add("f", MethodTableTests.adding(1_000, owner: tracker.object()))
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
          do {
            let invocation = try MethodTableTests.invocation("f", Contended())
            for number in 0..<200 {
              if thread % 4 == 0 {
                let old = try table.replace("f", MethodTableTests.adding(1_000 + number, owner: tracker.object()))
                expect(old != nil)
              }
              let result = try invocation.result(as: Int.self)
              expect((1_001...1_200).contains(result))
              expectEqual(table.implementation(for: "f")?.methodSignature, invocation.methodSignature)
            }
          } catch {
            Issue.record(error)
          }
        }
        // A change when nobody reads any more lets go of everything.
        table.remove("f")
      }
    }

    /// Tables of classes that many threads ask for first.
    @Test func oneTableForEachClass() {
      class A<T> {}
      final class B<T>: A<T> {}
      let types: [AnyClass] = [
        B<Int>.self, B<Int8>.self, B<Int16>.self, B<Int32>.self, B<Int64>.self, B<UInt>.self, B<UInt8>.self, B<UInt16>.self, B<UInt32>.self,
        B<UInt64>.self, B<Float>.self, B<Double>.self, B<String>.self, B<Character>.self, B<Bool>.self, B<[Int]>.self, B<[Int8]>.self,
        B<[Int16]>.self, B<[Int32]>.self, B<[Int64]>.self, B<[UInt]>.self, B<[UInt8]>.self, B<[UInt16]>.self, B<[UInt32]>.self,
        B<[UInt64]>.self, B<[Float]>.self, B<[Double]>.self, B<[String]>.self, B<[Character]>.self, B<[Bool]>.self, B<Int?>.self,
        B<Int8?>.self, B<Int16?>.self, B<Int32?>.self, B<Int64?>.self, B<UInt?>.self, B<UInt8?>.self, B<UInt16?>.self, B<UInt32?>.self,
      ]
      let found = Locked<[ObjectIdentifier: Set<ObjectIdentifier>]>([:])
      DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
        for index in types.indices {
          let type: AnyClass = types[(index + thread) % types.count]
          let table = MethodTable.of(type)
          expect(table.type == type && table.superclassTable?.superclassTable == nil && table.superclassTable != nil)
          found.withLock { _ = $0[ObjectIdentifier(type), default: []].insert(ObjectIdentifier(table)) }
        }
      }
      expectEqual(found.withLock { $0.count }, types.count)
      expect(found.withLock { $0.values.allSatisfy { $0.count == 1 } })
    }
  }
#endif
