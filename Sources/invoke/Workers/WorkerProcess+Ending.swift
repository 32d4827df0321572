import DynamicInvocation
import Synchronization

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

  /// Sends the signals that end this program to the process group of the worker, too, as a terminal does for programs in
  /// its own group.
  static func forwardSignals(to process: pid_t) {
    let isFirst = workerGroup.exchange(process, ordering: .sequentiallyConsistent) == 0
    guard isFirst else { return }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      let former = signal(number) { number in
        kill(-workerGroup.load(ordering: .relaxed), number)
        signal(number, SIG_DFL)
        raise(number)
      }
      // A program under nohup ignores SIGHUP.
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }

  /// Lets a callee that uses the terminal fail instead of stopping the process for ever.
  ///
  /// The process group of the worker of a batch is not that of the terminal.
  static func ignoreTerminalStops() {
    for number in [SIGTTIN, SIGTTOU] { signal(number, SIG_IGN) }
  }
}

/// The process group of the newest worker of a batch, or 0.
private let workerGroup = Atomic<pid_t>(0)
