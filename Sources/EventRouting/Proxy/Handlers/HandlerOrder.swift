/// The order of the handlers of a key that has many, so that one more is added and one is removed without a walk over all.
final class HandlerOrder {
  /// The handlers of a priority, of which interceptors are called first.
  @safe
  private struct Group: OrderedMember {
    struct Order: Comparable {
      var priority: Int
      var isInterceptor: Bool

      init(_ registration: EventRegistration) { (priority, isInterceptor) = (registration.options.priority, registration.isInterceptor) }

      static func < (left: Order, right: Order) -> Bool {
        left.priority == right.priority ? left.isInterceptor && !right.isInterceptor : left.priority > right.priority
      }
    }

    var order: Order
    /// The last handler of the group.
    var last: UnsafeMutablePointer<HandlerRecord>
  }

  /// The number of handlers of a key above which it has an order.
  static var fewest: Int { 32 }

  private var groups: OrderedChunks<Group> = OrderedChunks()
  /// The number of handlers for each bit of ``Directions``.
  private var counts: [Int] = Array(repeating: 0, count: 6)

  /// Creates the order of a list.
  init(_ first: UnsafeMutablePointer<HandlerRecord>?) {
    var next = unsafe first
    while let record = unsafe next {
      unsafe insert(record)
      unsafe next = record.pointee.next
    }
  }

  /// The handler after which a new one is inserted; nil if it becomes the first.
  func handler(before registration: EventRegistration) -> UnsafeMutablePointer<HandlerRecord>? {
    unsafe groups.last(through: Group.Order(registration))?.last
  }

  /// Adds a handler, which is the last one of its priority.
  func insert(_ record: UnsafeMutablePointer<HandlerRecord>) {
    let registration = unsafe record.pointee.registration.takeUnretainedValue()
    unsafe groups.update(Group(order: Group.Order(registration), last: record))
    count(registration.directions, 1)
  }

  /// Removes a handler, which still has the link to the handler before it.
  func remove(_ record: UnsafeMutablePointer<HandlerRecord>) {
    let registration = unsafe record.pointee.registration.takeUnretainedValue()
    let order = Group.Order(registration)
    count(registration.directions, -1)
    guard let group = groups.last(through: order), unsafe group.last == record else { return }
    if let previous = unsafe record.pointee.previous,
      unsafe Group.Order(previous.pointee.registration.takeUnretainedValue()) == order
    {
      unsafe groups.update(Group(order: order, last: previous))
    } else {
      groups.remove(group)
    }
  }

  /// The directions in which the handlers receive events.
  var directions: Directions {
    Directions(rawValue: counts.indices.reduce(0) { counts[$1] > 0 ? $0 | 1 << UInt8($1) : $0 })
  }

  private func count(_ directions: Directions, _ change: Int) {
    for bit in counts.indices where directions.rawValue >> UInt8(bit) & 1 != 0 { counts[bit] += change }
  }
}
