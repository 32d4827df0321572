import TestSupport

/// One kind of calls, made by one thread for a tenth of the run.
protocol Workload: AnyObject, SendableMetatype {
  /// Its name in the table.
  static var name: String { get }
  /// How often its turn comes, beside those of others.
  static var weight: Int { get }

  /// Prepares what the thread has for itself.
  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws

  /// Makes some random calls, and checks what comes of them.
  func turn(_ generator: inout SeededGenerator) throws
}

/// All kinds.
enum Workloads {
  static let all: [any Workload.Type] = [
    CompiledCalls.self, TypedCalls.self, ClosureCalls.self, SwiftCalls.self, Messages.self, ForwardedMessages.self,
    DispatchedMessages.self, RoutedEvents.self,
  ]
}
