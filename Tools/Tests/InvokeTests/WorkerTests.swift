#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A batch whose callees crash, exit, print, read, and take their time.
  @Suite(.measured) struct WorkerTests {
    private static func absolute(_ number: Int) -> String { request("libc.so.6", "abs", "ii", "[\(-number)]") }

    /// Lines that end the process they are called in, and the answer to each.
    private static let endings: [(line: String, kind: String, message: String)] = [
      (request("libc.so.6", "abort", "v", "[]"), "crashed", "'abort' of 'libc.so.6' crashed: signal SIGABRT, Aborted"),
      (request("libc.so.6", "raise", "ii", "[9]"), "crashed", "'raise' of 'libc.so.6' crashed: signal SIGKILL, Killed"),
      (request("-", "_exit", "vi", "[7]"), "exited", "'_exit' of the process ended its process, with status 7"),
      (request("libc.so.6", "exit", "vi", "[0]"), "exited", "'exit' of 'libc.so.6' ended its process, with status 0"),
      (request("libc.so.6", "pthread_exit", "v^v", "[null]"), "exited", "'pthread_exit' of 'libc.so.6' ended its process, with status 0"),
      (request("libc.so.6", "daemon", "iii", "[1,1]"), "exited", "'daemon' of 'libc.so.6' ended its process, with status 0"),
      // AddressSanitizer takes the end of the first thread for a fault.
    ].filter { Sanitizer.current != .address || !$0.line.contains("pthread_exit") }

    @Test("A callee that ends its process costs its own line, whichever way it does; the rest are answered, in order")
    func endings() throws {
      var lines: [String] = []
      for (index, ending) in Self.endings.enumerated() { lines += [Self.absolute(index), ending.line] }
      let answers = try Program.batch(lines + [Self.absolute(99), "{"])
      try #require(answers.count == lines.count + 2)
      for (index, ending) in Self.endings.enumerated() {
        #expect(answers[2 * index] == "{\"result\":\(index)}")
        #expect(answers[2 * index + 1] == #"{"error":{"kind":"\#(ending.kind)","message":"\#(ending.message)"}}"#)
      }
      #expect(answers[lines.count] == "{\"result\":99}")
      #expect(try errorKind(answers[lines.count + 1]) == "malformedRequest")
      // Behind a crash there may be lines that no worker is asked about, and nothing else.
      #expect(try Program.batch([Self.endings[0].line, "", ""]).map(errorKind) == ["crashed", "malformedRequest"])
      #expect(try Program.batch(["", Self.endings[0].line, "", Self.endings[2].line]).map(errorKind).last == "exited")
    }

    @Test("What a callee itself writes to the reply pipe is no answer") func forgedAnswers() throws {
      let forged = Array("{\"result\":7}\n{\"result\":8}\n".utf8).map { "\($0)" }.joined(separator: ",")
      let write = { (descriptor: Int) in request("libc.so.6", "write", "qi^CQ", "[\(descriptor),[\(forged)],26]") }
      let answers = try Program.batch([Self.absolute(1)] + (100..<104).map(write) + [Self.absolute(2)])
      #expect(answers.count == 6)
      #expect(answers.first == "{\"result\":1}" && answers.last == "{\"result\":2}")
    }

    // A sanitizer takes the signal, and exits.
    @Test("A crash while what a callee returned is read is not said to be the callee's")
    func crashOfReading() throws {
      let library = try CCompiler.gcc.sharedLibrary(
        source: """
          char *text(void) { return (char *)16; }
          struct pair { int n; char *text; } pair(void) { return (struct pair){1, (char *)16}; }
          void fill(char **texts) { texts[0] = (char *)16; }
          int *number(void) { return (int *)16; }
          char *variable = (char *)16;
          char *crash(void) { return *(char **)16; }
          """, name: "unreadable")
      let lines = [
        request(library, "text", "*", "[]"), request(library, "pair", "{p=i*}", "[]"), request(library, "fill", "v^*", "[[null]]"),
        request(library, "number", "^i", "[]", ",\"follow\":true"), #"{"library":"\#(library)","symbol":"variable","type":"*"}"#,
        request(library, "crash", "*", "[]"), request("libc.so.6", "labs", "qq", "[-5]"),
      ]
      let answers = try Program.batch(lines)
      for (answer, symbol) in zip(answers, ["text", "pair", "fill", "number"]) {
        #expect(answer.contains("'\(symbol)' of '\(library)' returned; reading its result crashed: signal SIGSEGV"), "\(answer)")
        #expect(try errorKind(answer) == "crashed")
      }
      #expect(answers[4].contains("reading 'variable' of '\(library)' crashed: signal SIGSEGV"))
      #expect(answers[5].contains("'crash' of '\(library)' crashed: signal SIGSEGV") && answers[6] == "{\"result\":5}")
    }

    @Test("A crash has no dump of registers, only its answer", .enabled(if: Sanitizer.current == nil))
    func segmentationFault() throws {
      let answers = try Program.batch([request("libc.so.6", "strlen", "Q*", "[null]"), Self.absolute(1)])
      #expect(
        answers == [
          #"{"error":{"kind":"crashed","message":"'strlen' of 'libc.so.6' crashed: signal SIGSEGV, Segmentation fault"}}"#,
          "{\"result\":1}",
        ])
      try Program.call("libc.so.6", "strlen", "Q*", "null")
        .expectError("'strlen' of 'libc.so.6' crashed: signal SIGSEGV, Segmentation fault\n")
    }

    @Test(arguments: [
      (["abort", "v"], "'abort' of 'libc.so.6' crashed: signal SIGABRT, Aborted"),
      (["exit", "vi", "0"], "'exit' of 'libc.so.6' ended its process, with status 0"),
    ]) func oneCallThatEnds(words: [String], message: String) throws {
      try Program.run(["call", "libc.so.6"] + words).expectError(message + "\n")
    }

    @Test("A callee that puts another program in place of its process costs its own line, even one that goes on")
    func programs() throws {
      let answers = try Program.batch([
        request("libc.so.6", "execl", "i***", #"["/bin/true","true",null]"#, ",\"fixed\":2"), Self.absolute(1),
        request("libc.so.6", "execl", "i****", #"["/bin/sleep","sleep","3600",null]"#, ",\"fixed\":2"), Self.absolute(2),
        // A failed one comes back.
        request("libc.so.6", "execl", "i***", #"["/nowhere","x",null]"#, ",\"fixed\":2"),
      ])
      #expect(try answers.map(errorKind) == ["exited", nil, "exited", nil, nil])
      #expect(answers.suffix(2) == ["{\"result\":2}", "{\"result\":-1}"])
    }

    @Test("A child that a callee forks answers nothing, and a callee that closes all descriptors costs one line")
    func children() throws {
      let answers = try Program.batch([
        Self.absolute(1), request("libc.so.6", "fork", "i", "[]"), Self.absolute(2), request("libc.so.6", "closefrom", "vi", "[3]"),
        Self.absolute(3),
      ])
      try #require(answers.count == 5)
      #expect([answers[0], answers[2], answers[4]] == ["{\"result\":1}", "{\"result\":2}", "{\"result\":3}"])
      #expect(try errorKind(answers[1]) == nil && answers[1] != "{\"result\":0}")
      #expect(try errorKind(answers[3]) == "exited")
    }

    @Test("Many crashes among many lines are told of the right ones")
    func exactness() throws {
      let lines = (0..<400).map { $0 % 50 == 17 ? Self.endings[$0 / 50 % 4].line : Self.absolute($0) }
      let answers = try Program.batch(lines)
      try #require(answers.count == 400)
      for (index, answer) in answers.enumerated() where index % 50 != 17 { #expect(answer == "{\"result\":\(index)}") }
      for index in stride(from: 17, to: 400, by: 50) {
        #expect(try errorKind(answers[index]) == Self.endings[index / 50 % 4].kind)
      }
    }

    @Test("What callees print goes to standard error, and they find no input: the batch is not theirs")
    func output() throws {
      let lines = [
        request("libc.so.6", "puts", "i*", "[\"printed\"]"), request("libc.so.6", "getchar", "i", "[]"),
        request("libc.so.6", "write", "qiq^CQ", "[]"), request("libc.so.6", "write", "qi^CQ", "[1,[104,105,10],3]"),
        request("libc.so.6", "close", "ii", "[1]"), Self.absolute(4),
      ]
      let run = try Program.run(["call", "--batch"], input: Array(lines.joined(separator: "\n").utf8))
      #expect(run.status == 0)
      #expect(run.errors == "printed\nhi\n")
      #expect(run.lines.count == 6)
      #expect(run.lines[0] == "{\"result\":8}" && run.lines[1] == "{\"result\":-1}")
      #expect(run.lines[3] == #"{"result":3,"buffers":{"1":[104,105,10]}}"#)
      #expect(run.lines.last == "{\"result\":4}")
    }

    /// Both pipes to the worker fill up many times over.
    @Test func longLinesBothWays() throws {
      let values = String(repeating: "1234567,", count: 100_000) + "0"
      let lines = (0..<16).map { _ in request("libc.so.6", "getppid", "v^q", "[[\(values)]]") }
      let answers = try Program.batch(lines)
      #expect(answers.count == 16)
      #expect(answers.allSatisfy { $0 == "{\"result\":null,\"buffers\":{\"0\":[\(values)]}}" })
    }

    @Test("A call that takes longer than it is given is ended, and the next has as long")
    func timeouts() throws {
      let line = request("libc.so.6", "pause", "i", "[]")
      // A call that a slow machine does not begin within its time is another error, after which there is more time.
      let ended = try ["0.2", "2.0", "20.0", "200.0"].contains { seconds in
        let batch = try Program.run(["call", "--timeout", seconds, "--batch"], input: Array("\(line)\n\(line)\n".utf8))
        #expect(batch.status == 0)
        #expect(try batch.lines.map(errorKind) == ["timedOut", "timedOut"])
        let single = try Program.call("--timeout", seconds, "libc.so.6", "pause", "i")
        #expect(single.status == 1)
        let error = "'pause' of 'libc.so.6' took longer than \(seconds) seconds, and was ended"
        return batch.lines.allSatisfy { $0.contains(error) } && single.errors == "Error: \(error)\n"
      }
      #expect(ended)
    }

    /// The state of a process, such as `T` for one that is stopped; nil if there is none.
    private func state(of process: Int) -> Character? {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return nil }
      return status.split(separator: ")").last?.first { $0 != " " }
    }

    private func wait(until condition: () -> Bool) {
      for _ in 0..<6000 where !condition() { usleep(10_000) }
    }

    @Test("A line that a stopped worker never begins has as long as a call, and the next goes to a new worker")
    func stoppedWorker() throws {
      let source = """
        #include <pthread.h>
        #include <signal.h>
        #include <unistd.h>
        static void *stop(void *unused) { usleep(100000); kill(getpid(), SIGSTOP); return 0; }
        int stops_later(void) { pthread_t thread; pthread_create(&thread, 0, stop, 0); return getpid(); }
        """
      let library = try CCompiler.gcc.sharedLibrary(source: source, flags: ["-pthread"], name: "stopping")
      let batch = try Program.Conversation(["call", "--timeout", "5", "--batch"])
      let answer = batch.ask(request(library, "stops_later", "i", "[]"))
      let worker = try #require(Int(answer.filter(\.isNumber)))
      wait { state(of: worker) == "T" }
      try #require(state(of: worker) == "T")
      let late = batch.ask(Self.absolute(1))
      #expect(late.contains(#""kind":"timedOut""#) && late.contains("'abs' of 'libc.so.6' was not begun within 5.0 seconds"))
      #expect(batch.ask(Self.absolute(2)) == "{\"result\":2}\n")
      try batch.expectEnd()
    }

    @Test("A signal to the process group of a callee of a batch ends the worker only")
    func processGroup() throws {
      let batch = try Program.Conversation(["call", "--batch"])
      let process = batch.ask(request("libc.so.6", "getpid", "i", "[]"))
      // Before a signal is sent: it would end this process, too, if the group were its own.
      try #require(process.contains("result") && process == batch.ask(request("libc.so.6", "getpgrp", "i", "[]")))
      let killed = batch.ask(request("libc.so.6", "kill", "iii", "[0,15]"))
      #expect(killed.contains("'kill' of 'libc.so.6' crashed: signal SIGTERM, Terminated"))
      #expect(batch.ask(Self.absolute(2)) == "{\"result\":2}\n")
      try batch.expectEnd()
    }

    @Test("A signal that ends the program ends what a callee of the batch has started, too")
    func forwardedSignals() throws {
      let file = TemporaryFolder.shared.url.appendingPathComponent("child-\(UUID().uuidString)")
      let batch = try Program.Conversation(["call", "--batch"])
      batch.tell(request("libc.so.6", "system", "i*", #"["echo $$ > '\#(file.path)'; exec sleep 3600"]"#))
      var child: Int? { (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0.filter(\.isNumber)) } }
      wait { child != nil }
      let sleeper = try #require(child)
      kill(batch.process.processIdentifier, SIGTERM)
      wait { !batch.process.isRunning }
      try #require(!batch.process.isRunning)
      #expect(batch.process.terminationReason == .uncaughtSignal && batch.process.terminationStatus == SIGTERM)
      wait { state(of: sleeper).map { $0 == "Z" } ?? true }
      #expect(state(of: sleeper).map { $0 == "Z" } ?? true)
    }

    @Test("A worker that does not end after its calls is ended after the timeout, which is no crash")
    func exitHandlers() throws {
      let source = """
        #include <stdlib.h>
        #include <unistd.h>
        static void hang(void) { for (;;) pause(); }
        int hangs(void) { return atexit(hang); }
        """
      let library = try CCompiler.gcc.sharedLibrary(source: source, name: "hanging")
      let run = try Program.call("--timeout", "1", library, "hangs", "i")
      #expect(run.status == 0 && run.output == "0\n")
      #expect(run.errors == "Warning: the worker took longer than 1.0 seconds to end after its calls, and was ended\n")
    }

    @Test("The worker ends with the program, even in the middle of a call")
    func death() throws {
      let batch = try Program.Conversation(["call", "--batch"])
      let worker = try #require(Int(batch.ask(request("libc.so.6", "getpid", "i", "[]")).filter(\.isNumber)))
      #expect(worker != batch.process.processIdentifier)
      batch.tell(request("libc.so.6", "pause", "i", "[]"))
      kill(batch.process.processIdentifier, SIGKILL)
      batch.process.waitUntilExit()
      // Its parent is now one that may be slow to collect it.
      wait { state(of: worker).map { $0 == "Z" } ?? true }
      #expect(state(of: worker).map { $0 == "Z" } ?? true)
    }

    @Test("Who no longer reads the answers ends the program as any other in a pipe")
    func closedOutput() throws {
      let lines = (0..<20_000).map { Self.absolute($0) + "\n" }.joined()
      let script = "{ \"$0\" call --batch \"$1\"; echo $? >&2; } | head -n 1"
      let run = try Program.withFolder(["batch.jsonl": lines]) { folder in
        try Program.run(
          ["-c", script, Program.url.path, folder.path + "/batch.jsonl"], program: URL(fileURLWithPath: "/bin/sh"))
      }
      #expect(run.output == "{\"result\":0}\n")
      // 141 is SIGPIPE; where the parent ignores that, it is an error.
      #expect(run.errors.contains("141") || run.errors.contains("the output cannot be written"))
    }

    // A sanitizer takes the signal before the runtime sees it, and reports the crash that is wanted here.
    @Test(
      "A signal in a callee leaves a trace with the names of the callee, the kernel and the program's own functions",
      .enabled(if: Sanitizer.current == nil))
    func trace() throws {
      let source = """
        int crashing_function(const volatile int *address) { return *address + 1; }
        int calling_function(int number, const int *address) { return crashing_function(address) + number; }
        """
      let library = try CCompiler.gcc.sharedLibrary(source: source, flags: ["-O0"], name: "crash")
      let run = try Program.run(
        ["call", library, "calling_function", "ii^i", "3", "null"],
        environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,interactive=no,timeout=60s"])
      #expect(run.status == 1)
      #expect(run.output == "")
      #expect(run.errors.contains("Error: 'calling_function' of '\(library)' crashed: signal "))
      // A toolchain may come without the helper, or not be where the program looks for it.
      guard run.errors.contains("crashing_function") else { return }
      var rest = run.errors[...]
      for name in ["crashing_function", "calling_function", "cffi_kernel_", "WorkerCommand.run"] {
        let range = rest.range(of: name)
        #expect(range != nil, "\(name) in \(run.errors)")
        if let range { rest = rest[range.upperBound...] }
      }
    }
  }
#endif
