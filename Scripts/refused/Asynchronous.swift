// An implementation is called by code that waits for its result.
import DynamicInvocation

final class Controller: Sendable {
  func reload(_ row: Int) async {}
  func area(of row: Int) async throws -> Double { 0 }
}

func refused(_ table: MethodTable) throws {
  _ = try Implementation { (controller: Controller, row: Int) async in  // error: is not asynchronous
    await controller.reload(row)
  }
  try table.add("reload(_:)") { (controller: Controller, row: Int) in await controller.reload(row) }  // error: is not asynchronous
  try table.add("reload(_:)", Controller.reload)  // error: is not asynchronous
  try table.add("area(of:)", Controller.area)  // error: is not asynchronous
  _ = try Closure(types: "qq") { (row: Int) async -> Int in row }  // error: synchronous function type
}
