#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A shared library made by a test, of which data and functions are read by symbol.
public struct CompiledNumbers {
  private struct Missing: Error { let name: String }

  private let handle: UnsafeMutableRawPointer

  /// Opens the library at a path.
  public init(path: String) throws {
    handle = try Self.found(dlopen(path, RTLD_NOW | RTLD_LOCAL), path)
  }

  /// Calls `void symbol(long *out)` with room for the given number of longs.
  public func measured(by symbol: String, count: Int) throws -> [Int] {
    typealias Measure = @convention(c) (UnsafeMutablePointer<Int>) -> Void
    let measure = unsafeBitCast(try Self.found(dlsym(handle, symbol), symbol), to: Measure.self)
    return [Int](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: Int.min)
      if let first = buffer.baseAddress { measure(first) }
      initialized = count
    }
  }

  /// The C string that a symbol is the first character of.
  public func text(_ symbol: String) throws -> String {
    String(cString: try Self.found(dlsym(handle, symbol), symbol).assumingMemoryBound(to: CChar.self))
  }

  /// The longs that a symbol is the first of.
  public func numbers(_ symbol: String, count: Int) throws -> [Int] {
    let first = try Self.found(dlsym(handle, symbol), symbol).assumingMemoryBound(to: Int.self)
    return [Int](UnsafeBufferPointer(start: first, count: count))
  }

  private static func found(_ address: UnsafeMutableRawPointer?, _ name: String) throws -> UnsafeMutableRawPointer {
    guard let address else { throw Missing(name: name) }
    return address
  }
}
