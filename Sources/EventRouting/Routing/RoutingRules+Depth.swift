import Synchronization

extension RoutingRules {
  private static let commonDepthLimit: Atomic<Int> = Atomic(64)

  /// How many events may be sent within each other, for rules that do not say: 64 unless set.
  ///
  /// The stack of the thread bounds it: 64 fit into 1 megabyte, without optimization too.
  ///
  /// It counts for all threads from when it is set. Less than 1 counts as 1.
  public static var defaultDepthLimit: Int {
    get { commonDepthLimit.load(ordering: .relaxed) }
    set { commonDepthLimit.store(max(1, newValue), ordering: .relaxed) }
  }

  /// How many events may be sent within each other on a thread, with the one sent by these rules; nil for ``defaultDepthLimit``.
  ///
  /// A handler may send events, whose handlers may, and so on. A send that is nested deeper calls nobody: its outcome has the error
  /// ``RoutingError/depthExceeded(limit:_:)``, which is logged too, and everything else goes on, the handler that sent it first of all. When that has
  /// happened as often as the limit within one event that no handler sent, further sends within it are refused until it comes to its next node: handlers
  /// that each send twice would else go on almost for ever.
  ///
  /// Less than 1 counts as 1, with which no handler can send; more than 2,147,483,647 counts as that. Sends to an ``EventProxy`` alone are not counted.
  public var depthLimit: Int? {
    get { ownDepthLimit == 0 ? nil : Int(ownDepthLimit) }
    set { ownDepthLimit = newValue.map { Int32(clamping: max(1, $0)) } ?? 0 }
  }
}
