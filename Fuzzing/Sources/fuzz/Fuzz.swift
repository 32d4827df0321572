import FuzzCases

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The case named by the environment.
///
/// libFuzzer's child processes inherit the environment, but not arguments of this program.
private let chosen: FuzzCase = {
  let name = getenv("FUZZ_CASE").map { String(cString: $0) } ?? ""
  guard let found = FuzzCase.all.first(where: { $0.name == name }) else {
    let names = FuzzCase.all.map(\.name).joined(separator: ", ")
    fatalError("FUZZ_CASE is '\(name)'; the cases are \(names)")
  }
  return found
}()

/// Called once, before the first input.
@c(LLVMFuzzerInitialize)
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
  _ = chosen
  return 0
}

/// Called for each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen.body(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
