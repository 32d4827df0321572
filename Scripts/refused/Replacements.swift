// What closures and answers of replaced functions must not share with other tasks.

import FunctionReplacement

final class Mutable { var number = 0 }

func statements(_ spy: Spy) throws {
  var seen = 0
  try spy.answer(.returning(1)) { _ in
    seen += 1  // error: mutation of captured var 'seen' in concurrently-executing code
    return true
  }
  let object = Mutable()
  try spy.answer(.original) { _ in object.number == 0 }  // error: capture of 'object'
  try spy.answer(.computed { _ in object.number == 0 ? .original : .original })  // error: capture of 'object'
  _ = try unsafe FunctionReplacement.spy("f()", keeping: .taken { _ in [object] })  // error: capture of 'object'
  try spy.answer(.returning(object))  // error: type 'Mutable' does not conform to the 'Sendable' protocol
}

func replacements() throws {
  let object = Mutable()
  try replace("f()", with: { object.number })  // error: capture of 'object'
  _ = try replacing("f()", with: { object.number }) { 1 }  // error: capture of 'object'
}

@MainActor final class Page {
  var rows = 0

  func test() throws {
    try replace("f()", with: { self.rows += 1 })  // error: main actor-isolated property 'rows' can not be mutated
  }
}
