import Synchronization

extension TypeEncoding {
  /// The immutable tree behind an encoding.
  final class Node: Sendable {
    let kind: Kind
    let qualifiers: Qualifiers
    let override: LayoutOverride?
    /// Computed once, from the parts, which are laid out already; nil for a type without a size.
    let layout: Layout?
    /// Filled at the first use: most inner nodes are never asked.
    private let cachedKind: Atomic<UInt32> = Atomic(0)

    init(kind: Kind, qualifiers: Qualifiers, override: LayoutOverride?, layout: Layout?) {
      self.kind = kind
      self.qualifiers = qualifiers
      self.override = override
      self.layout = layout
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
