#if Tools
  import ArgumentParser
  import EventRouting
  import ListPage

  /// `invoke events`: shows an example of event routing, with its report and its picture.
  struct EventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "events",
      abstract: "Sends events through the page of a list, tells their way, and draws it.",
      discussion: """
        A cell sends what happens to its button: A and B, each with the button, its tag, its frame and a null. The table cell around it takes B and \
        sends it on as C, changed; the controller handles A and C. Other keys nobody handles; the report then says what is near.

        The exit status is 1 when nobody handled one of the events.

        EXAMPLES:
          invoke events
          invoke events A B BB
          invoke events B --json
          invoke events B --mermaid page.mmd
          invoke events B --dot - | dot -Tsvg > page.svg
        """)

    @Argument(help: "The keys to send.")
    var keys: [String] = ["A", "B"]

    @Option(
      name: .long, help: ArgumentHelp("Where to write the picture of the last event as Mermaid; - for standard output.", valueName: "file"))
    var mermaid: String?

    @Option(name: .long, help: ArgumentHelp("Where to write the same for Graphviz.", valueName: "file"))
    var dot: String?

    @Flag(name: .long, help: "Print a line of JSON for each event.")
    var json = false

    func validate() throws {
      if json, mermaid == "-" || dot == "-" { throw ValidationError("--json and a picture cannot both go to standard output.") }
    }

    func run() throws {
      let page = try ListPage()
      // The reports contain what warnings would log.
      let reports = EventLog.withLogger(nil) { keys.map { page.send(EventKey($0)) } }
      // A picture on standard output is the only output, so that another program can read it.
      if json {
        for report in reports { try FileOutput.standardOutput.write(line: report.json) }
      } else if mermaid != "-", dot != "-" {
        for report in reports { try FileOutput.standardOutput.write(line: "\(report)") }
        for call in page.calls { try FileOutput.standardOutput.write(line: "controller.\(call)") }
      }
      if let last = reports.last {
        let picture = page.picture(of: last)
        if let mermaid { try PictureFile.write(picture.mermaid, to: mermaid) }
        if let dot { try PictureFile.write(picture.dot, to: dot) }
      }
      let unhandled = reports.filter(\.isUnhandled).map { "\"\($0.key.name)\"" }
      if !unhandled.isEmpty { throw ReportedError.report("nobody handled \(unhandled.joined(separator: ", "))") }
    }
  }

  extension DispatchReport {
    /// The report as JSON.
    fileprivate var json: JSONValue {
      [
        "key": .string(key.name), "sender": .string(sender.name), "handled": .bool(!isUnhandled),
        "handledBy": .array(handledBy.map { .string($0.name) }), "visits": .array(visits.map(\.json)),
        "routingError": routingError.map { .string("\($0)") }, "diagnosis": diagnosis.map { .string("\($0)") },
      ]
    }
  }

  extension DispatchReport.Visit {
    fileprivate var json: JSONValue {
      [
        "node": .optional(responder?.name), "depth": .integer(depth), "key": .string(key.name), "answer": .string("\(answer)"),
        "errors": .strings(errors.map { "\($0)" }),
        "sentOn": rewrite.map { ["key": .string($0.to.name), "arguments": .array($0.arguments.map { .string($0) })] },
      ]
    }
  }
#endif
