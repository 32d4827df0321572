import Foundation

#if Tools
  import ArgumentParser

  /// The command-line program of the benchmark.
  @main
  struct InvocationBench: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "invocation-bench",
      abstract: "Time dynamic calls, or hold what they allocate and execute against a baseline.",
      discussion: """
        Without a subcommand it measures; invocation-bench help measure lists the options.

        Suites: W0 (v@:), W2 (q@:qq), W4 (eight mixed arguments), WR (rectangle in and out), WE (an event of four arguments),
        dispatcher (a message of the types of W2 to 1, 2 and 8 objects, which are its phases; direct is one call),
        swift (a Swift function found by its name, beside the compiled call: direct; its phases are integers, struct, string, throwing,
        row and event).
        Phases: invoke (the call alone), set (set every argument, call, read), create (a new invocation each time), callback (C calls),
        forward (C calls, the call goes on as it came; or a message that its target sends on), method (set, send the message to a
        target whose class has the method, read).
        Phases of events: boxed (the boxes are there), boxing (the sender boxes), typed, method (boxed, to a Swift method by its selector),
        up and down (boxed, past 16 nodes of a tree that do not handle it).
        Engines: direct, ffi_call, invocation, message, method and thunk (a message to a C function, to a Swift closure, to a
        Swift method by a thunk), function (a typed call without an object), frame (a frame on the stack), closure, forward,
        forwardingTarget and forwardInvocation (a message to an object that names another, to a proxy that gets an invocation),
        and avcall where GNU libffcall is installed (on Debian and Ubuntu: libffcall-dev, before the build). Of the suite dispatcher:
        dispatcher, and to each object in turn messages, calls of a C function, and closures of an array.
        Engine of swift: swift-function, a typed call.
        Engines of events: event (an EventProxy; its target strong), event-weak, event-100000 (among as many keys), event-async (an
        asynchronous handler), event-function (a typed event to a C function), dictionary-casts and dictionary-typed (a dictionary of
        closures), NotificationCenter.
        """, subcommands: [Measure.self, Growth.self, Gate.self], defaultSubcommand: Measure.self)
  }
#else
  /// The program without the trait Tools.
  ///
  /// Its command line needs swift-argument-parser, which is fetched only if the trait is enabled.
  @main
  enum WithoutTools {
    static func main() {
      FileHandle.standardError.write(
        Data("invocation-bench: built without its command line; build with: swift build --traits default,Tools\n".utf8))
      exit(64)
    }
  }
#endif

/// Writes a line to standard error.
func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
