import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Starts this program again as a worker process, connected by two pipes.
enum WorkerProcess {
  /// The standard input and output of callees.
  ///
  /// Standard error is always that of this program.
  enum Standard {
    /// The standard input and output of this program.
    case inherited
    /// No input; output goes to the standard error of this program.
    case apart
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  #if canImport(Darwin) || canImport(Android)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  /// The lowest number of the worker's descriptors.
  ///
  /// Callees are unlikely to close or write to descriptors as high as this.
  private static let leastDescriptor: CInt = 100

  /// Starts a worker.
  ///
  /// - Returns: The process, the descriptor to write requests to and the descriptor to read answers from; both are
  ///   nonblocking.
  static func start(_ standard: Standard, takesWords: Bool) throws -> (process: pid_t, requests: CInt, answers: CInt) {
    let (requestEnd, requests) = try makePipe()
    let (answers, answerEnd) = try makePipe()
    let theirs = [requestEnd, answerEnd].map(moved)
    defer { for descriptor in theirs { close(descriptor) } }
    for descriptor in [requests, answers] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    let words = ["worker", "--requests", "\(theirs[0])", "--answers", "\(theirs[1])"]
    do {
      return (try spawn(words + (takesWords ? ["--words"] : []), standard), requests, answers)
    } catch {
      close(requests)
      close(answers)
      throw error
    }
  }

  private static func makePipe() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe to the worker: \(systemMessage(errno))") }
    return (ends[0], ends[1])
  }

  /// Returns a copy of a descriptor with a high number, and closes the original.
  static func moved(_ descriptor: CInt) -> CInt {
    let copy = fcntl(descriptor, F_DUPFD, leastDescriptor)
    guard copy >= 0 else { return descriptor }
    close(descriptor)
    return copy
  }

  /// Starts this program with other words.
  static func spawn(_ words: [String], _ standard: Standard) throws -> pid_t {
    #if canImport(Darwin) || canImport(Android)
      var actions: FileActions = nil
      var attributes: Attributes = nil
    #else
      var actions = FileActions()
      var attributes = Attributes()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if standard == .apart {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      // Standard error may be closed.
      if fcntl(2, F_GETFD) >= 0 {
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
      } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      }
    }
    // This program ignores SIGPIPE, and a child process inherits that. Callees get the default disposition.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF
    if standard == .apart {
      // A signal that a callee sends to its process group is not meant for the program, nor for the shell that started it.
      // A single call stays in the group of the terminal, which its callee may read.
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, numericCast(flags))

    // A crash is reported in one line. Users who want a backtrace set this variable.
    let environment = ["SWIFT_BACKTRACE": "enable=no"].merging(ProcessInfo.processInfo.environment) { $1 }
    var process = pid_t()
    let failure = withCStrings([CommandLine.arguments[0]] + words) { words in
      withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&process, programPath, &actions, &attributes, words, environment)
      }
    }
    guard failure == 0 else { throw Failure(description: "the worker cannot be started: \(systemMessage(failure))") }
    if standard == .apart { forwardSignals(to: process) }
    return process
  }

  /// The path of this program's executable.
  private static var programPath: String {
    #if canImport(Darwin)
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #else
      "/proc/self/exe"  // valid even if the file was moved or replaced
    #endif
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(&copies)
  }
}
