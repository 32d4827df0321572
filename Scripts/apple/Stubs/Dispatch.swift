// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/dispatch

open class DispatchObject {}

public final class DispatchWorkItem: @unchecked Sendable {
  public init(block: @escaping () -> Void) {}
  public func cancel() {}
}

public enum DispatchTimeInterval: Sendable {
  case nanoseconds(Int)
}

public struct DispatchTime: Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
  public static let main: DispatchQueue = DispatchQueue()
  public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
  public func async(execute work: @escaping @Sendable () -> Void) {}
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
  public init(value: Int) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult public func signal() -> Int { 0 }
}
