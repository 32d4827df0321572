public import DynamicInvocation

/// Reduces a failing signature to the smallest one that still fails.
public struct SignatureShrinker {
  private let fails: (CallSignature) -> Bool

  /// The smallest failing signature so far.
  public private(set) var signature: CallSignature

  /// The number of signatures that were tried.
  public private(set) var attempts: Int = 0

  /// Creates a shrinker of a failing signature.
  ///
  /// A signature that cannot be compiled or is rejected does not count as failing.
  public init(_ signature: CallSignature, fails: @escaping (CallSignature) -> Bool) {
    self.signature = signature
    self.fails = fails
  }

  /// Returns the smallest failing signature that was found.
  public static func shrunk(_ signature: CallSignature, fails: @escaping (CallSignature) -> Bool) -> CallSignature {
    var shrinker = SignatureShrinker(signature, fails: fails)
    shrinker.run()
    return shrinker.signature
  }

  /// Shrinks until no step makes the signature smaller.
  public mutating func run() {
    var isSmaller = true
    while isSmaller {
      // Arguments first: a removed argument need not be simplified.
      isSmaller = dropArguments()
      isSmaller = dropResult() || isSmaller
      isSmaller = dropEllipsis() || isSmaller
      isSmaller = simplifyTypes() || isSmaller
    }
  }

  /// Accepts a smaller signature if it fails too.
  private mutating func accept(_ smaller: CallSignature) -> Bool {
    attempts += 1
    guard fails(smaller) else { return false }
    signature = smaller
    return true
  }

  /// Removes runs of arguments: first all of them, finally single ones.
  private mutating func dropArguments() -> Bool {
    var isSmaller = false
    var length = signature.types.arguments.count
    while length > 0 {
      var start = 0
      while start < signature.types.arguments.count {
        let run = start..<min(start + length, signature.types.arguments.count)
        if accept(without(run)) { isSmaller = true } else { start += length }
      }
      length /= 2
    }
    return isSmaller
  }

  private func without(_ run: Range<Int>) -> CallSignature {
    var arguments = signature.types.arguments
    arguments.removeSubrange(run)
    // An ellipsis requires an argument before it.
    let fixed = signature.fixedCount.map { $0 - run.clamped(to: 0..<$0).count }
    return CallSignature(signature.types.result, arguments, fixedCount: fixed == 0 ? nil : fixed)
  }

  private mutating func dropResult() -> Bool {
    if case .void = signature.types.result.kind { return false }
    return accept(CallSignature(StructZoo.type("v"), signature.types.arguments, fixedCount: signature.fixedCount))
  }

  private mutating func dropEllipsis() -> Bool {
    guard signature.fixedCount != nil else { return false }
    return accept(CallSignature(signature.types.result, signature.types.arguments))
  }

  private mutating func simplifyTypes() -> Bool {
    var isSmaller = false
    for index in signature.types.arguments.indices {
      while acceptSimpler(signature.types.arguments[index], { $0.replacingArgument(index, by: $1) }) { isSmaller = true }
    }
    while acceptSimpler(signature.types.result, { $0.replacingResult(by: $1) }) { isSmaller = true }
    return isSmaller
  }

  private mutating func acceptSimpler(
    _ type: TypeEncoding, _ replace: (CallSignature, TypeEncoding) -> CallSignature
  ) -> Bool {
    for simpler in type.simplerTypes where accept(replace(signature, simpler)) { return true }
    return false
  }
}

extension CallSignature {
  fileprivate func replacingArgument(_ index: Int, by type: TypeEncoding) -> CallSignature {
    var arguments = types.arguments
    arguments[index] = type
    return CallSignature(types.result, arguments, fixedCount: fixedCount)
  }

  fileprivate func replacingResult(by type: TypeEncoding) -> CallSignature {
    CallSignature(type, types.arguments, fixedCount: fixedCount)
  }
}

extension TypeEncoding {
  /// Types that are simpler than this one, largest simplification first: one of its parts, fewer members, simpler
  /// members.
  ///
  /// Repeated simplification terminates, because the weight decreases. A layout from an attribute is kept for this
  /// type, but not for its members.
  public var simplerTypes: [TypeEncoding] {
    let weight = weight
    let bare = layoutOverride == nil ? [] : [Self.read(layoutText)]
    let smaller = simplerTexts.map { text in Self.read(text).map { isRecord && $0.isRecord ? relaid($0) : $0 } }
    return (bare + smaller).compactMap { $0 }.filter { $0.weight < weight }
  }

  /// A measure of the complexity of a type.
  var weight: Int {
    switch kind {
    case .void: 0
    case .scalar(.int32): 1
    case .scalar(.double): 2
    case .scalar(.int64): 3
    case .scalar, .pointer, .cString, .atom, .object, .block, .classObject, .selector, .unknown: 4
    case .complex, .vector: 6
    case .bitField(let field): 2 + field.width
    case .array(let count, let element): 4 + count * (1 + element.weight)
    case .structure(let record): 8 + (layoutOverride == nil ? 0 : 1) + Self.weight(record)
    case .union(let record): 9 + (layoutOverride == nil ? 0 : 1) + Self.weight(record)
    }
  }

  private static func weight(_ record: Record) -> Int { (record.fields ?? []).reduce(0) { $0 + 2 + $1.type.weight } }

  private var isRecord: Bool {
    switch kind {
    case .structure, .union: true
    default: false
    }
  }

  /// The text of the type without the effects of attributes.
  ///
  /// Bit-fields have no positions, which other members would shift.
  private var layoutText: String { text(dialect: .next, options: .structNames) }

  private static func read(_ text: String) -> TypeEncoding? { try? TypeEncoding(text, blankIsFloat16: true) }

  /// Returns the record with the packing and the alignment of this one.
  private func relaid(_ record: TypeEncoding) -> TypeEncoding {
    var type = record
    if let packing = layoutOverride?.packing { type = (try? type.packed(to: packing)) ?? type }
    if let alignment = layoutOverride?.minimumAlignment { type = (try? type.aligned(to: alignment)) ?? type }
    return type
  }

  private var simplerTexts: [String] {
    switch kind {
    case .void: []
    case .structure(let record): ["i", "d"] + Self.simplerTexts(record, "{\(record.name)=", "}")
    case .union(let record): ["i", "d"] + Self.simplerTexts(record, "(\(record.name)=", ")")
    case .array(let count, let element):
      ["i", element.layoutText] + (count > 1 ? ["[1\(element.layoutText)]", "[\(count - 1)\(element.layoutText)]"] : [])
        + element.simplerTexts.map { "[\(count)\($0)]" }
    case .bitField(let field): [1, field.width / 2, field.width - 1].filter { $0 > 0 }.map { "b\($0)" } + ["i"]
    default: ["i", "d", "q"]
    }
  }

  private static func simplerTexts(_ record: Record, _ open: String, _ close: String) -> [String] {
    let members = (record.fields ?? []).map(\.type)
    let texts = members.map(\.layoutText)
    var simpler = members.indices.filter { members[$0].size != nil }.map { texts[$0] }
    // Half of the members, then all except for one.
    if texts.count > 3 {
      let middle = texts.count / 2
      simpler += [open + texts[..<middle].joined() + close, open + texts[middle...].joined() + close]
    }
    func replacing(_ index: Int, by text: String) -> String {
      open + texts[..<index].joined() + text + texts[(index + 1)...].joined() + close
    }
    simpler += texts.indices.map { replacing($0, by: "") }
    for (index, member) in members.enumerated() { simpler += member.simplerTexts.map { replacing(index, by: $0) } }
    return simpler
  }
}
