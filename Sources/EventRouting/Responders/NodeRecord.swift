/// What routing knows of a `ResponderNode`, in raw memory.
///
/// A walk reads records and retains nothing. The node makes its record and frees it when it dies; a pass that still has to come by pins the record, and
/// then the last pass frees it.
@safe
struct NodeRecord: Equatable {
  @safe
  struct Fields: ~Copyable {
    /// The override if there is one, else the parent.
    var next: NodeRecord?
    var ownFilter: UInt = 0
    /// The keys of the node and of what is below; bits may outlive their keys, `keys` is exact.
    var subtreeFilter: UInt = 0
    var flags: NodeFlags = []
    var keys: KeyIndex = KeyIndex()
    /// The node, not retained; nil when it is dead.
    var node: Unmanaged<ResponderNode>?
    /// The proxy, which the node retains.
    var proxy: Unmanaged<EventProxy>?
    /// The links of the tree, in which a parent retains its children.
    var parent: NodeRecord?
    var firstChild: NodeRecord?
    var lastChild: NodeRecord?
    var previousSibling: NodeRecord?
    var nextSibling: NodeRecord?
    /// How many children there are.
    var childCount: Int = 0
    /// The place among the siblings: greater than that of the one before.
    var order: Int = 0
    /// Of a node with many children, what leads past those without a key; the record owns it.
    var childIndex: Unmanaged<ChildIndex>?
    /// Those whose override is this node, as a list.
    var firstOverrider: NodeRecord?
    var nextOverrider: NodeRecord?
    /// The next of those whose parent has died and that still hold its reference.
    var nextPending: NodeRecord?
    /// How many passes still have to come by.
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

  /// Of a node with many children, what leads past those without a key.
  var childIndex: ChildIndex? {
    get { unsafe fields.childIndex?.takeUnretainedValue() }
    nonmutating set {
      unsafe fields.childIndex?.release()
      unsafe fields.childIndex = newValue.map { unsafe .passRetained($0) }
    }
  }

  static func == (left: NodeRecord, right: NodeRecord) -> Bool { unsafe left.pointer == right.pointer }

  /// Keeps the record from being freed, not the node from dying.
  func pin() { fields.pins &+= 1 }

  func unpin() {
    fields.pins &-= 1
    if fields.pins == 0, unsafe fields.node == nil { free() }
  }

  /// Marks the node as dead, and frees the record unless a pass has it pinned.
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
