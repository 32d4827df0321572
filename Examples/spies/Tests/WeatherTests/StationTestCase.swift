// Release builds have no functions that can be replaced.
#if DEBUG
  import FunctionReplacement
  import XCTest

  @testable import Weather

  /// The same with XCTest: each test has replacements of its own.
  final class StationTestCase: XCTestCase {
    override func invokeTest() { withReplacements { super.invokeTest() } }

    func testMorning() throws {
      try replace("Weather.Clock.hour()", with: { 8 })
      XCTAssertEqual(Station(name: "Rigi", folder: "/stations").greeting(), "Good morning, Rigi")
    }

    func testServerIsAway() async throws {
      let questions = try spy("Client.temperature(of:)")
      try questions.answer(.throwing(WeatherError.noAnswer("Rigi")))
      try replace("Files.read(_:)", with: { (_: String) in "3.5 degrees" })
      let report = try await Station(name: "Rigi", folder: "/stations").report()
      XCTAssertEqual(report, "3.5 degrees (old)")
      XCTAssertEqual(questions.count, 1)
    }
  }
#endif
