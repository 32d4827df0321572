import BenchmarkSupport
import Testing

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
