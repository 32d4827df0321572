#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import Testing

  /// Functions that a deinitializer calls with its object.
  @Suite struct DeallocatedObjectTests {
    @Test("A spy records what identifies an object that is being deallocated, wherever it is in an argument")
    func recorded() throws {
      try withReplacements {
        let names = [
          "Leaving.leave()", "left(_:)", "leftMaybe(_:)", "leftLeaver(_:)", "leftPair(_:)", "leftHolder(_:)", "leftState(_:)",
          "leftList(_:)", "leftObject(_:)", "leftReferences(_:)", "leftError(_:)",
        ]
        let spies = try names.map { name in try spy(name, isMutating: false) }
        let anything = try spy("leftAny(_:)")
        var leaving: Leaving? = Leaving(name: "a name that is longer than a word")
        let identifier = leaving.map { ObjectIdentifier($0) }
        #expect(leaving?.leave().isEmpty == false)
        #expect(spies[0].all.map { $0.arguments.count } == [1] && spies[0][0].argument(0, as: ObjectIdentifier.self) == nil)
        // The spy has retained it.
        spies[0].reset()
        leaving = nil
        for (name, calls) in zip(names, spies) { #expect(calls.all.last?.argument(0) == identifier, "\(name)") }
        #expect(spies[0].all.map { $0.result() } == ["a name that is longer than a word"])
        #expect(anything.all.map { $0.argument(0) } == [identifier, identifier, identifier])
      }
    }

    /// Where such a value has its objects is not known: read as the metadata of the tuple states, the number would be an array.
    @Test("A value with a metatype that has no bytes is recorded")
    func metatypes() throws {
      try withReplacements {
        let kinds = try spy("keptKinds(_:_:)")
        keptKinds(Kinded(0x2_0000_0000), .some(2, String.self, ["b"], 0x2_0000_0000))
        #expect(kinds[0].argument(0, as: Kinded?.self)??.parts.2 == ["a"])
        guard case .some(_, _, ["b"], 0x2_0000_0000)? = kinds[0].argument(1, as: KindedState.self) else {
          Issue.record("\(kinds[0])")
          return
        }
      }
    }

    @Test("A closure gets the object, and an answer is given for it")
    func answered() throws {
      let names = Recorded<String>()
      try withReplacements {
        try replace("left(_:)", with: { (object: Leaving) in names.add(object.name) })
        let calls = try spy("leftMaybe(_:)")
        try calls.answer(.returning(())) { $0.argument(0, as: ObjectIdentifier.self) != nil }
        _ = Leaving(name: "first")
        _ = Leaving(name: "second")
        #expect(names.all == ["first", "second"])
        #expect(calls.count == 2)
      }
    }

    @Test("Objects are asked whether they are being deallocated")
    func isAsked() {
      final class Asked {
        let answers: Answers
        init(_ answers: Answers) { self.answers = answers }
        deinit { answers.all.append(isDeallocating(self)) }
      }
      final class Answers { var all: [Bool] = [] }
      let answers = Answers()
      do {
        let object = Asked(answers)
        answers.all.append(isDeallocating(object))
      }
      #expect(answers.all == [false, true])
    }

    @Test("Durations at the end of their range are cut", arguments: [Int64.max, .min, 5, 0, -5])
    func durations(_ seconds: Int64) {
      let clamped = Duration.seconds(seconds).clamped
      #expect(seconds.magnitude < 10 ? clamped == .seconds(seconds) : clamped == .seconds(1 << 32) * seconds.signum())
      #expect(ContinuousClock().now.advanced(by: clamped).advanced(by: .zero - clamped) < ContinuousClock().now.advanced(by: .seconds(60)))
    }
  }
#endif
