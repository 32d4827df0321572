// Release builds have no functions that can be replaced.
#if DEBUG
  import FunctionReplacement
  import Testing

  @testable import Weather

  /// Gives each test replacements of its own.
  struct ReplacementsTrait: TestTrait, SuiteTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
      try await withReplacements { try await function() }
    }
  }

  extension Trait where Self == ReplacementsTrait {
    static var replacements: Self { Self() }
  }

  /// The tests run in parallel, and each has its own clock, files and network.
  @Suite(.replacements) struct WeatherTests {
    private let station = Station(name: "Rigi", folder: "/stations")

    @Test func morning() throws {
      try replace("Weather.Clock.hour()", with: { 8 })
      #expect(station.greeting() == "Good morning, Rigi")
    }

    @Test func afternoon() throws {
      try replace("Weather.Clock.hour()", with: { 15 })
      #expect(station.greeting() == "Good day, Rigi")
    }

    @Test func alwaysBeforeNoon() throws {
      try replace("Weather.Clock.hour()", with: { original { Clock.hour() } % 12 })
      #expect(station.greeting() == "Good morning, Rigi")
    }

    @Test func hoursOfTheSystem() async {
      for _ in 0..<1_000 {
        #expect((0..<24).contains(Clock.hour()))
        await Task.yield()
      }
    }

    @Test func answerIsStored() async throws {
      try replace("Client.temperature(of:)", with: { (client: Client, place: String) async throws in Double(place.count) })
      let writes = try spy("Files.write(_:to:)")
      try writes.answer(.returning(()))
      #expect(try await station.report() == "4.0 degrees")
      #expect(writes.count == 1)
      #expect(writes[0].argument(0) == "4.0 degrees")
      #expect(writes[0].argument(1) == "/stations/Rigi")
    }

    @Test func serverIsAway() async throws {
      let questions = try spy("Client.temperature(of:)")
      try questions.answer(.throwing(WeatherError.noAnswer("Rigi")))
      try replace("Files.read(_:)", with: { (path: String) in path == "/stations/Rigi" ? "3.5 degrees" : "" })
      #expect(try await station.report() == "3.5 degrees (old)")
      #expect(questions.count { $0.argument(1) == "Rigi" } == 1)
      #expect(questions[0].error as? WeatherError == .noAnswer("Rigi"))
    }

    @Test func nothingIsKnown() async throws {
      try replace("Client.temperature(of:)", with: { (_: Client, place: String) -> Double in throw WeatherError.noAnswer(place) })
      await #expect(throws: WeatherError.noAnswer("Rigi")) { try await station.report() }
    }
  }
#endif
