import Synchronization

/// A textual description of a type as a flat list of scalars and their offsets, without names and nesting.
///
/// Objects, classes, selectors, blocks and C strings are kept distinct from plain pointers, because they are
/// dereferenced or reference counted and a plain pointer is not.
///
/// The C calling conventions pass two types with the same description in the same way, because they classify by scalars
/// and offsets. Types with atomic parts, or with parts at offsets that are not multiples of their alignment, are
/// exceptions. So each signature is planned from its own types.
struct LayoutDescription {
  /// A run of equal, adjacent scalars.
  private struct Run {
    var leaf: String
    var offset: Int
    var size: Int
    var count: Int
  }

  /// The number of runs above which an array is described by its element, to keep the description short.
  private static let longestExpansion = 64

  let text: String

  init(of node: TypeEncoding.Node) {
    let layout = node.layout ?? TypeEncoding.Layout(size: 0, alignment: 1)
    text = Self.text(Self.runs(of: node)) + "#\(layout.size)/\(layout.alignment)"
  }

  private static func text(_ runs: [Run]) -> String {
    runs.map { $0.count == 1 ? "\($0.leaf)@\($0.offset)" : "\($0.leaf)@\($0.offset)x\($0.count)" }.joined(separator: ",")
  }

  private static func runs(of node: TypeEncoding.Node) -> [Run] {
    var runs: [Run] = []
    append(node, at: 0, to: &runs)
    return runs
  }

  private static func append(_ node: TypeEncoding.Node, at offset: Int, to runs: inout [Run]) {
    let size = node.layout?.size ?? 0
    func append(_ leaf: String) { Self.append(Run(leaf: leaf, offset: offset, size: size, count: 1), to: &runs) }
    switch node.kind {
    case .void, .unknown, .bitField: break
    case .scalar(let scalar): append(scalar.cName)
    case .complex(let part): append("complex " + part.cName)
    case .vector(let element, let count, _, _): append("vector \(count) \(element.cName)")
    case .pointer: append("pointer")
    case .cString, .atom: append("C string")
    case .object: append("object")
    case .classObject: append("class")
    case .selector: append("selector")
    case .block: append("block")
    case .array(let count, let element): appendArray(of: element.node, count: count, at: offset, to: &runs)
    case .structure(let record):
      for field in record.fields ?? [] { Self.append(field, in: offset, to: &runs) }
    case .union(let record):
      let members = (record.fields ?? []).map { field in
        var runs: [Run] = []
        Self.append(field, in: 0, to: &runs)
        return "(" + text(runs) + ")"
      }
      append("union" + members.joined())
    }
  }

  private static func append(_ field: TypeEncoding.Field, in offset: Int, to runs: inout [Run]) {
    guard case .bitField(let bitField) = field.type.kind else { return append(field.type.node, at: offset + field.offset, to: &runs) }
    // The bit offset in the byte is part of the leaf, because adjacent bit-fields may share a byte.
    let leaf = "\(bitField.container.cName) bits \((field.bits?.lowerBound ?? 0) % 8):\(bitField.width)"
    append(Run(leaf: leaf, offset: offset + field.offset, size: 0, count: 1), to: &runs)
  }

  private static func appendArray(of element: TypeEncoding.Node, count: Int, at offset: Int, to runs: inout [Run]) {
    // An array of size zero may have any number of elements, and no element is passed.
    guard count > 0, let size = element.layout?.size, size > 0 else { return }
    // The element is described once. One description per index would multiply with each level of nesting.
    let first = Self.runs(of: element)
    if first.count == 1, let run = first.first, run.offset == 0, run.size * run.count == size {
      append(Run(leaf: run.leaf, offset: offset, size: run.size, count: run.count * count), to: &runs)
    } else if first.count <= longestExpansion / count {
      for index in 0..<count {
        for var run in first {
          run.offset += offset + index * size
          append(run, to: &runs)
        }
      }
    } else {
      append(Run(leaf: "array of (\(text(first)))", offset: offset, size: size, count: count), to: &runs)
    }
  }

  /// Appends a run, or extends the last run if the new one continues it with the same scalar.
  private static func append(_ run: Run, to runs: inout [Run]) {
    if let last = runs.last, last.leaf == run.leaf, last.size > 0, last.size == run.size,
      last.offset + last.size * last.count == run.offset
    {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(run)
    }
  }
}

/// Assigns each layout a number that is unique in the process.
///
/// The table is a binary tree: the bits of a key's hash, lowest first, are the path to the key. Nodes are only added;
/// of several threads that add a node at the same position, the first succeeds. So there is no lock, which a fork
/// could leave locked in the child process.
final class LayoutTable: Sendable {
  static let shared = LayoutTable()

  /// The key of a description, stored for the lifetime of the process: the text itself if it is short, a digest
  /// otherwise.
  private enum Key: Hashable, Sendable {
    case text(String)
    /// The length and a 128-bit hash with the process's random seed, so that a collision cannot be constructed.
    case digest(count: Int, low: Int, high: Int)

    private static let longest = 64

    init(_ description: String) {
      guard description.utf8.count > Self.longest else {
        self = .text(description)
        return
      }
      func hash(_ number: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(description)
        return hasher.finalize()
      }
      self = .digest(count: description.utf8.count, low: hash(1), high: hash(2))
    }
  }

  /// A layout with its number, and the nodes after it on the paths whose next bit is 0 and 1.
  private final class Node: Sendable {
    let key: Key
    let number: UInt32
    let zero: AtomicLazyReference<Node> = AtomicLazyReference()
    let one: AtomicLazyReference<Node> = AtomicLazyReference()

    init(_ key: Key, _ number: UInt32) {
      self.key = key
      self.number = number
    }
  }

  private let root: AtomicLazyReference<Node> = AtomicLazyReference()
  private let nextNumber: Atomic<UInt32> = Atomic(ValueKind.firstLayout)

  private init() {
    for (kind, description) in ValueKind.knownLayouts {
      let number = self.kind(of: description)
      precondition(number == kind, "the known layouts are in the order of their numbers")
    }
  }

  func kind(of description: String) -> ValueKind {
    let key = Key(description)
    var new: Node?
    var node = next(root, key, &new)
    // Different keys with equal hashes share a path: after its last bit the path continues with zeros.
    var bits = UInt(bitPattern: key.hashValue)
    while node.key != key {
      node = bits & 1 == 0 ? next(node.zero, key, &new) : next(node.one, key, &new)
      bits >>= 1
    }
    return ValueKind(rawValue: node.number)
  }

  /// Returns the node that a reference leads to, after adding a node for the key if there is none.
  ///
  /// - Parameter new: The node for the key, if it was created. If another thread stores its node first, this node is
  ///   tried again later on the path.
  private func next(_ reference: borrowing AtomicLazyReference<Node>, _ key: Key, _ new: inout Node?) -> Node {
    if let node = reference.load() { return node }
    let node = new ?? Node(key, nextNumber.add(1, ordering: .relaxed).oldValue)
    new = node
    return reference.storeIfNil(node)
  }
}
