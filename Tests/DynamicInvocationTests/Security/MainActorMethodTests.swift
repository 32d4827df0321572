#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Methods of the main actor in a table.
  @Suite(.measured) struct MainActorMethodTests {
    @MainActor private final class Page: EncodedObject {
      var shown: [Int] = []
      func show(_ number: Int) { shown.append(number) }
      func sum(_ first: Int, weight: Double, next: Page?) throws -> Double {
        guard first >= 0 else { throw Refusal() }
        return Double(first) * weight + Double(next?.shown.count ?? 0)
      }
      nonisolated func free() -> Int { 5 }
    }

    @MainActor @Test("On the main actor they are added and called")
    func onTheMainActor() throws {
      let table = MethodTable.of(Page.self)
      try table.add("show(_:)", Page.show)
      try table.add("sum(_:weight:next:)", Page.sum)
      try table.add("free()", Page.free)
      let page = Page()
      let show = try Invocation(target: page, selector: "show(_:)")
      for number in 1...3 {
        try show.setArgument(number, at: 2)
        try show.invoke()
      }
      expectEqual(page.shown, [1, 2, 3])
      let sum = try Invocation(target: Page(), selector: "sum(_:weight:next:)")
      try expectEqual(sum.result(4, 0.5, page, as: Double.self), 5)
      try sum.setArgument(-1, at: 2)
      expectThrows(Refusal.self) { try sum.invoke() }
      let free = try Invocation(target: page, selector: "free()")
      try expectEqual(free.result(as: Int.self), 5)
      expectError(.countMismatch) { try table.add("show()", Page.show) }
    }

    @Test func offTheMainActorItTraps() async throws {
      await #expect(processExitsWith: .failure) {
        let page = try await MainActor.run {
          try MethodTable.of(Page.self).add("show(_:)", Page.show)
          return Page()
        }
        let message = try Invocation(target: page, selector: "show(_:)")
        try message.setArgument(1, at: 2)
        // An error would end the process as a trap does.
        try? message.invoke()
      }
    }
  }
#endif
