extension SymbolPrinter {
  /// Prints a function type: its attributes, parameters with labels, effects and result.
  mutating func printFunctionType(_ type: Node, labels: Node?) {
    let kind = tree.kind(type)
    guard kind.isFunctionType else { return printType(type) }
    switch kind {
    case .autoclosureType, .escapingAutoclosureType: write("@autoclosure ")
    case .thinFunctionType: write("@convention(thin) ")
    case .blockType: write("@convention(block) ")
    case .escapingBlockType: write("@escaping @convention(block) ")
    case .cFunctionType: write("@convention(c) ")
    default: break
    }
    let parts = tree.children(type)
    let marks = parts.dropLast(2)
    for mark in marks {
      switch tree.kind(mark) {
      case .isolatedAnyMark: write("@isolated(any) ")
      case .callerIsolatedMark: write("nonisolated(nonsending) ")
      case .globalActorMark:
        write("@")
        print(tree.child(mark, 0))
        write(" ")
      case .differentiableMark: write(Self.differentiability(tree.index(mark)))
      default: break
      }
    }
    if contains(.sendableMark, marks) { write("@Sendable ") }
    printParameters(parts[parts.endIndex - 2], labels: labels)
    if contains(.asyncMark, marks) { write(" async") }
    if contains(.throwsMark, marks) { write(" throws") }
    if let error = marks.first(where: { tree.kind($0) == .typedThrowsMark }) {
      write(" throws(")
      print(tree.child(error, 0))
      write(")")
    }
    write(" -> ")
    if contains(.sendingResultMark, marks) { write("sending ") }
    print(parts[parts.endIndex - 1])
  }

  private func contains(_ kind: SymbolNodeKind, _ marks: ArraySlice<Node>) -> Bool { marks.contains { tree.kind($0) == kind } }

  private static func differentiability(_ letter: Int) -> String {
    switch letter {
    case 0x66: "@differentiable(_forward) "
    case 0x72: "@differentiable(reverse) "
    case 0x6C: "@differentiable(_linear) "
    default: "@differentiable "
    }
  }

  private mutating func printParameters(_ parameters: Node, labels: Node?) {
    write("(")
    defer { write(")") }
    guard tree.kind(parameters) == .tuple else {
      if let labels, tree.childCount(labels) > 0 { writeLabel(tree.child(labels, 0)) }
      print(parameters)
      return
    }
    var isFirst = true
    for (position, element) in tree.children(parameters).enumerated() {
      if !isFirst { write(", ") }
      isFirst = false
      if let labels, tree.childCount(labels) > position { writeLabel(tree.child(labels, position)) }
      print(element)
    }
  }

  private mutating func writeLabel(_ label: Node) {
    if tree.kind(label) == .identifier { writeText(of: label) } else { write("_") }
    write(": ")
  }

  /// The name of a generic parameter: a letter for its number, and its depth.
  static func parameterName(_ index: Int) -> String {
    let (depth, position) = (index >> 16, index & 0xFFFF)
    var name = ""
    var rest = position
    repeat {
      name.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "A") + UInt8(rest % 26)))
      rest /= 26
    } while rest > 0
    return depth == 0 ? name : "\(name)\(depth)"
  }

  mutating func printSignature(_ signature: Node) {
    let parts = tree.children(signature)
    let counts = parts.prefix { tree.kind($0) == .genericParameterCount }
    let markers = parts.filter { tree.kind($0) == .packMarker || tree.kind($0) == .valueMarker }
    let requirements = parts.dropFirst(counts.count).drop { tree.kind($0) == .packMarker || tree.kind($0) == .valueMarker }
    write("<")
    for (depth, count) in counts.enumerated() {
      if depth > 0 { write("><") }
      for position in 0..<tree.index(count) {
        if position > 0 { write(", ") }
        if position >= 128 {
          write("...")
          break
        }
        let number = depth << 16 | position
        let marker = markers.first { tree.index(tree.child($0, 0)) == number }
        switch marker.map({ tree.kind($0) }) {
        case .packMarker?: write("each ")
        case .valueMarker?: write("let ")
        default: break
        }
        write(Self.parameterName(number))
        if let marker, tree.kind(marker) == .valueMarker {
          write(": ")
          print(tree.child(marker, 1))
        }
      }
    }
    if !requirements.isEmpty {
      write(" where ")
      printList(requirements)
    }
    write(">")
  }

  mutating func printRequirement(_ node: Node) {
    switch tree.kind(node) {
    case .conformanceRequirement:
      print(tree.child(node, 0))
      write(": ")
      print(tree.child(node, 1))
    case .sameTypeRequirement:
      print(tree.child(node, 0))
      write(" == ")
      print(tree.child(node, 1))
    case .sameShapeRequirement:
      print(tree.child(node, 0))
      write(".shape == ")
      print(tree.child(node, 1))
      write(".shape")
    case .inverseRequirement:
      print(tree.child(node, 0))
      switch tree.index(node) {
      case 0: write(": ~Swift.Copyable")
      case 1: write(": ~Swift.Escapable")
      default: write(": ~Swift.<bit \(tree.index(node))>")
      }
    case .layoutRequirement:
      print(tree.child(node, 0))
      write(": ")
      writeText(of: node)
    case .packMarker, .valueMarker: print(tree.child(node, 0))
    default: for child in tree.children(node) { print(child) }
    }
  }
}
