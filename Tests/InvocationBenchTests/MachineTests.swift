import Foundation
import Testing

@testable import BenchmarkSupport

@Suite struct MachineTests {
  private let cpuInfo = """
    processor\t: 0
    model\t\t: 1
    model name\t: A Processor: 2.0 GHz

    processor\t: 1
    model name\t: A Processor: 2.0 GHz
    power management:
    """

  @Test func valueIsThatOfTheWholeKey() {
    #expect(Machine.value(of: "model name", in: cpuInfo) == "A Processor: 2.0 GHz")
    #expect(Machine.value(of: "model", in: cpuInfo) == "1")
    #expect(Machine.value(of: "power management", in: cpuInfo) == nil)
    #expect(Machine.value(of: "name", in: cpuInfo) == nil)
    #expect(Machine.count(of: "processor", in: cpuInfo) == 2)
    #expect(Machine.count(of: "absent", in: cpuInfo) == 0)
  }

  @Test(arguments: [
    ("NAME=a\nPRETTY_NAME=\"Some Linux 12 (name)\"\n", "Some Linux 12 (name)"), ("PRETTY_NAME=Plain", "Plain"), ("NAME=a", nil),
    ("PRETTY_NAME=\"\"", nil), ("", nil),
  ])
  func systemIsThePrettyName(text: String, name: String?) { #expect(Machine.prettyName(inOSRelease: text) == name) }

  @Test(arguments: [
    ("Swift version 6.3.1 (swift-6.3.1-RELEASE)\nTarget: x86_64-unknown-linux-gnu", "6.3.1 (swift-6.3.1-RELEASE)"),
    ("swift-driver version: 1.1 Apple Swift version 6.2 (swiftlang-6.2)\nTarget: arm64", "6.2 (swiftlang-6.2)"), ("Target: x", nil),
  ])
  func swiftVersionIsWithoutTheTarget(text: String, version: String?) {
    #expect(Machine.swiftVersion(inOutput: text) == version)
  }

  @Test(arguments: [
    ("/a/Benchmarks/REPORT.md", true), ("/a/Benchmarks/Plots/W2.svg", true), ("/a/Benchmarks/Plots2/W2.svg", false),
    ("/a/Benchmarks/README.md", false), ("/Benchmarks/REPORT.md", false),
  ])
  func outputsAreNoChanges(path: String, isOutput: Bool) {
    #expect(Machine.isWithin(path, ["/a/b/../Benchmarks/REPORT.md", "/a/Benchmarks/Plots/"]) == isOutput)
  }

  @Test func thisMachineHasAProcessor() {
    let machine = Machine.current(outputs: [])
    #expect(machine.processors > 0)
    #expect(machine.kernel?.isEmpty == false)
    #expect(machine.system?.isEmpty == false)
  }

  @Test func outputOfAToolIsTrimmedAndNilWhenItFails() throws {
    let shell = try #require(Tool("/bin/sh"))
    #expect(shell.output(["-c", "echo; echo \"$LC_ALL\"; echo error >&2"]) == "C")
    #expect(shell.output(["-c", "echo text; exit 3"]) == nil)
    #expect(Tool("/bin") == nil || Tool("/bin")?.output([]) == nil)
    #expect(Tool("./nonexistent") == nil)
  }
}
