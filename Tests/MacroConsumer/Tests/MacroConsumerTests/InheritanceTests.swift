import InvocationMacros
import Testing

@Invocable private class Base {
  func name() -> Int { 1 }
  func shared() -> Int { name() * 10 }
  func number(_ value: Int) -> Int { value }
  @NotInvocable func excluded() -> Int { 5 }
}

/// Names methods of its own.
@Invocable private class Derived: Base {
  override func name() -> Int { 2 }
  func own() -> Int { name() * 1_000 }
  override func excluded() -> Int { 6 }
}

/// Names none, and inherits its superclasses' names.
private class Plain: Derived {
  override func name() -> Int { 3 }
}

@Invocable private final class Last: Plain {
  override func number(_ value: Int) -> Int { -value }
}

/// A superclass that is not invocable.
private class Hidden {
  func number() -> Int { 1 }
}
@Invocable private final class Shown: Hidden {
  override func number() -> Int { 2 }
}

/// The least access that each part may have.
public enum Outer {
  /// An open class.
  @Invocable open class Opened {
    /// Creates one.
    public init() {}
    /// Returns the number of the superclass.
    open func number() -> Int { 1 }
  }
  /// A subclass that is invocable too.
  @Invocable public final class Published: Opened {
    /// Returns the number of the subclass.
    public override func number() -> Int { 2 }
    func more() -> Int { 3 }
  }
}

@Invocable package final class Conditional {
  #if MacroConsumerIsNeverThis
    func number() -> Int { 0 }
  #else
    func number() -> Int { 1 }
    #if compiler(>=6.2)
      func inner() -> Int { 2 }
    #endif
  #endif
  @available(*, unavailable) func gone() {}
}

@Invocable private final class Empty {}

@Suite struct InheritanceTests {
  private func number(_ selector: MethodSelector, _ target: AnyObject) throws -> Int { try send(selector, to: target).returnValue() }

  @Test func tablesChain() throws {
    #expect(MethodTable.of(Derived.self).superclassTable === MethodTable.of(Base.self))
    #expect(MethodTable.of(Base.self).selectors == ["name()", "shared()", "number(_:)"])
    #expect(MethodTable.of(Derived.self).selectors == ["name()", "own()", "excluded()"])
    #expect(MethodTable.of(Plain.self).selectors.isEmpty)
    #expect(MethodTable.of(Last.self).selectors == ["number(_:)"])
    #expect(MethodTable.of(Empty.self).selectors.isEmpty)
  }

  @Test func theTargetsOwnMethodRuns() throws {
    for (target, name) in [(Base(), 1), (Derived(), 2), (Plain(), 3), (Last(), 3)] {
      #expect(try number("name()", target) == name)
      #expect(try number("shared()", target) == name * 10)
      if target is Derived { #expect(try number("own()", target) == name * 1_000) }
      #expect(try send("number(_:)", to: target, 4).returnValue(as: Int.self) == (target is Last ? -4 : 4))
    }
    #expect(!MethodTable.of(Base.self).responds(to: "own()"))
    #expect(!MethodTable.of(Base.self).responds(to: "excluded()"))
    #expect(try number("excluded()", Last()) == 6)
  }

  @Test func otherSuperclassesAndAccess() throws {
    #expect(try number("number()", Shown()) == 2)
    #expect(!MethodTable.of(Hidden.self).responds(to: "number()"))
    #expect(try number("number()", Outer.Opened()) == 1)
    #expect(try number("number()", Outer.Published()) == 2)
    #expect(try number("more()", Outer.Published()) == 3)
  }

  @Test func whatIsCompiledIsThere() throws {
    #expect(MethodTable.of(Conditional.self).selectors == ["number()", "inner()"])
    #expect(try number("number()", Conditional()) == 1)
    #expect(try number("inner()", Conditional()) == 2)
  }

  @Test func threadsThatMeetAtTheFirstMessage() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try send("number()", to: Contended()).returnValue() } }
      for try await number in group { #expect(number == 7) }
    }
    #expect(MethodTable.of(Contended.self).selectors == ["number()"])
  }
}

@Invocable private final class Contended {
  func number() -> Int { 7 }
}
