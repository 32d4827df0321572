import TestSupport
import Testing

/// The tables of scenarios, each row for nodes and for another class, sent and awaited.
@MainActor
@Suite(.measured) struct ScenarioTests {
  private nonisolated static func rows(_ text: String) -> [Scenario] { Scenario.all(in: text) }

  private func check(_ scenario: Scenario, _ variant: Scenario.Variant) async throws {
    let failures = try await ScenarioRun.failures(of: scenario, variant)
    #expect(failures.isEmpty, "\(scenario.title)\n\(failures.joined(separator: "\n"))")
  }

  @Test(arguments: rows(Scenario.presets + "\n" + Scenario.resends), Scenario.Variant.all)
  func routing(scenario: Scenario, variant: Scenario.Variant) async throws { try await check(scenario, variant) }

  @Test(arguments: rows(Scenario.changes + "\n" + Scenario.phases + "\n" + Scenario.handlers), Scenario.Variant.all)
  func changing(scenario: Scenario, variant: Scenario.Variant) async throws { try await check(scenario, variant) }
}
