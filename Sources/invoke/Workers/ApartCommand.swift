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

  /// A command that loads libraries and calls their functions, in a process of its own.
  ///
  /// A library that crashes or ends its process then ends only that process, and the program says so.
  protocol CommandApart: ParsableCommand {
    /// Runs the command in this process.
    func run(_ report: CommandReport) throws
  }

  extension CommandApart {
    /// Runs the command in a process of its own, with the standard input and output of this program.
    func run() throws {
      do {
        try CommandProcess.run(CommandLine.arguments.dropFirst())
      } catch let failure as WorkerProcess.Failure {
        throw ReportedError.report(failure.description)
      }
    }
  }

  /// The process in which a command runs that calls functions.
  ///
  /// The program starts itself with this command; it is not meant for users.
  struct ApartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "apart", abstract: "Runs a command.", shouldDisplay: false)

    @Option(name: .long, help: "The descriptor of the memory that is shared with the program.")
    var report: CInt

    @Argument(parsing: .captureForPassthrough, help: "The command.")
    var words: [String] = []

    func run() throws {
      let report = try CommandReport(descriptor: report)
      close(self.report)
      WorkerProcess.endWithParent()
      WorkerProcess.endWithThread()
      guard let command = try InvokeCommand.parseAsRoot(words) as? any CommandApart else {
        throw ValidationError("'\(words.first ?? "")' needs no process of its own.")
      }
      do {
        try command.run(report)
      } catch {
        report.finish(status: InvokeCommand.exitCode(for: error).rawValue)
        throw error
      }
      report.finish(status: 0)
    }
  }

  /// Starts the process of a command, and says how it ended.
  enum CommandProcess {
    /// - Throws: The exit status of the command.
    static func run(_ words: some Sequence<String>) throws {
      let descriptor = try CommandReport.make()
      let report = try CommandReport(descriptor: descriptor)
      let theirs = WorkerProcess.moved(descriptor)
      let process = try WorkerProcess.spawn(["apart", "--report", "\(theirs)"] + words, .inherited)
      close(theirs)
      let end = wait(for: process)
      if let status = report.finishedStatus {
        // Exit handlers of libraries run after the end of the command.
        if case .signaled(let number) = end { Worker.End.noteLateCrash(number) }
        guard status == 0 else { throw ExitCode(status) }
        return
      }
      if report.showsProgress { ProgressLine.eraseAny() }
      // The callee may have ended its process in the middle of many rows.
      try? FileOutput.standardOutput.write(report.pending)
      if case .signaled(SIGPIPE) = end, !report.isCalling {
        // The output is closed. What this program was started by learns it as of any other program.
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
      }
      let line = report.line > 0 ? "line \(report.line): " : ""
      throw ReportedError.report(line + end.error(of: report.isCalling ? report.subject : "the command").reason)
    }

    private static func wait(for process: pid_t) -> Worker.End {
      var status: CInt = 0
      while waitpid(process, &status, 0) < 0 {
        // It was reaped elsewhere, for example since SIGCHLD is ignored.
        guard errno == EINTR else { return .exited(0) }
      }
      return Worker.End(status: status)
    }
  }
#endif
