#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Testing

/// A shared library made by a test, of which data and functions are read by symbol.
struct CompiledNumbers {
  private let handle: UnsafeMutableRawPointer

  init(path: String) throws {
    handle = try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL), "\(path) cannot be loaded")
  }

  /// Calls `void symbol(long *out)` with room for the given number of longs.
  func measured(by symbol: String, count: Int) throws -> [Int] {
    typealias Measure = @convention(c) (UnsafeMutablePointer<Int>) -> Void
    let measure = unsafeBitCast(try #require(dlsym(handle, symbol)), to: Measure.self)
    return [Int](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: Int.min)
      if let first = buffer.baseAddress { measure(first) }
      initialized = count
    }
  }

  /// The C string that a symbol is the first character of.
  func text(_ symbol: String) throws -> String {
    String(cString: try #require(dlsym(handle, symbol)).assumingMemoryBound(to: CChar.self))
  }

  /// The longs that a symbol is the first of.
  func numbers(_ symbol: String, count: Int) throws -> [Int] {
    let first = try #require(dlsym(handle, symbol)).assumingMemoryBound(to: Int.self)
    return [Int](UnsafeBufferPointer(start: first, count: count))
  }
}
