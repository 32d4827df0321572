import BenchmarkSupport
import Testing

/// Lanes whose operations move a clock of their own by a known time.
@Suite struct RoundRobinTests {
  /// The time that is measured, and what ran in which order.
  private final class World {
    var now = 0.0
    var speed = 1.0
    var ran: [String] = []

    func lane(_ name: String, seconds: Double) -> Lane {
      Lane(name: name) { count in
        self.now += Double(count) * seconds * self.speed
        self.ran.append(name)
      }
    }
  }

  @Test func measuresNanosecondsOfOneOperation() throws {
    let world = World()
    let robin = RoundRobin(seconds: 0.01, rounds: 5) { world.now }
    let times = try robin.measure([world.lane("a", seconds: 2e-9), world.lane("b", seconds: 5e-8)]) { _ in }
    #expect(times.map(\.count) == [5, 5])
    #expect(times[0].allSatisfy { abs($0 - 2) < 1e-6 })
    #expect(times[1].allSatisfy { abs($0 - 50) < 1e-6 })
  }

  @Test func takesTurnsThereAndBack() throws {
    let world = World()
    let robin = RoundRobin(seconds: 1e-6, rounds: 3) { world.now }
    var order: [String] = []
    _ = try robin.measure(["a", "b", "c"].map { world.lane($0, seconds: 1e-6) }) { order.append($0.name) }
    #expect(order == ["a", "b", "c", "c", "b", "a", "a", "b", "c"])
  }

  @Test func loopsRunAboutAsLongAsWished() throws {
    let world = World()
    var lengths: [Int] = []
    let lane = Lane(name: "a") { count in
      world.now += Double(count) * 1e-8
      lengths.append(count)
    }
    _ = try RoundRobin(seconds: 0.02, rounds: 2) { world.now }.measure([lane]) { _ in }
    #expect(lengths.suffix(2).allSatisfy { abs($0 - 2_000_000) <= 1 })
  }
}

@Suite struct SampleTests {
  @Test func quantilesAreInterpolated() {
    let sample = Sample([30, 10, 40, 20])
    #expect([sample.minimum, sample.quantile(0.25), sample.median, sample.maximum] == [10, 17.5, 25, 40])
    #expect(Sample([7]).spread == 0)
  }

  @Test func spreadIgnoresAFewOutliers() {
    #expect(Sample([1, 100, 100, 100, 100, 100, 900]).spread == 0)
    #expect(Sample([80, 90, 100, 110, 120]).spread == 0.2)
  }
}
