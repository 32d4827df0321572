#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// What the commands for one request have in common.
  enum RequestCommand {
    /// Answers a request in a worker.
    ///
    /// Prints the result, and the rest of the answer on a second line.
    ///
    /// - Parameter isVariable: Whether the request is to read a variable, and not to call a function.
    static func run(_ members: [JSONValue.Member], timeout: Duration? = nil, isVariable: Bool = false) throws {
      var line: [UInt8] = []
      JSONValue.object(members).write(to: &line)
      // The types are parsed here because the mark under a wrong byte needs the whole error; an answer contains only
      // its text.
      do throws(InvocationError) {
        let request = try CallRequest(line: line, takesWords: true)
        guard request.isVariable == isVariable else {
          throw InvocationError(.typeMismatch, "'\(request.symbol)' is a function, not a variable")
        }
        do throws(InvocationError) { _ = try request.parsedTypes() } catch { throw error.about(request.callee) }
      } catch {
        // What is in the place of TYPES may be the first argument.
        let isNoType = error.code == .malformedEncoding && error.byteOffset == 0
        let hint = "TYPES is a type encoding such as ddd; or state a declaration in C instead of SYMBOL and TYPES, or --header"
        throw error.reported(hint: isNoType ? hint : nil)
      }
      var answer: [UInt8] = []
      var runner = RequestRunner(single: line, timeout: timeout) { answer += $0 }
      do {
        try runner.run()
      } catch let failure as WorkerProcess.Failure {
        throw ReportedError.report(failure.description)
      }
      guard case .object(let parts) = try JSONParser.parse(answer) else { throw ReportedError.report("the worker gave no answer") }
      if case .object(let error)? = parts.first(where: { $0.name == "error" })?.value {
        guard case .string(let message)? = error.first(where: { $0.name == "message" })?.value else { throw ExitCode.failure }
        throw ReportedError.report(message)
      }
      for part in parts where part.name == "result" { try FileOutput.standardOutput.write(line: part.value) }
      let others = parts.filter { $0.name != "result" }
      if !others.isEmpty { try FileOutput.standardOutput.write(line: .object(others)) }
    }
  }
#endif
