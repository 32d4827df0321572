import DynamicInvocation
import Workloads

/// A workload: one callee, with the arguments each engine passes it.
enum Suite: String, CaseIterable {
  case W0, W2, W4, WR

  /// The types of the callee.
  var types: String {
    switch self {
    case .W0: "v@:"
    case .W2: "q@:qq"
    case .W4: "d@:idfc^vs{II=ii}d"
    case .WR: "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}{Point=dd}{_NSRange=QQ}"
    }
  }

  /// The suite's number on the C side.
  var workload: workload_suite {
    switch self {
    case .W0: .w0
    case .W2: .w2
    case .W4: .w4
    case .WR: .wr
    }
  }

  /// The callee.
  var implementation: Implementation { Implementation(workload_callee(workload)) }
}

/// What of a call is repeated.
enum Phase: String, CaseIterable {
  /// The call alone, on arguments set once.
  case invoke
  /// Every argument set, the call, the result read.
  case set
  /// A new invocation, from the text of its signature, then as ``set``.
  case create
}

/// The pair of integers that W4 passes by value.
struct Pair: EncodedValue {
  var a: Int32
  var b: Int32
  static let typeEncoding: TypeEncoding = "{II=ii}"
}
