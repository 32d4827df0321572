import Testing

@testable import BenchmarkSupport

@Suite struct LogScaleTests {
  @Test func endsAreRoundNumbersAroundTheValues() {
    let scale = LogScale(holding: [1.36, 227])
    #expect(scale.lower == 1)
    #expect(scale.upper == 500)
    #expect(scale.ticks == [1, 2, 5, 10, 20, 50, 100, 200, 500])
  }

  @Test func smallestValueKeepsSomeLength() {
    #expect(LogScale(holding: [1, 100]).lower == 0.5)
    #expect(LogScale(holding: [1, 100]).position(1) > 0.1)
  }

  @Test func positionIsLogarithmic() {
    let scale = LogScale(holding: [2, 100])
    #expect(scale.lower == 1)
    #expect(scale.upper == 100)
    #expect(scale.position(1) == 0)
    #expect(scale.position(10) == 0.5)
    #expect(scale.position(100) == 1)
  }

  @Test func oneValueAndNoneHaveAnAxis() {
    for scale in [LogScale(holding: [5]), LogScale(holding: [])] {
      #expect(scale.lower > 0)
      #expect(scale.upper > scale.lower)
      #expect(scale.ticks.count >= 2)
    }
  }
}
