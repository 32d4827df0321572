extension CallExplanation {
  /// The registers of a convention by name.
  struct RegisterNames {
    var generalArguments: [String]
    var generalResults: [String]
    var vector: String

    static let systemV = RegisterNames(
      generalArguments: ["rdi", "rsi", "rdx", "rcx", "r8", "r9"], generalResults: ["rax", "rdx"], vector: "xmm")

    static let aapcs64 = RegisterNames(
      generalArguments: (0...7).map { "x\($0)" }, generalResults: (0...7).map { "x\($0)" }, vector: "v")

    /// Where an argument travels; an array is the address of its first element.
    func place(ofArgument placement: Placement, as type: TypeEncoding) -> Place {
      var place = place(placement, generalArguments)
      if case .array = type.kind { place.location = "address of the first element in \(place.location)" }
      return place
    }

    /// Where a result travels.
    ///
    /// One in memory is written to the address that the caller gives.
    func place(ofResult placement: Placement) -> Place {
      place(placement, placement.passing == .reference ? generalArguments : generalResults)
    }

    private func place(_ placement: Placement, _ general: [String]) -> Place {
      let parts = placement.pieces.map { Part(place: name($0.location, general), offset: $0.offset, size: $0.size) }
      let location = Part.location(parts)
      return Place(location: placement.passing == .reference ? "by reference in \(location)" : location, parts: parts)
    }

    private func name(_ location: Location, _ general: [String]) -> String {
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
  /// The parts in words: the place of one, the bytes in each place of several.
  static func location(_ parts: [Self]) -> String {
    guard parts.count > 1 else { return parts.first?.place ?? "nothing" }
    return parts.map { "\($0.place) (bytes \($0.offset)-\($0.offset + $0.size - 1))" }.joined(separator: ", ")
  }
}
