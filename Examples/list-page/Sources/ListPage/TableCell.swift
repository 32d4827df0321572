import DynamicInvocation
import EventRouting

/// The node between: what the cells within it send as "B" goes on as "C", with the tag counted from the first row.
final class TableCell: ResponderNode {
  let firstRow: Int

  init(firstRow: Int) throws {
    self.firstRow = firstRow
    super.init("table cell")
    try proxy.intercept("B", options: HandlerOptions(rewritesTo: "C")) { [unowned self] _, _, arguments in
      var arguments = arguments
      if case .int(let tag) = arguments[1] { arguments[1] = .int(self.firstRow + tag) }
      return .resend("C", arguments)
    }
  }
}
