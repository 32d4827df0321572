import InvocationMacros
import Testing

@MainActor @Invocable private class Screen {
  private var title = 0
  func show(_ number: Int) throws -> Int {
    title += number
    return title
  }
  nonisolated func anywhere() -> Int { 9 }
}

@Invocable private final class Mixed {
  @MainActor func onMain(_ frame: Geometry.Rect) -> Double { frame.size.width }
  func elsewhere() -> Int { 3 }
}

@Suite struct MainActorTests {
  @MainActor @Test func onTheMainActor() throws {
    let screen = Screen()
    #expect(try send("show(_:)", to: screen, 2).returnValue(as: Int.self) == 2)
    #expect(try send("show(_:)", to: screen, 3).returnValue(as: Int.self) == 5)
    #expect(try send("onMain(_:)", to: Mixed(), Geometry.Rect(x: 0, y: 0, width: 8, height: 0)).returnValue(as: Double.self) == 8)
  }

  @Test func elsewhere() async throws {
    let screen = Screen()
    #expect(try send("anywhere()", to: screen).returnValue(as: Int.self) == 9)
    #expect(try send("elsewhere()", to: Mixed()).returnValue(as: Int.self) == 3)
  }

  @Test func aMessageToTheMainActorFromElsewhereTraps() async {
    await #expect(processExitsWith: .failure) {
      // An error is no trap.
      await Task.detached { _ = try? send("onMain(_:)", to: Mixed(), Geometry.Rect(x: 0, y: 0, width: 8, height: 0)) }.value
    }
  }
}
