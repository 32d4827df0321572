extension CallExplanation {
  /// Where one value travels, in words and in parts.
  struct Place {
    var location: String
    var parts: [Part] = []

    static let nothing = Place(location: "nothing")
    /// A value behind one that was refused: its place depends on that one.
    static let unknown = Place(location: "not placed, an earlier value is refused")
    static func refused(_ error: InvocationError) -> Place { Place(location: "refused: \(error.reason)") }
  }

  /// Where all values of a signature travel.
  struct Places {
    var result: Place = .nothing
    var arguments: [Place] = []
    var stackSize: Int?

    /// Places the values by a convention.
    init(_ types: MethodTypes, _ convention: any CallingConvention, _ names: RegisterNames) {
      place(types) { types throws(InvocationError) in
        let layout = try convention.layout(of: types)
        return (
          names.place(ofResult: layout.result),
          layout.arguments.enumerated().map { names.place(ofArgument: $0.element, as: types.arguments[$0.offset]) }, layout.stackSize
        )
      }
    }

    /// Tells what libffi is given for each value on this host.
    init(loweringOf types: MethodTypes, fixedCount: Int?) {
      place(types) { part throws(InvocationError) in
        let plan = try CallPlan.make(part, fixedCount: fixedCount.map { min($0, part.arguments.count) }, lane: .libffi)
        guard case .libffi(let lane) = plan.backend else { preconditionFailure("a plan of another lane than was asked for") }
        let lowering = lane.lowering
        return (lowering.place(ofResult: part.result), lowering.places(plan), lowering.stackSize)
      }
    }

    /// Runs a closure on all types; when one of them is refused, on those before it.
    private mutating func place(
      _ types: MethodTypes,
      _ layOut: (MethodTypes) throws(InvocationError) -> (result: Place, arguments: [Place], stackSize: Int)
    ) {
      do throws(InvocationError) {
        (result, arguments, stackSize) = try layOut(types)
      } catch {
        var known = types.arguments.count
        var resultType = types.result
        var refusedResult: Place?
        switch error.argument {
        case .index(let index)?: known = index
        case .result?:
          // The arguments of a refused result are placed as those of a function without one.
          resultType = TypeEncoding(.void)
          refusedResult = .refused(error)
        case nil:
          known = 0
          resultType = TypeEncoding(.void)
          refusedResult = .refused(error)
        }
        let prefix = MethodTypes(result: resultType, arguments: Array(types.arguments.prefix(known)))
        do throws(InvocationError) {
          (result, arguments, _) = try layOut(prefix)
          if known < types.arguments.count, case .index? = error.argument { arguments.append(.refused(error)) }
        } catch let second {
          // The first argument of a function whose result is refused is refused too.
          result = .unknown
          arguments = []
          if case .index(let index)? = second.argument {
            arguments = Array(repeating: .unknown, count: index) + [.refused(second)]
          }
        }
        if let refusedResult { result = refusedResult }
        while arguments.count < types.arguments.count { arguments.append(.unknown) }
      }
    }
  }
}
