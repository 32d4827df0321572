import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Children of a fork: the engine's locks are free there, and what they guard is whole.
@Suite(.measured) struct ForkTests {
  private final class ForkedTarget {}

  /// Uses every table of the process with names that nobody else has made.
  private static func useTables(_ name: String, _ target: ForkedTarget) throws {
    for index in 0..<4 {
      let signature = try MethodSignature(types: "q@:{\(name)\(index)=\(String(repeating: "ic", count: 1 + abs(name.hashValue) % 40))}")
      let selector = MethodSelector("\(name)\(index)(_:)")
      let invocation = Invocation(signature)
      invocation.selector = selector
      precondition("\(invocation)".hasPrefix("-[nil \(name)\(index)(_:)]"))
      _ = try Implementation.forwarding(MethodSignature(types: "q@:q"))
    }
    let closure = try Closure(types: "qq") { (value: Int) -> Int in 2 * value }
    let doubled: Int = try ForeignFunction(closure.implementation, closure.methodSignature)(21)
    precondition(doubled == 42)
    let table = MethodTable.of(ForkedTarget.self)
    try table.replace("answer(_:)", Implementation { (_: ForkedTarget, value: Int) -> Int in value + 1 })
    let message = try Invocation(target: target, selector: "answer(_:)")
    try message.setArgument(41, at: 2)
    let answer = try message.result(as: Int.self)
    precondition(answer == 42)
  }

  /// The thread sanitizer ends such children by itself.
  @Test(
    "A child forked while other threads use the tables of the process uses them too", .enabled(if: Sanitizer.current == nil))
  func childrenUseTheTables() async {
    await #expect(processExitsWith: .success) {
      let fork = try DynamicLibrary.process.function("fork", types: "i")
      let wait = try DynamicLibrary.process.function("waitpid", types: "ii^ii")
      let exit = try DynamicLibrary.process.function("_exit", types: "vi")
      let alarm = try DynamicLibrary.process.function("alarm", types: "II")
      // What Swift's runtime makes at the first use of a type is there before: its locks are not the engine's.
      let target = ForkedTarget()
      try Self.useTables("ForkWarm", target)
      let isOver = DispatchSemaphore(value: 0)
      for thread in 0..<3 {
        Thread {
          var round = 0
          while isOver.wait(timeout: .now()) == .timedOut {
            do { try Self.useTables("ForkParent\(thread)_\(round % 500)_", ForkedTarget()) } catch { fatalError("\(error)") }
            round += 1
          }
          isOver.signal()
        }.start()
      }
      let status = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
      for number in 0..<60 {
        let child: CInt = try fork()
        if child == 0 {
          // Ends the child, should it wait for ever.
          let _: UInt32 = try alarm(UInt32(120))
          do {
            try Self.useTables("ForkChild\(number)_", target)
            try exit(CInt(0))
          } catch {
            try exit(CInt(1))
          }
        }
        guard child > 0 else { fatalError("no child") }
        let ended: CInt = try wait(child, status, CInt(0))
        guard ended == child, status.pointee == 0 else { fatalError("child \(number) ended with the status \(status.pointee)") }
      }
      isOver.signal()
      status.deallocate()
    }
  }
}
