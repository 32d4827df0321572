public import EventRouting

extension EventScript {
  /// Executes the script with the engine and with the reference model.
  ///
  /// No handler of a script is suspended, so that the task ends at once.
  ///
  /// - Parameter check: Called between steps with the root of each tree of the engine's own nodes.
  /// - Returns: The first difference between the two, or nil if they agree.
  @MainActor public func difference(checking check: @escaping (ResponderNode) -> Void = { _ in }) -> String? {
    let box = Box()
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return "this system has no immediate task" }
    Task.immediate { box.difference = await compare(check) }
    return box.difference
  }

  /// Does the same on a thread without an actor, and without asynchronous handlers, which are the main actor's.
  public func differenceOnThisThread() -> String? {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return "this system has no immediate task" }
    var changed = self
    for index in changed.handlers.indices { changed.handlers[index].isAsynchronous = false }
    let script = changed
    let box = Box()
    Task.immediate { box.difference = await script.compare { _ in } }
    return box.difference
  }

  /// The result of an immediate task, which runs on the thread that reads it.
  private final class Box: @unchecked Sendable { var difference: String? = "the script was suspended" }

  private nonisolated(nonsending) func compare(_ check: @escaping (ResponderNode) -> Void) async -> String? {
    let model = ReferenceModel(self)
    model.run()
    let run = ScriptRun(self, checking: check)
    await run.run()
    let journal = run.journal
    let equalities = run.equalities
    let leaked = run.end()
    if let place = zip(journal, model.journal).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      return "entry \(place) of the engine's journal is\n\(journal[place])\nof the model's\n\(model.journal[place])\n"
        + "after\n\(journal[max(0, place - 12)..<place].joined(separator: "\n"))"
    }
    if journal.count != model.journal.count {
      let longer = journal.count > model.journal.count ? journal : model.journal
      return "the engine has \(journal.count) entries, the model \(model.journal.count); the next is\n"
        + longer[min(journal.count, model.journal.count)]
    }
    for (place, (isEqual, mustBeEqual)) in zip(equalities, model.equalities).enumerated() where mustBeEqual && !isEqual {
      return "the dry run before report \(place) differs from it\n\(journal.joined(separator: "\n"))"
    }
    return leaked.isEmpty ? nil : "leaked: \(leaked.joined(separator: ", "))"
  }
}

extension EventScript: CustomStringConvertible {
  /// The script as text, with a line per node, handler and step.
  public var description: String {
    var lines = ["\(trees), \(proxyCount) proxies"]
    lines += nodes.enumerated().map { "n\($0): \($1)" }
    lines += handlers.enumerated().map { "handler \($0): \($1)" }
    lines += steps.map { "\($0)" }
    return lines.joined(separator: "\n").replacing("EventRoutingModel.EventScript.", with: "").replacing("EventRouting.", with: "")
  }
}
