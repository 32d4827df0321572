#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread with a stack of a size of one's choice.
enum SmallStack {
  struct Failure: Error {}

  private final class Work {
    let body: () -> Int
    var result = 0
    init(_ body: @escaping () -> Int) { self.body = body }
  }

  /// Runs a closure on such a thread, and waits for it.
  static func run(bytes: Int, _ body: @escaping () -> Int) throws -> Int {
    let work = Work(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, bytes) == 0 else { throw Failure() }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let created = pthread_create(&thread, &attributes, run, Unmanaged.passUnretained(work).toOpaque())
    guard created == 0 else { throw Failure() }
    #if canImport(Darwin)
      guard let thread else { throw Failure() }
    #endif
    pthread_join(thread, nil)
    return work.result
  }

  #if canImport(Darwin)
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { start($0) }
  #else
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { $0.flatMap { start($0) } }
  #endif

  private static func start(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = Unmanaged<Work>.fromOpaque(address).takeUnretainedValue()
    work.result = work.body()
    return nil
  }
}
