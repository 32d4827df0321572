#if os(Linux)
  import DynamicInvocation
  import Foundation
  import FunctionReplacement
  import Shop
  import TestSupport
  import Testing

  /// On which actor and thread the closures of a user run, and what may go to another one.
  @Suite struct ReplacementIsolationTests {
    @globalActor actor Bench: GlobalActor { static let shared: Bench = Bench() }

    @MainActor static var page: [Int] = []
    @Bench static var tools: [Int] = []

    @Test("A closure of a global actor runs on it: the asynchronous function changes to it")
    func onActor() async throws {
      let main: @MainActor (Int) -> Int = { number in
        MainActor.assertIsolated()
        Self.page.append(number)
        return number + 1
      }
      let mainLater: @MainActor (Int) async -> Int = { number in
        await Task.yield()
        MainActor.assertIsolated()
        return number + 2
      }
      let bench: @Bench (Int) -> Int = { number in
        Bench.shared.assertIsolated()
        Self.tools.append(number)
        return number + 3
      }
      #expect(try await replacing("slow(_:)", with: main) { await slow(1) } == 2)
      #expect(try await replacing("slow(_:)", with: mainLater) { await slow(1) } == 3)
      #expect(try await replacing("slow(_:)", with: bench) { await slow(1) } == 4)
      try await withReplacements {
        try replace("onMainNow(_:)", with: main)
        #expect(await onMainNow(5) == 6)
        let asked: @Bench (Int) -> Bool = { _ in Self.tools.isEmpty }
        try replace("isOdd(_:)", with: asked)
        #expect(await Self.askedOnBench() == false)
      }
      #expect(await Self.page == [1, 5])
    }

    @Bench private static func askedOnBench() -> Bool { isOdd(3) }

    @Test("A synchronous function that is called off the actor of its closure ends the program, with the reason")
    func offActor() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let main: @MainActor (Int) -> Int = { number in
          ReplacementIsolationTests.page.append(number)
          return number
        }
        try replace("Cart.price(of:)", reach: .global, with: main)
        _ = await Task.detached { Cart.price(of: 1) }.value
      }
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains("'Shop.Cart.price(of:)' was called elsewhere, and the closure that replaces it is isolated to MainActor"))
    }

    /// Why each public function that takes a closure, or values that other threads or actors may get, is sound.
    static let reasons = [
      "replace": "the closure is made by a @Sendable one; one of a global actor is entered on it; isolated parameters are refused",
      "replacing": "as replace; its body runs in the task of the caller, and in its isolation",
      "withReplacements": "its body runs in the task of the caller, and in its isolation",
      "original": "its body runs in the task of the caller, and in its isolation",
      "answer": "the closure is @Sendable, and answers are Sendable",
      "count": "the closure runs in the task of the caller",
      "returning": "the value is Sendable",
      "throwing": "an error is Sendable",
      "computed": "the closure is @Sendable, and runs in the task of the call",
      "spyAll": "its answer is Sendable, and closures in it are @Sendable",
      "after": "an answer and a clock are Sendable",
      "callAsFunction": "a synchronous function runs on the thread of the caller; an asynchronous one takes and returns Sendable values",
      "call": "a synchronous function runs on the thread of the caller; the asynchronous form is @unsafe",
      "makeInvocation": "a SwiftInvocation is not Sendable",
      "setArguments": "a SwiftInvocation is not Sendable",
    ]

    @Test("Each public function that takes a closure or untyped values is in the list of reasons, and each reason is of one")
    func listed() throws {
      let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources")
      var found: Set<String> = []
      for module in ["FunctionReplacement", "SwiftFunctions"] {
        let files = try #require(
          FileManager.default.enumerator(at: sources.appendingPathComponent(module), includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
          let chunks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "public ")
          for (before, chunk) in zip(chunks, chunks.dropFirst()) where !before.hasSuffix("@_spi(Tools) ") {
            let head = chunk.prefix { $0 != "{" }
            guard let name = Self.name(head), let parameters = Self.parameters(head) else { continue }
            let isChecked = ["->", "Any]", "Answer", "Sendable", "any Error", "each Argument"].contains { parameters.contains($0) }
            if isChecked { found.insert(name) }
          }
        }
      }
      #expect(found.symmetricDifference(Self.reasons.keys) == [])
    }

    private static func name(_ head: Substring) -> String? {
      let words = head.split(whereSeparator: { " \n".contains($0) })
      guard let place = words.firstIndex(of: "func"), place < 4, words.count > place + 1 else { return nil }
      return String(words[place + 1].prefix { $0.isLetter || $0 == "_" })
    }

    private static func parameters(_ head: Substring) -> Substring? {
      guard let start = head.firstIndex(of: "(") else { return nil }
      var depth = 0
      for index in head[start...].indices {
        if head[index] == "(" { depth += 1 }
        if head[index] == ")" { depth -= 1 }
        if depth == 0 { return head[start...index] }
      }
      return nil
    }
  }
#endif
