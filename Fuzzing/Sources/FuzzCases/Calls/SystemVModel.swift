import DynamicInvocation

/// The locations of the values of a call in the System V convention of x86-64, written from the text of the psABI,
/// section 3.2.3.
///
/// The model examines a value bit by bit and shares no code with the engine. Each of any number of eightbytes has a
/// class, and the rules are applied in the order of the text.
struct SystemVModel {
  enum Class { case noClass, integer, sse, sseUp, x87, x87Up, complexX87, memory }

  /// A range of a value's bytes and its location, with the name that an explanation uses.
  struct Part: Hashable {
    var place: String
    var offset: Int
    var size: Int
  }

  private(set) var result: [Part] = []
  private(set) var arguments: [[Part]] = []

  private static let generalNames = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]

  /// Assigns locations to the values, all of whose types the convention defines.
  ///
  /// Returns nil for a result whose classes it does not define.
  init?(result type: TypeEncoding, arguments types: [TypeEncoding]) {
    var general = 0
    var vector = 0
    var stack = 0
    // Returning of values.
    if let size = type.size, size > 0 {
      let classes = Self.classes(of: type)
      switch classes[0] {
      case .memory:
        general = 1
        result = [Part(place: "rdi", offset: 0, size: 8)]
      case .complexX87: result = [Part(place: "st(0)", offset: 0, size: 16), Part(place: "st(1)", offset: 16, size: 16)]
      case .x87:
        guard classes[1] == .x87Up else { return nil }
        result = [Part(place: "st(0)", offset: 0, size: 16)]
      default:
        var (integers, vectors) = (["rax", "rdx"][...], ["xmm0", "xmm1"][...])
        result = Self.parts(classes, size) { $0 == .integer ? integers.removeFirst() : vectors.removeFirst() }
      }
    }
    // Passing: the value is passed in registers if all of it fits.
    for type in types {
      var (size, alignment) = (type.size ?? 0, type.alignment ?? 1)
      var classes = Self.classes(of: type)
      // An array is passed as the address of its first element.
      if case .array = type.kind { (size, alignment, classes) = (8, 8, [.integer]) }
      guard size > 0 else {
        arguments.append([])
        continue
      }
      let integers = classes.count { $0 == .integer }
      let vectors = classes.count { $0 == .sse }
      let isInRegisters = classes.allSatisfy { [.noClass, .integer, .sse, .sseUp].contains($0) }
      if isInRegisters, general + integers <= 6, vector + vectors <= 8 {
        arguments.append(
          Self.parts(classes, size) { eightbyte in
            if eightbyte == .integer {
              general += 1
              return Self.generalNames[general - 1]
            }
            vector += 1
            return "xmm\(vector - 1)"
          })
      } else {
        while stack % 8 != 0 || stack % alignment != 0 { stack += 1 }
        arguments.append([Part(place: "stack+\(stack)", offset: 0, size: size)])
        stack += size
      }
    }
  }

  /// Returns the parts of a value in registers.
  ///
  /// Each class except for "no class" and the upper halves takes a new register.
  private static func parts(_ classes: [Class], _ size: Int, _ take: (Class) -> String) -> [Part] {
    var parts: [Part] = []
    for (index, eightbyte) in classes.enumerated() where eightbyte != .noClass {
      let bytes = min(8, size - 8 * index)
      if eightbyte == .sseUp {
        parts[parts.count - 1].size += bytes
      } else {
        parts.append(Part(place: take(eightbyte), offset: 8 * index, size: bytes))
      }
    }
    return parts
  }

  /// Returns the class of each eightbyte of a value.
  private static func classes(of type: TypeEncoding) -> [Class] {
    guard let size = type.size, size > 0 else { return [] }
    if case .complex(.longDouble) = type.kind { return Array(repeating: .complexX87, count: 4) }
    let count = (size + 7) / 8
    // Larger than two eightbytes, and not a vector itself: "the whole argument is passed in memory".
    if size > 16 { return Array(repeating: .memory, count: count) }
    var classes: [Class] = Array(repeating: .noClass, count: count)
    merge(type, at: 0, into: &classes)
    return merged(classes)
  }

  /// Merges the classes of a part that begins at a byte.
  private static func merge(_ type: TypeEncoding, at start: Int, into classes: inout [Class]) {
    /// Merges each byte separately; "if it has unaligned fields, it has class MEMORY".
    func mark(_ size: Int, aligned alignment: Int, _ own: (Int) -> Class) {
      for byte in 0..<size {
        let place = (start + byte) / 8
        classes[place] = merged(classes[place], start % alignment == 0 ? own(byte) : .memory)
      }
    }
    switch type.kind {
    case .scalar(let scalar):
      mark(scalar.size, aligned: scalar.size) { byte in
        switch scalar {
        case .float, .double, .float16: .sse
        case .longDouble: byte < 8 ? .x87 : .x87Up
        default: .integer
        }
      }
    case .complex(let part):
      for index in 0...1 { merge(TypeEncoding(scalar: part), at: start + index * part.size, into: &classes) }
    case .vector(_, _, let size, _): mark(size, aligned: size) { $0 < 8 ? .sse : .sseUp }
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: mark(8, aligned: 8) { _ in .integer }
    case .array(let count, let element):
      aggregate(into: &classes) { classes in
        guard let stride = element.stride, stride > 0 else { return }
        for index in 0..<count { part(element, at: start + index * stride, into: &classes) }
      }
    case .structure(let record), .union(let record):
      aggregate(into: &classes) { classes in
        for field in record.fields ?? [] {
          guard case .bitField = field.type.kind else {
            part(field.type, at: start + field.offset, into: &classes)
            continue
          }
          for bit in field.bits ?? 0..<0 {
            let place = (8 * start + bit) / 64
            classes[place] = merged(classes[place], .integer)
          }
        }
      }
    case .void, .unknown, .bitField: break
    }
  }

  /// Merges the classes of a member or an element.
  ///
  /// An aggregate, too, is an unaligned field where its alignment says so, even if its scalars are aligned. An atomic
  /// part makes it an object that clang copies to memory.
  private static func part(_ type: TypeEncoding, at start: Int, into classes: inout [Class]) {
    if start % (type.alignment ?? 1) != 0 || type.qualifiers.contains(.atomic) {
      classes = Array(repeating: .memory, count: classes.count)
    }
    merge(type, at: start, into: &classes)
  }

  /// "Each field of an object is classified recursively": a nested aggregate is classified completely first.
  private static func aggregate(into classes: inout [Class], _ body: (inout [Class]) -> Void) {
    var own: [Class] = Array(repeating: .noClass, count: classes.count)
    body(&own)
    own = merged(own)
    for index in classes.indices { classes[index] = merged(classes[index], own[index]) }
  }

  /// Applies the rules for two classes in one eightbyte, (a) to (f).
  private static func merged(_ left: Class, _ right: Class) -> Class {
    if left == right { return left }
    if left == .noClass { return right }
    if right == .noClass { return left }
    if [left, right].contains(.memory) { return .memory }
    if [left, right].contains(.integer) { return .integer }
    if [left, right].contains(where: { [.x87, .x87Up, .complexX87].contains($0) }) { return .memory }
    return .sse
  }

  /// Applies the post-merger cleanup, (a) to (d).
  private static func merged(_ classes: [Class]) -> [Class] {
    var classes = classes
    let isUpAlone = classes.indices.contains { classes[$0] == .x87Up && ($0 == 0 || classes[$0 - 1] != .x87) }
    if classes.contains(.memory) || isUpAlone { return Array(repeating: .memory, count: classes.count) }
    for index in classes.indices where classes[index] == .sseUp {
      if index == 0 || ![.sse, .sseUp].contains(classes[index - 1]) { classes[index] = .sse }
    }
    return classes
  }
}
