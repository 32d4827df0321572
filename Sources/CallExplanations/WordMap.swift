@_spi(Tools) import CallFrames

/// The words of a call while they are filled with the bytes of its values.
struct WordMap {
  private typealias Run = CallExplanation.Run
  private typealias Word = CallExplanation.Word
  private typealias WordGroup = CallExplanation.WordGroup

  private let names: CallExplanation.RegisterNames
  private let limit: Int
  private var members: MemberBytes.Builder

  // The runs of the words of each register, by the number of the register.
  private var general: [Int: [[Run]]] = [:]
  private var vector: [Int: [[Run]]] = [:]
  private var indirectResult: [Run]?
  private var stack: [[Run]] = []
  private var copies: [Word] = []
  private var copyCount = 0
  private var result: [Word] = []
  private var resultMemory: [Word] = []
  private var resultMemoryCount = 0

  init(names: CallExplanation.RegisterNames, limit: Int, longDoubleSize: Int) {
    self.names = names
    self.limit = limit
    members = MemberBytes.Builder(longDoubleSize: longDoubleSize)
  }

  mutating func addResult(_ value: CallExplanation.Value) {
    if value.isReference {
      addAddress(of: value)
      resultMemoryCount = Self.words(value.size ?? 0)
      resultMemory = memory(value).enumerated().map { Word(name: "+\(8 * $0.offset)", runs: $0.element) }
      return
    }
    let spans = spans(of: value)
    for part in value.parts {
      result += Self.words(spans, part).enumerated().map { Word(name: Self.name(part.place, word: $0.offset), runs: $0.element) }
    }
  }

  mutating func addArgument(_ value: CallExplanation.Value) {
    if case .array = value.type.kind { return addAddress(of: value) }
    if value.isReference {
      addAddress(of: value)
      if copies.count < limit {
        let name = Self.label(value)
        let words = memory(value).enumerated().map { Word(name: "\(name)+\(8 * $0.offset)", runs: $0.element) }
        copies += words.prefix(limit - copies.count)
      }
      copyCount += Self.words(value.size ?? 0)
      return
    }
    // The bytes of a value beyond the limit are on the stack, where no word shows them.
    guard value.parts.contains(where: isShown) else { return }
    let spans = spans(of: value)
    for part in value.parts { add(part, spans) }
  }

  /// Returns the groups that have words, in the order in which they are shown.
  func groups(stackSize: Int) -> [CallExplanation.WordGroup] {
    let generalWords =
      registers(general) { names.name(.general($0), names.generalArguments) }
      + (indirectResult.map { [Word(name: names.name(.indirectResult, []), runs: $0)] } ?? [])
    let vectorWords = registers(vector) { names.name(.vector($0), []) }
    let stackCount = Self.words(stackSize)
    let stackWords = (0..<min(stackCount, limit)).map { index in
      Word(name: "+\(8 * index)", runs: stack.indices.contains(index) ? stack[index] : [])
    }
    return [
      WordGroup(kind: .general, words: generalWords, count: generalWords.count),
      WordGroup(kind: .vector, words: vectorWords, count: vectorWords.count),
      WordGroup(kind: .stack, words: stackWords, count: stackCount),
      WordGroup(kind: .copies, words: copies, count: copyCount),
      WordGroup(kind: .result, words: result, count: result.count),
      WordGroup(kind: .resultMemory, words: resultMemory, count: resultMemoryCount),
    ].filter { !$0.words.isEmpty }
  }

  private func registers(_ registers: [Int: [[Run]]], name: (Int) -> String) -> [Word] {
    guard let last = registers.keys.max() else { return [] }
    return (0...last).flatMap { number in
      (registers[number] ?? [[]]).enumerated().map { Word(name: Self.name(name(number), word: $0.offset), runs: $0.element) }
    }
  }

  // MARK: - Parts

  private mutating func addAddress(of value: CallExplanation.Value) {
    let label = "&" + Self.label(value)
    for part in value.parts {
      add(part, [Span(bytes: part.offset..<part.offset + part.size, argument: value.index, content: .address, label: label)])
    }
  }

  /// Adds the bytes of a part to the words of its register or of the stack.
  private mutating func add(_ part: CallExplanation.Part, _ spans: [Span]) {
    switch part.location {
    case .general(let number)?: general[number] = Self.words(spans, part)
    case .vector(let number)?: vector[number] = Self.words(spans, part)
    case .indirectResult?: indirectResult = Self.words(spans, part).first
    case .stack(let offset)?:
      // Apple's platforms pack small arguments, so that several of them share a word.
      for (index, word) in Self.words(spans, part, from: offset % 8, limit: limit - offset / 8).enumerated() {
        while stack.count <= offset / 8 + index { stack.append([]) }
        stack[offset / 8 + index] += word
      }
    case .x87?, nil: break
    }
  }

  private func isShown(_ part: CallExplanation.Part) -> Bool {
    if case .stack(let offset)? = part.location { offset / 8 < limit } else { true }
  }

  private mutating func memory(_ value: CallExplanation.Value) -> [[Run]] {
    Self.words(spans(of: value), CallExplanation.Part(place: "", offset: 0, size: value.size ?? 0), limit: limit)
  }

  /// Returns the spans of a value: one for each member, and for the padding between members and at the end.
  private mutating func spans(of value: CallExplanation.Value) -> [Span] {
    let label = Self.label(value)
    // The registers of a value have at most 64 bytes, and are shown whatever the limit.
    let size = min(value.size ?? 0, max(8 * limit, 64))
    var spans: [Span] = []
    var end = 0
    func padding(to offset: Int) {
      guard end < offset else { return }
      spans.append(Span(bytes: end..<offset, argument: value.index, content: .padding, label: label))
    }
    for member in members.members(of: value.type, limit: size) {
      padding(to: member.bytes.lowerBound)
      spans.append(Span(bytes: member.bytes, argument: value.index, content: .value, label: label + member.path))
      end = max(end, member.bytes.upperBound)
    }
    padding(to: size)
    return spans
  }

  // MARK: - Words

  /// Bytes of a value that belong to the same member.
  private struct Span {
    /// The bytes in the value.
    var bytes: Range<Int>
    var argument: Int?
    var content: Run.Content
    var label: String

    /// Returns the label of a run of the span that starts at a byte of the value.
    func label(at offset: Int) -> String {
      content == .value && offset > bytes.lowerBound ? "\(label)+\(offset - bytes.lowerBound)" : label
    }
  }

  /// Divides the bytes of a part into words; the part may begin within the first word.
  private static func words(_ spans: [Span], _ part: CallExplanation.Part, from first: Int = 0, limit: Int = .max) -> [[Run]] {
    var words: [[Run]] = []
    for span in spans {
      let bytes = span.bytes.clamped(to: part.offset..<part.offset + part.size)
      var start = bytes.lowerBound
      while start < bytes.upperBound {
        let position = first + start - part.offset
        guard position / 8 < limit else { return words }
        let end = min(bytes.upperBound, start + 8 - position % 8)
        while words.count <= position / 8 { words.append([]) }
        words[position / 8].append(
          Run(
            bytes: position % 8..<position % 8 + end - start, argument: span.argument, content: span.content,
            label: span.label(at: start)))
        start = end
      }
    }
    return words
  }

  private static func words(_ size: Int) -> Int { (size + 7) / 8 }

  private static func name(_ register: String, word: Int) -> String { word == 0 ? register : "\(register)+\(8 * word)" }

  /// The name of a value in labels.
  private static func label(_ value: CallExplanation.Value) -> String { value.index.map { "a\($0)" } ?? "ret" }
}

/// The bytes of a member without members of its own.
struct MemberBytes {
  /// The bytes, from the start of the whole value.
  var bytes: Range<Int>
  /// The members that lead to it: `.origin.x`, `[1]`, empty for the whole value.
  var path: String

  /// Adds the bytes of a bit-field that starts in the last byte.
  fileprivate mutating func join(_ other: MemberBytes) {
    bytes = bytes.lowerBound..<max(bytes.upperBound, other.bytes.upperBound)
    let name = other.path.hasPrefix(".") ? String(other.path.dropFirst()) : other.path
    path = (path + "," + name).shortened(to: Builder.longestPath)
  }
}

extension MemberBytes {
  /// Finds the members of types.
  struct Builder {
    fileprivate static let longestPath = 120
    private static let longestName = 60

    /// The number of bytes of a `long double` that are not padding: 10 on x86-64.
    private let longDoubleSize: Int

    /// The number of members that may still be added.
    ///
    /// An encoding can describe far more members than it has bytes: arrays in unions in arrays. When the number is
    /// used up, a type is one member.
    private var remaining = 65_536

    init(longDoubleSize: Int) { self.longDoubleSize = longDoubleSize }

    /// Returns the members of a type in the order of their bytes, without those that start at a limit or after it.
    ///
    /// A union is one member with the bytes of all its members.
    mutating func members(of type: TypeEncoding, limit: Int) -> [MemberBytes] {
      guard let size = type.size, size > 0, limit > 0 else { return [] }
      let whole = MemberBytes(bytes: 0..<size, path: "")
      guard remaining > 0 else { return [whole] }
      switch type.kind {
      case .scalar(.longDouble):
        return [MemberBytes(bytes: 0..<min(size, longDoubleSize), path: "")]
      case .complex(let part):
        let bytes = part == .longDouble ? min(part.size, longDoubleSize) : part.size
        return [
          MemberBytes(bytes: 0..<bytes, path: ".re"), MemberBytes(bytes: part.size..<part.size + bytes, path: ".im"),
        ]
      case .array, .structure:
        var all: [MemberBytes] = []
        for (index, part) in type.parts.enumerated() {
          guard part.offset < limit else { break }
          let path = part.name.flatMap { $0.isEmpty ? nil : ".\($0.shortened(to: Self.longestName))" } ?? "[\(index)]"
          append(members(of: part, limit: limit), to: &all, at: part.offset, path: path)
        }
        return all
      case .union(let record): return union(of: record.fields ?? [], limit: limit)
      case .void, .scalar, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
        return [whole]
      }
    }

    /// Returns the members of a member, from its first byte.
    private mutating func members(of field: TypeEncoding.Field, limit: Int) -> [MemberBytes] {
      guard case .bitField = field.type.kind else { return members(of: field.type, limit: limit - field.offset) }
      guard let bits = field.bits, !bits.isEmpty else { return [] }
      return [MemberBytes(bytes: 0..<(bits.upperBound + 7) / 8 - field.offset, path: "")]
    }

    private mutating func union(of fields: [TypeEncoding.Field], limit: Int) -> [MemberBytes] {
      var ranges: [Range<Int>] = []
      for field in fields { ranges += members(of: field, limit: limit).map(\.bytes) }
      ranges.sort { $0.lowerBound < $1.lowerBound }
      var all: [MemberBytes] = []
      for range in ranges {
        if let last = all.last, last.bytes.upperBound >= range.lowerBound {
          all[all.count - 1].bytes = last.bytes.lowerBound..<max(last.bytes.upperBound, range.upperBound)
        } else {
          all.append(MemberBytes(bytes: range, path: ""))
        }
      }
      return all
    }

    private mutating func append(_ members: [MemberBytes], to all: inout [MemberBytes], at offset: Int, path: String) {
      for member in members {
        remaining -= 1
        let moved = MemberBytes(
          bytes: member.bytes.lowerBound + offset..<member.bytes.upperBound + offset,
          path: (path + member.path).shortened(to: Self.longestPath))
        if let last = all.last, last.bytes.upperBound > moved.bytes.lowerBound {
          all[all.count - 1].join(moved)
        } else {
          all.append(moved)
        }
      }
    }
  }
}
