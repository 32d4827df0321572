import CallFrames

extension CallExplanation {
  /// The locations in which one value is passed, as text and as parts.
  struct Place {
    var location: String
    var parts: [Part] = []
    /// Whether the parts are the address of the value.
    var isReference = false

    static let nothing = Place(location: "nothing")
    /// The location of a value after one that was rejected, on which it depends.
    static let unknown = Place(location: "not placed, an earlier value is refused")
    static func refused(_ error: InvocationError) -> Place { Place(location: "refused: \(error.reason)") }
  }

  /// The locations in which all values of a signature are passed.
  struct Places {
    var result: Place = .nothing
    var arguments: [Place] = []
    var stackSize: Int?

    /// Assigns locations according to a convention.
    init(_ types: MethodTypes, fixedCount: Int?, _ convention: any CallingConvention, _ names: RegisterNames) {
      place(types) { types throws(InvocationError) in
        let layout = try convention.layout(of: types, fixedCount: fixedCount)
        return (
          names.place(ofResult: layout.result),
          layout.arguments.enumerated().map { names.place(ofArgument: $0.element, as: types.arguments[$0.offset]) }, layout.stackSize
        )
      }
    }

    /// Describes what is passed to libffi for each value on this host.
    init(loweringOf types: MethodTypes, fixedCount: Int?) {
      place(types) { part throws(InvocationError) in
        let plan = try CallPlan.make(part, fixedCount: fixedCount.map { min($0, part.arguments.count) }, backend: .libffi)
        guard case .libffi(let backend) = plan.backend else { preconditionFailure("a plan of another backend than was asked for") }
        let lowering = backend.lowering
        return (lowering.place(ofResult: part.result), lowering.places(plan), lowering.stackSize)
      }
    }

    /// Calls a closure with all types or, if one of them is rejected, with the types before it.
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
          // If the result is rejected, the arguments get the locations that they have in a function without a result.
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
          // Another value is rejected after the result or an argument was. The locations of the values before it are
          // unknown.
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

extension CallExplanation {
  /// The register names of a convention.
  struct RegisterNames {
    var generalArguments: [String]
    var generalResults: [String]
    var vector: String

    static let systemV = RegisterNames(
      generalArguments: ["rdi", "rsi", "rdx", "rcx", "r8", "r9"], generalResults: ["rax", "rdx"], vector: "xmm")

    static let aapcs64 = RegisterNames(
      generalArguments: (0...7).map { "x\($0)" }, generalResults: (0...7).map { "x\($0)" }, vector: "v")

    /// Returns the location of an argument.
    ///
    /// An array is passed as the address of its first element.
    func place(ofArgument placement: CallLayout.Placement, as type: TypeEncoding) -> Place {
      var place = place(placement, generalArguments)
      if case .array = type.kind { place.location = "address of the first element in \(place.location)" }
      return place
    }

    /// Returns the location of a result.
    ///
    /// A result in memory is written to the address that the caller passes.
    func place(ofResult placement: CallLayout.Placement) -> Place {
      place(placement, placement.passing == .reference ? generalArguments : generalResults)
    }

    private func place(_ placement: CallLayout.Placement, _ general: [String]) -> Place {
      let parts = placement.pieces.map {
        Part(place: name($0.location, general), offset: $0.offset, size: $0.size, location: $0.location)
      }
      let location = Part.location(parts)
      let isReference = placement.passing == .reference
      return Place(location: isReference ? "by reference in \(location)" : location, parts: parts, isReference: isReference)
    }

    /// Returns the name of a location, with the general registers of arguments or of results.
    func name(_ location: CallLayout.Location, _ general: [String]) -> String {
      switch location {
      case .general(let number): general.indices.contains(number) ? general[number] : "general register \(number)"
      case .vector(let number): "\(vector)\(number)"
      case .x87(let number): "st(\(number))"
      case .indirectResult: "x8"
      case .stack(let offset): "stack+\(offset)"
      }
    }
  }
}

extension CallExplanation.Part {
  /// Returns the text of the parts: the location of a single part, or the location and the bytes of each of several
  /// parts.
  static func location(_ parts: [Self]) -> String {
    guard parts.count > 1 else { return parts.first?.place ?? "nothing" }
    return parts.map { "\($0.place) (bytes \($0.offset)-\($0.offset + $0.size - 1))" }.joined(separator: ", ")
  }
}
