import Foundation

/// Threads that are gone, with all that they kept for themselves, when the caller goes on.
enum JoinedThreads {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Start>.fromOpaque(address).takeRetainedValue().body()
      return nil
    }
  }

  /// Runs a body on so many threads, with a number each, and waits until they have ended.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    var threads: [pthread_t] = []
    defer { for thread in threads { pthread_join(thread, nil) } }
    for number in 0..<count {
      let start = Unmanaged.passRetained(Start { body(number) }).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { Start.run($0) }, start)
        if let thread { threads.append(thread) }
      #else
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { $0.flatMap { Start.run($0) } }, start)
        if status == 0 { threads.append(thread) }
      #endif
      guard status == 0 else { throw SoakFailure("no thread: \(String(cString: strerror(status)))") }
    }
  }
}
