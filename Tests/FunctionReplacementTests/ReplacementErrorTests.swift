#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import SwiftFunctions
  import TestSupport
  import Testing

  /// The error with which a function is not replaced.
  ///
  /// - Parameter code: The code that it must have, or nil for any.
  func refusal<Function>(
    _ name: String, is code: InvocationError.Code? = nil, _ closure: @autoclosure @escaping @Sendable () -> Function
  ) -> String {
    do {
      try replacing(name, with: closure()) {}
      return "nothing was refused"
    } catch let error as InvocationError {
      return code == nil || error.code == code ? "\(error)" : "\(error.code): \(error)"
    } catch {
      return "another error: \(error)"
    }
  }

  /// What is refused, with the reason, before anything is replaced.
  @Suite struct ReplacementErrorTests {
    @Test("The types of the closure are compared, argument by argument")
    func types() {
      #expect(
        refusal("Shop.area(_:_:)", is: .typeMismatch, { (width: Double, height: Float) in 0.0 })
          == "Shop.area(_:_:): argument 1: its type is Swift.Double, and the closure takes Swift.Float")
      #expect(
        refusal("Shop.area(_:_:)", is: .typeMismatch, { (width: Double, height: Double) in 0 })
          == "Shop.area(_:_:): return value: its type is Swift.Double, and the closure returns Swift.Int")
      #expect(
        refusal("Cart.total()", is: .countMismatch, { 0 })
          == "Shop.Cart.total(): it has 1 arguments, with its target, and the closure () -> Int takes 0")
      #expect(
        refusal("swapped(_:_:)", is: .typeMismatch, { (left: inout Int, right: Int) in })
          == "Shop.swapped(_:_:): argument 1: its type is inout Swift.Int, and the closure takes Swift.Int")
      #expect(
        refusal("Shop.factorial(_:)", is: .typeMismatch, { (number: Int) throws in number })
          == "Shop.factorial(_:): it does not throw, and the closure does")
      #expect(
        refusal("Shop.factorial(_:)", is: .typeMismatch, { (number: Int) async in number })
          == "Shop.factorial(_:): it is synchronous, and the closure is asynchronous")
      #expect(
        refusal("Shop.factorial(_:)", is: .typeMismatch, 5) == "a function is replaced by a closure, not by a value of type Int")
      #expect(
        refusal("Shop.factorial(_:)", is: .unsupportedType, { (number: __owned Int) in number }).hasSuffix(
          "a parameter of it is consuming"))
    }

    @Test("Names are compared with those that can be replaced")
    func names() {
      #expect(refusal("Cart.totl()", is: .symbolNotFound, { 0 }).contains("nearest: Cart.total()"))
      #expect(refusal("Cart.total", is: .symbolNotFound, { 0 }).contains("means 2 functions"))
      #expect(refusal("same(_:)", is: .unsupportedType, { (value: SecureMailer) in value }).contains("a parameter is an object: <A"))
      // The module of the tests is compiled without the flag.
      let other = refusal("ReplacementErrorTests.plain()", is: .symbolNotFound, { 0 })
      #expect(other.contains("since its module was compiled without a flag: compile its module with '-Xfrontend -enable-implicit-dynamic'"))
    }

    @Test("A refusal states the one reason that is true, and what to do instead")
    func reasons() {
      for (name, text) in [
        ("Settings.shared", "it is stored, and has no function: replace the functions that use it, or methods of the object in it"),
        ("Settings.name", "it is stored"), ("Meter.yielded", "it is yielded (_read, _modify)"), ("Till.sum", "it is stored"),
        ("Settings.$volume", "it is the projected value of a property wrapper"),
        ("Settings.inlined()", "callers inline it (@inlinable, @_transparent)"),
      ] {
        let refused = refusal(name, is: .symbolNotFound, { 0 })
        #expect(refused.hasPrefix("'Shop.\(name)' of the process cannot be replaced, since \(text)"), "\(refused)")
      }
      for name in ["Wrong.Array.second()", "Array.secnd()", "Wrong.Cart.useSecret(_:)"] {
        #expect(refusal(name, is: .symbolNotFound, { 0 }).contains("nearest: "), "\(refusal(name, { 0 }))")
      }
    }

    @Test("What is more or less than a name is refused")
    func rubbish() {
      for name in [
        "Cart.useSecret(_:)(_:)", " Cart.useSecret(_:)", "Cart.useSecret(_:) ", "Cart.useSecret(_:", "Cart.useSecret(_:) x",
        "Cart.currency.",
        "Cart.currency ", "Cart.currency()()", "Cart.subscript(_:).getter()", "Cart.subscript(_:).got", "Cart.currency:", "area(_:_:) ->",
        "",
      ] {
        let refused = refusal(name, is: .symbolNotFound, { 0 })
        #expect(refused == "'\(name)' is no name of a function: write Module.Type.method(label:), or Module.Type.property")
      }
    }

    @Test("An extension's member has the module of its type or its own; a private function its file; each name that is listed is one")
    func modulesAndFiles() throws {
      for module in ["", "Shop.", "Swift.", "(extension in Shop):Swift."] {
        #expect(try replacing("\(module)Array.second()", with: { (list: [Int]) -> Int? in list[0] }) { [1, 2].second() } == 1)
      }
      let error = #expect(throws: InvocationError.self) { try replacing("hiddenRate()", with: { 5 }) {} }
      #if DEBUG
        let files = ["Kinds.swift", "Reentrance.swift"]
      #else  // optimized code states hashes of their names
        let files = ["_362E4990D43D7DBA2F532DEEF5E5B821", "_E364176CC4D551AEE47307747BA305F9"]
      #endif
      #expect(error?.candidates.sorted() == files.map { "Shop.(hiddenRate in \($0))() -> Swift.Int" }.sorted())
      for name in error?.candidates ?? [] {
        #expect(try replacing(name, with: { 5 }) { rate() + otherRate() } == (name.contains(files[0]) ? 7 : 6))
      }
      #expect(try replacing("Shop.(hiddenRate in Kinds.swift)()", with: { 5 }) { [rate(), otherRate()] } == [5, 2])
      #expect(refusal("Shop.(hiddenRate in Shop.swift)()", { 5 }) != "nothing was refused")
      for wrong in ["Cart.total", "total", "subscript", "+(_:_:)", "isOld(_:)", "Cart.init", "Cart.subscript"] {
        for name in refusalCandidates(wrong) {
          let refused = refusal(name, is: .symbolNotFound, { 0 })
          #expect(!refused.contains("has no Swift function") && !refused.contains("means"), "\(refused)")
        }
      }
    }

    private func refusalCandidates(_ name: String) -> [String] {
      let error = #expect(throws: InvocationError.self) { try replacing(name, with: { 0 }) {} }
      return error?.candidates ?? []
    }

    static func plain() -> Int { 1 }

    @Test("A library without the flag, whose function no image calls through its table, gives an error that states both")
    func flag() throws {
      let path = try SwiftCompiler.sharedLibrary(source: "public func one() -> Int { 1 }", module: "Plain")
      let library = try DynamicLibrary(path)
      let error = #expect(throws: InvocationError.self) { try replace("Plain.one()", in: library, reach: .global, with: { 2 }) }
      let text = "\(try #require(error))"
      #expect(text.contains("no image that is meant calls it through its table"))
      #expect(text.contains("replace a function of yours that calls it, in a module compiled with '-Xfrontend -enable-implicit-dynamic'"))
    }

    @Test("A replacement of a task needs a scope")
    func scope() {
      let error = #expect(throws: InvocationError.self) { try replace("Shop.area(_:_:)", with: { (_: Double, _: Double) in 0.0 }) }
      #expect(error?.code == .noScope)
      #expect(area(1, 2) == 2)
    }

    @Test("Functions of a library that is opened at run time, optimized and not", arguments: [SwiftCompiler.Mode.plain, .optimized])
    func library(_ mode: SwiftCompiler.Mode) throws {
      let source = """
        extension Int {
          public func doubled() -> Int { self * 2 }
          public mutating func bump() { self += 1 }
        }
        private func hidden(_ text: String) -> String { text + "?" }
        public func ask(_ text: String) -> String { hidden(text) }
        @inline(__always) public func eager(_ number: Int) -> Int { number + 1 }
        public func callsEager() -> Int { eager(1) }
        public func constant() -> Int { 41 }
        public func usesConstant() -> Int { constant() + 1 }
        func twice<Value>(_ value: Value, _ function: (Value) -> Value) -> Value { function(function(value)) }
        public func specialized() -> Int { twice(3) { eager($0) } + twice(3, eager) }
        protocol Number { func number() -> Int }
        extension Int: Number { func number() -> Int { 5 } }
        public func devirtualized() -> Int { let five: any Number = 1; return five.number() + 2.number() }
        @inlinable public func inlinable(_ number: Int) -> Int { number }
        public func both(_ number: Int) -> Int { var number = number; number.bump(); return number.doubled() }
        """
      let path = try SwiftCompiler.sharedLibrary(
        source: source, module: "Dynamic", flags: mode.flags + ["-Xfrontend", "-enable-implicit-dynamic"])
      let library = try DynamicLibrary(path)
      let swift = try unsafe SwiftLibrary(path).trusting(.declarations)
      let (ask, both) = (try swift.function("Dynamic.ask(_:)"), try swift.function("Dynamic.both(_:)"))
      try withReplacements {
        try replace("Dynamic.hidden(_:)", in: library, with: { (text: String) in text + "!" })
        try replace("Int.doubled()", in: library, with: { (number: Int) in number * 3 })
        try replace("Int.bump()", in: library, with: { (number: inout Int) in number += 10 })
        try replace("Dynamic.eager(_:)", in: library, with: { (number: Int) in number * 10 })
        try replace("Dynamic.constant()", in: library, with: { 9 })
        #expect(try swift.function("Dynamic.callsEager()")() as Int == 10)
        #expect(try swift.function("Dynamic.usesConstant()")() as Int == 10)
        #expect(try swift.function("Dynamic.specialized()")() as Int == 600)
        try replace("Int.number()", in: library, with: { (number: Int) in number * 100 })
        #expect(try swift.function("Dynamic.devirtualized()")() as Int == 300)
        let error = #expect(throws: InvocationError.self) {
          try replace("Dynamic.inlinable(_:)", in: library, with: { (number: Int) in number })
        }
        #expect(error.map { "\($0)".contains("since callers inline it (@inlinable, @_transparent)") } == true)
        #expect(try ask("a") as String == "a!")
        #expect(try both(1) as Int == 33)
      }
      #expect(try ask("a") as String == "a?")
      #expect(try both(1) as Int == 4)
    }
  }
#endif
