#if Tools
  import ArgumentParser
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

  /// The process in which functions are called: the program starts itself with this command, which is not for people.
  ///
  /// It reads requests as lines from one descriptor and writes to another: an empty line when it begins with a request, and its answer.
  struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", abstract: "Answers requests.", shouldDisplay: false)

    @Option(name: .long, help: "The descriptor to read requests from.")
    var requests: CInt

    @Option(name: .long, help: "The descriptor to write answers to.")
    var answers: CInt

    @Flag(name: .long, help: "The arguments are words of the command line.")
    var words = false

    func run() throws {
      // What a callee starts must not hold them: their end tells that this process has ended.
      for descriptor in [requests, answers] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      endWithParent()
      endWithThread()
      let process = getpid()
      let lines = LineReader(requests, limit: .max)
      let output = FileOutput(descriptor: answers)
      let caller = Caller()
      while case .bytes(let line)? = lines.next() {
        do {
          try output.write([0x0A])
          let answer = caller.answer(line: line, takesWords: words)
          // A callee that forks comes back here twice.
          if getpid() != process { _exit(0) }
          try output.write(line: answer)
        } catch {
          // The callee closed the descriptor, and nobody can be told.
          _exit(1)
        }
      }
    }

    /// Ends this process with the one that started it, even in the middle of a call; elsewhere than on Linux it ends after the call.
    private func endWithParent() {
      #if os(Linux) || os(Android)
        // Swift cannot call variadic functions of C, such as prctl. Its number 1 is PR_SET_PDEATHSIG.
        let prctl = try? DynamicLibrary.process.function("prctl", types: "iiQ", fixedArgumentCount: 1)
        let _: CInt? = try? prctl?(1 as CInt, UInt(SIGKILL))
      #endif
    }

    /// Ends this process when a callee ends its main thread, which others could outlive.
    private func endWithThread() {
      var key = pthread_key_t()
      guard pthread_key_create(&key, { _ in _exit(0) }) == 0 else { return }
      pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    }
  }
#endif
