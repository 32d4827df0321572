/// The routing state of a `ResponderNode`, in raw memory.
///
/// A walk reads records and retains nothing. The node creates its record, and frees it when the node is deallocated
/// unless a pass that has yet to visit it has pinned it. Then the last such pass frees it.
@safe
struct NodeRecord: Equatable {
  @safe
  struct Fields: ~Copyable {
    /// The override if there is one, otherwise the parent.
    var next: NodeRecord?
    var ownFilter: UInt = 0
    /// A bit for each key of the node and of the nodes below it.
    ///
    /// Bits may be stale; `keys` is exact.
    var subtreeFilter: UInt = 0
    var flags: NodeFlags = []
    var keys: KeyIndex = KeyIndex()
    /// The node, not retained; nil when it was deallocated.
    var node: Unmanaged<ResponderNode>?
    /// The proxy, which the node retains.
    var proxy: Unmanaged<EventProxy>?
    /// The links of the tree.
    ///
    /// A parent retains its children. The siblings of an orphan are the others in the list of those that still hold the
    /// reference of their deallocated parent; the previous one of the first is the record that the list belongs to.
    var parent: NodeRecord?
    var firstChild: NodeRecord?
    var lastChild: NodeRecord?
    var previousSibling: NodeRecord?
    var nextSibling: NodeRecord?
    /// The number of children.
    var childCount: Int = 0
    /// The order number among the siblings: greater than that of the previous one.
    var order: Int = 0
    /// The index of the children, if the node has many; the record owns it.
    var childIndex: Unmanaged<ChildIndex>?
    /// The list of the nodes whose override is this node.
    var firstOverrider: NodeRecord?
    var previousOverrider: NodeRecord?
    var nextOverrider: NodeRecord?
    /// The index in the list of the nodes of the proxy.
    var placeInProxy: Int = 0
    /// The number of passes that have yet to visit the node.
    var pins: Int = 0
  }

  private let pointer: UnsafeMutablePointer<Fields>

  init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: Fields())
  }

  var fields: Fields {
    @inline(__always) unsafeAddress { unsafe UnsafePointer(pointer) }
    @inline(__always) nonmutating unsafeMutableAddress { unsafe pointer }
  }

  /// The index of the children, if the node has many.
  var childIndex: ChildIndex? {
    get { unsafe fields.childIndex?.takeUnretainedValue() }
    nonmutating set {
      unsafe fields.childIndex?.release()
      unsafe fields.childIndex = newValue.map { unsafe .passRetained($0) }
    }
  }

  static func == (left: NodeRecord, right: NodeRecord) -> Bool { unsafe left.pointer == right.pointer }

  /// Keeps the record allocated; does not keep the node alive.
  func pin() { fields.pins &+= 1 }

  func unpin() {
    fields.pins &-= 1
    if fields.pins == 0, unsafe fields.node == nil { free() }
  }

  /// Clears the record when the node is deallocated, and frees it unless a pass has pinned it.
  func die() {
    unsafe fields.node = nil
    unsafe fields.proxy = nil
    fields.next = nil
    fields.keys = KeyIndex()
    childIndex = nil
    fields.ownFilter = 0
    fields.subtreeFilter = 0
    if fields.pins == 0 { free() }
  }

  private func free() {
    unsafe pointer.deinitialize(count: 1)
    unsafe pointer.deallocate()
  }
}
