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

  @Test func slowMachineSlowsAllLanesOfARound() throws {
    let world = World()
    let robin = RoundRobin(seconds: 0.001, rounds: 5) { world.now }
    var measured = 0
    let times = try robin.measure([world.lane("direct", seconds: 1e-9), world.lane("other", seconds: 4e-9)]) { _ in
      measured += 1
      if measured == 4 { world.speed = 3 }
    }
    #expect(abs(times[0][0] - 1) < 1e-6)
    #expect(abs(times[0][4] - 3) < 1e-6)
    let row = BenchmarkRow(suite: "W2", phase: "set", engine: "other", times: times[1], direct: times[0], allocations: nil)
    #expect(abs(row.ratio - 4) < 1e-6)
    #expect(row.spread < 1e-6)
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
  @Test func ordersWhatItIsGiven() {
    let sample = Sample([3, 1, 2])
    #expect(sample.minimum == 1)
    #expect(sample.median == 2)
    #expect(sample.maximum == 3)
  }

  @Test func interpolatesBetweenNeighbours() {
    let sample = Sample([10, 20, 30, 40])
    #expect(sample.median == 25)
    #expect(sample.quantile(0) == 10)
    #expect(sample.quantile(0.25) == 17.5)
    #expect(sample.quantile(1) == 40)
  }

  @Test func oneMeasurementHasNoSpread() {
    #expect(Sample([7]).median == 7)
    #expect(Sample([7]).spread == 0)
  }

  @Test func spreadIgnoresAFewOutliers() {
    #expect(Sample([1, 100, 100, 100, 100, 100, 900]).spread == 0)
    #expect(Sample([80, 90, 100, 110, 120]).spread == 0.2)
  }
}
