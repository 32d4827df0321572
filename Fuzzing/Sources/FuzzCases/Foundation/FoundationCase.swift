import DynamicInvocation
import DynamicInvocationFoundation
import Foundation

/// Sets arguments of a generated signature from Swift and Foundation values and reads them back.
///
/// The results are compared with a second implementation of the conversion rule, which also tests boxes.
func foundationCase(_ bytes: UnsafeRawBufferPointer) {
  let living = Probe.living
  exercise(bytes)
  require(Probe.living == living, "\(Probe.living - living) objects outlive their frames")
}

private func exercise(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  var text = "v"
  for _ in 0..<1 + reader.number(below: 6) { text += reader.typeText() }
  guard let signature = try? MethodSignature(types: text), !signature.isMethod, signature.numberOfArguments > 0 else { return }
  let invocation = Invocation(signature)
  for _ in 0..<16 where !reader.isEmpty {
    let index = reader.number(below: signature.numberOfArguments)
    let sample = reader.anySample()
    let type = signature.types.arguments[index]
    let before = try? invocation.boxedArgument(at: index)
    let isSet = set(sample, index, of: invocation, type)
    let after = try? invocation.boxedArgument(at: index)
    guard isSet else {
      let isSame = before?.description == after?.description
      require(isSame, "argument \(index) of \(text) refuses \(sample.shown), and is changed")
      continue
    }
    guard let after else {
      require(false, "argument \(index) of \(text) is gone after it was set to \(sample.shown)")
      continue
    }
    check(after, sample, type)
    checkFoundation(invocation, index, after, type)
  }
}

/// Sets an argument, which must succeed or fail as the rule specifies.
///
/// Returns whether it succeeded.
private func set(_ sample: AnySample, _ index: Int, of invocation: Invocation, _ type: TypeEncoding) -> Bool {
  let expectation = BoxedExpectation(sample, as: type)
  do {
    try invocation.setArgument(any: sample.any, at: index)
  } catch {
    switch expectation {
    case .accepted: require(false, "a parameter \(type) refuses \(sample.shown): \(error)")
    case .refused(let codes): require(codes.contains(error.code), "a parameter \(type) refuses \(sample.shown) as \(error.code): \(error)")
    case .either: break
    }
    require(error.argument == .index(index) && !error.description.isEmpty, "the error of \(sample.shown) has another place: \(error)")
    return false
  }
  if case .refused = expectation { require(false, "a parameter \(type) takes \(sample.shown)") }
  return true
}

/// Checks that a value that was read is the value that was set.
private func check(_ value: BoxedValue, _ sample: AnySample, _ type: TypeEncoding) {
  guard sample.isKnown, let meaning = sample.meaning else { return }
  if case .object = type.kind {
    switch value {
    case .null:
      if case .null = meaning { return }
      require(false, "\(sample.shown) is null as an object")
    case .object(let object): require(!sample.isObject || object === sample.any as AnyObject, "\(sample.shown) is another object")
    default: require(false, "an object is \(value)")
    }
    return
  }
  let same = BoxedSample(box: .null, meaning: meaning).agrees(with: value, as: type)
  require(same, "a parameter \(type) was set to \(sample.shown), and is \(value)")
}

/// Checks that the Foundation value of an argument has the same meaning when it is set again.
private func checkFoundation(_ invocation: Invocation, _ index: Int, _ value: BoxedValue, _ type: TypeEncoding) {
  do {
    let any = try invocation.anyArgument(at: index)
    // A pattern that is not a number, and a selector or pointer given as an object, have no second form to compare.
    if case .scalar(.longDouble) = type.kind { return }
    let copy = invocation.copy()
    try copy.setArgument(any: any, at: index)
    let again = try copy.boxedArgument(at: index)
    // Foundation numbers have a single NaN, whatever the original bits.
    let isSame = again.description == value.description || isNaN(again) && isNaN(value)
    require(isSame, "\(value) of type \(type) comes back from Foundation as \(again)")
  } catch {
    require(false, "\(value) of type \(type) does not come back from Foundation: \(error)")
  }
}

private func isNaN(_ value: BoxedValue) -> Bool {
  switch value {
  case .float(let number): number.isNaN
  case .double(let number): number.isNaN
  default: false
  }
}

extension AnySample {
  /// The value with its type, for messages.
  var shown: String { any.map { "\(type(of: $0)) \($0)" } ?? "nil" }
}

extension BoxedExpectation {
  /// Creates the expected outcome of a value for a parameter.
  init(_ sample: AnySample, as type: TypeEncoding) {
    guard sample.isKnown else {
      self = .either
      return
    }
    switch (type.kind, sample.meaning) {
    // Any value that Foundation can represent as an object.
    case (.object, .null): self = .accepted
    case (.object, _): self = sample.isObject ? .accepted : .either
    // A decimal number that neither a 128-bit integer nor a Double represents.
    case (_, nil): self = .refused([.inexact])
    case (_, let meaning?): self.init(BoxedSample(box: .null, meaning: meaning), as: type)
    }
  }
}
