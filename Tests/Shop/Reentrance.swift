// Functions that are called while they run, and in deinitializers.

/// Answers with the number that it is asked for.
package func ask(_ number: Int, done: (Int) -> Void) { done(number) }

/// Asks until the answer is right, or the tries are used up.
package func askAgain(_ tries: Int, _ number: Int) -> [Int] {
  var answers: [Int] = []
  ask(number) { answer in
    answers.append(answer)
    if answer < 0, tries > 1 { answers += askAgain(tries - 1, number) }
  }
  return answers
}

package func isEven(_ number: Int) -> Bool { number == 0 || isOdd(number - 1) }
package func isOdd(_ number: Int) -> Bool { number != 0 && isEven(number - 1) }
package func depth(_ number: Int) -> Int { number == 0 ? 0 : 1 + depth(number - 1) }
package func depthLater(_ number: Int) async -> Int { number == 0 ? 0 : 1 + (await depthLater(number - 1)) }
package func onlyOrdered(_ number: Int) -> Int { number }
package func onlyTask(_ number: Int) -> Int { number }
package func leftGlobal(_ number: Int) -> Int { number }
package func slow(_ number: Int) async -> Int { number }

package protocol Leaver: AnyObject {}

/// An object that calls functions with itself when it is deallocated.
package final class Leaving: Leaver, Hashable, Sendable {
  package let name: String
  package init(name: String) { self.name = name }
  package static func == (left: Leaving, right: Leaving) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  package func leave() -> String { name }

  deinit {
    _ = leave()
    left(self)
    leftMaybe(self)
    leftAny(self)
    leftAny([LeavingState.some(self)])
    leftLeaver(self)
    leftPair((name, self))
    leftHolder(LeavingHolder(name: name, object: self))
    leftState(.boxed(LeavingHolder(name: name, object: self)))
    leftList([1: [self]])
    leftObject(self)
    leftReferences(LeavingReferences(object: self))
    leftError(LeavingError(object: self))
    leftAny([[self] as any Sequence<Leaving>])
  }
}

package struct LeavingHolder {
  package let name: String
  package var object: Leaving?
}

/// `AnyObject`, whose mangled name ends as a weak reference's does, behind a reference that is weak.
package struct LeavingReferences {
  package weak var other: Leaving?
  package let object: AnyObject
  package init(object: AnyObject) { self.object = object }
}

package struct LeavingError: Error {
  package let object: Leaving
}

package enum LeavingState {
  case none
  case some(Leaving)
  indirect case boxed(LeavingHolder)
}

package func left(_ object: Leaving) {}
package func leftMaybe(_ object: Leaving?) {}
package func leftAny(_ object: Any) {}
package func leftLeaver(_ object: any Leaver) {}
package func leftPair(_ pair: (String, Leaving)) {}
package func leftHolder(_ holder: LeavingHolder) {}
package func leftState(_ state: LeavingState) {}
package func leftObject(_ object: AnyObject) {}
package func leftReferences(_ references: LeavingReferences) {}
package func leftError(_ error: any Error) {}
package func leftList(_ list: [Int: Set<Leaving>]) {}

private func hiddenRate() -> Int { 2 }
package func otherRate() -> Int { hiddenRate() }

// Passed by their address. The metatype has no bytes here, whatever the metadata of the tuple states.
package struct Kinded {
  package var parts: (Any, Int.Type, [String], Int)
  package init(_ word: Int) { parts = (1, Int.self, ["a"], word) }
}

package enum KindedState {
  case none
  case some(Any, String.Type, [String], Int)
}

@inline(never) package func keptKinds(_ kinded: Kinded?, _ state: KindedState) {}
