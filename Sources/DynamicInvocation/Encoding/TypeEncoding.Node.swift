import Synchronization

extension TypeEncoding {
  /// The immutable tree behind an encoding.
  final class Node: Sendable {
    let kind: Kind
    let qualifiers: Qualifiers
    let override: LayoutOverride?
    /// Computed once, from the parts, which are laid out already; nil for a type without a size.
    let layout: Layout?
    /// Whether a value of the type is, or has in it, an object, a class, a selector, a block or a C string.
    ///
    /// These are followed or counted. A plain pointer is only an address.
    let holdsReferences: Bool
    /// Whether a value of the type is, or has in it, a bool at a place of its own.
    let holdsBools: Bool
    /// Filled at the first use: most inner nodes are never asked.
    private let cachedKind: Atomic<UInt32> = Atomic(0)
    /// The Swift type that was last found to have a value for all bytes of this type.
    let checkedType: Atomic<UInt> = Atomic(0)

    init(kind: Kind, qualifiers: Qualifiers, override: LayoutOverride?, layout: Layout?) {
      self.kind = kind
      self.qualifiers = qualifiers
      self.override = override
      self.layout = layout
      switch kind {
      case .cString, .atom, .object, .block, .classObject, .selector: (holdsReferences, holdsBools) = (true, false)
      case .scalar(let scalar): (holdsReferences, holdsBools) = (false, scalar == .bool)
      case .array(_, let element): (holdsReferences, holdsBools) = (element.node.holdsReferences, element.node.holdsBools)
      case .structure(let record):
        let fields = record.fields ?? []
        holdsReferences = fields.contains { $0.type.node.holdsReferences }
        holdsBools = fields.contains { $0.type.node.holdsBools }
      case .union(let record):
        // What is a bool there may be something else.
        (holdsReferences, holdsBools) = ((record.fields ?? []).contains { $0.type.node.holdsReferences }, false)
      case .void, .complex, .vector, .pointer, .unknown, .bitField: (holdsReferences, holdsBools) = (false, false)
      }
    }

    var valueKind: ValueKind {
      let cached = cachedKind.load(ordering: .relaxed)
      if cached != 0 { return ValueKind(rawValue: cached) }
      let kind = ValueKind(of: self)
      cachedKind.store(kind.rawValue, ordering: .relaxed)
      return kind
    }
  }
}
