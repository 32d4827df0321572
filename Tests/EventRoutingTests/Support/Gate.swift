import DynamicInvocation

/// Suspends handlers until it is opened.
@MainActor final class Gate: EncodedObject {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  /// How many handlers wait.
  var count: Int { waiting.count }

  /// Waits until the gate is open; cancellation does not end it.
  func pass() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  /// Returns when as many handlers wait.
  func reached(by number: Int = 1) async {
    while count < number { await pause() }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}
