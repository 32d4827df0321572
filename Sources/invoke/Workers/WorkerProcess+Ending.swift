import DynamicInvocation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension WorkerProcess {
  /// Ends this process with its parent, on Linux and Android even in the middle of a call.
  ///
  /// On other platforms it ends after the call.
  static func endWithParent() {
    #if os(Linux) || os(Android)
      // Swift cannot call variadic C functions such as prctl. The constant 1 is PR_SET_PDEATHSIG.
      let prctl = try? DynamicLibrary.process.function("prctl", types: "iiQ", fixedArgumentCount: 1)
      let _: CInt? = try? prctl?(1 as CInt, UInt(SIGKILL))
    #endif
  }

  /// Ends this process when a callee exits the main thread, because other threads could keep the process alive.
  static func endWithThread() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, { _ in _exit(0) }) == 0 else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
  }
}
