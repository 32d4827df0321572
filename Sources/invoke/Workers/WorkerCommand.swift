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

  /// The process in which functions are called.
  ///
  /// The program starts itself with this command; it is not meant for users.
  ///
  /// The worker reads requests as lines from one descriptor and writes to another: an empty line when it begins a
  /// request, a line with a blank before it reads memory that a callee points to, then the answer.
  struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "worker", abstract: "Answers requests.", shouldDisplay: false)

    @Option(name: .long, help: "The descriptor to read requests from.")
    var requests: CInt

    @Option(name: .long, help: "The descriptor to write answers to.")
    var answers: CInt

    @Flag(name: .long, help: "The arguments are words of the command line.")
    var words = false

    func run() throws {
      // Child processes of a callee must not inherit the descriptors: their closing signals that this process has
      // ended.
      for descriptor in [requests, answers] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      WorkerProcess.endWithParent()
      WorkerProcess.endWithThread()
      if !words { WorkerProcess.ignoreTerminalStops() }
      let process = getpid()
      let lines = LineReader(requests, limit: .max)
      let output = FileOutput(descriptor: answers)
      let caller = Caller()
      caller.willRead = {
        if getpid() != process { _exit(0) }
        do { try output.write([0x20, 0x0A]) } catch { _exit(1) }
      }
      while case .bytes(let line)? = lines.next() {
        do {
          try output.write([0x0A])
          let answer = caller.answer(line: line, takesWords: words)
          // A callee that forks returns here twice.
          if getpid() != process { _exit(0) }
          try output.write(line: answer)
        } catch {
          // The callee closed the descriptor, so the error cannot be reported.
          _exit(1)
        }
      }
    }
  }
#endif
