package import DynamicInvocation

/// Arguments that are boxed when the parameters are known, for each handler anew.
package struct LatePayload: EventPayload {
  /// Boxes the argument of an index for a parameter of a type; nil stands for a handler that takes any box.
  package typealias Box = (_ index: Int, _ type: TypeEncoding?) throws(InvocationError) -> BoxedValue

  private let count: Int
  private let box: Box

  /// Creates a payload of so many arguments.
  package init(count: Int, _ box: @escaping Box) {
    self.count = count
    self.box = box
  }

  /// The arguments as a handler gets them that takes any.
  @usableFromInline package var boxed: [BoxedValue] { get throws { try boxes(for: nil) } }

  /// Boxes the arguments as the handler's parameters demand, and calls it with them.
  @usableFromInline
  package func deliver(to handler: HandlerCall, source: AnyObject?) throws -> EventReply? {
    let types = handler.registration.plan?.argumentTypes
    if let types, types.count != count { throw DeliveryFailure(reason: .eventCount(count, wanted: types.count)) }
    let boxes = try boxes(for: types)
    return try unsafe boxes.withUnsafeBufferPointer { try unsafe handler.call($0, source: source) }
  }

  private func boxes(for types: [TypeEncoding]?) throws -> [BoxedValue] {
    var boxes: [BoxedValue] = []
    boxes.reserveCapacity(count)
    for index in 0..<count {
      do throws(InvocationError) {
        boxes.append(try box(index, types?[index]))
      } catch {
        throw DeliveryFailure(
          reason: types.map { error.placed(.index(index + 1), $0[index]) }
            ?? InvocationError(error.code, error.reason, argument: .index(index + 1), candidates: error.candidates))
      }
    }
    return boxes
  }
}
