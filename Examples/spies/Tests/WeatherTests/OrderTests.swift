// Release builds have no functions that can be replaced.
#if DEBUG
  import FunctionReplacement
  import Testing

  @testable import Weather

  extension Spy.Answer {
    /// Fails the test, for a call that nobody has stated.
    static let notStated: Spy.Answer = .computed { call in
      Issue.record("not stated: \(call)")
      return .original
    }
  }

  /// What several functions do: in which order, later, and nothing else.
  @Suite(.replacements) struct OrderTests {
    private let station = Station(name: "Rigi", folder: "/stations")
    private let questions: Spy
    private let files: SpyGroup

    init() throws {
      questions = try spy("Client.temperature(of:)")
      try questions.answer(.computed { call in .returning(Double(call["of", as: String.self]?.count ?? 0)) })
      files = try spyAll(of: "Weather.Files", otherwise: .notStated)
      try files["write(_:to:)"]?.answer(.returning(()))
    }

    @Test func answerIsStoredAfterTheQuestion() async throws {
      #expect(try await station.report() == "4.0 degrees")
      #expect(inOrder(questions.all.first, files.all.first))
      #expect(files.all.map(\.name) == ["Weather.Files.write(_:to:)"])
      #expect(files.all[0]["to"] == "/stations/Rigi")
    }

    @Test func reportComesInTime() async throws {
      async let report = station.report()
      let write = try await #require(files["write(_:to:)"]).wait(within: .seconds(60))[0]
      #expect(write.argument(0) == "4.0 degrees")
      #expect(try await report == "4.0 degrees")
    }

    @Test func secondQuestionFails() async throws {
      try questions.answer(.throwing(WeatherError.noAnswer("Rigi"))) { $0.number == 1 }
      try files["read(_:)"]?.answer(.returning("4.0 degrees"))
      #expect(try await station.report() == "4.0 degrees")
      #expect(try await station.report() == "4.0 degrees (old)")
    }
  }
#endif
