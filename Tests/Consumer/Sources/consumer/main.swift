import DynamicInvocation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if !hasFeature(StrictMemorySafety)
  #error("The consumer must be compiled under strict memory safety, or it proves nothing about it.")
#endif

#if os(Linux)
  let library = "libm.so.6"
#else
  let library = "libSystem.dylib"
#endif

do {
  let libm = try DynamicLibrary(library)
  let pow = try unsafe libm.function("pow", types: "ddd")
  let y: Double = try pow(2.0, 10.0)
  guard y == 1024 else {
    print("consumer: pow(2, 10) gave \(y), not 1024.0")
    exit(1)
  }
  print("consumer: pow(2, 10) = \(y)")
  #if arch(x86_64) || (arch(arm64) && os(Linux))
    // The closure's code is compiled here, in the client.
    let difference = try Closure(types: "qqq") { (a: Int, b: Int) -> Int in a - b }
    let three: Int = try ForeignFunction(difference.implementation, difference.methodSignature)(5, 2)
    guard three == 3 else {
      print("consumer: the closure gave \(three), not 3")
      exit(1)
    }
    print("consumer: a closure of 5 and 2 = \(three)")
  #endif
  // libffi is a trait of the package, which a build of this program may leave out.
  do {
    let slow = try unsafe libm.function("pow", MethodSignature(types: "ddd", backend: .libffi))
    let z: Double = try slow(2.0, 10.0)
    print("consumer: by libffi, pow(2, 10) = \(z)")
  } catch {
    guard !CallBackend.libffi.isAvailable else { throw error }
    print("consumer: \(error.reason)")
  }
  let holes = try SafeCode.holes()
  guard holes.isEmpty else {
    print("consumer: safe code got through: \(holes.joined(separator: ", "))")
    exit(1)
  }
  print("consumer: safe code corrupts nothing")
} catch {
  print("consumer: \(error)")
  exit(1)
}
