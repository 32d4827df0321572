@testable import CallFrames
@testable import DynamicInvocation

/// Looks up signatures in a generated order, retains some and releases others.
///
/// Equal texts must return the same object while it is retained, every signature must be correct, and signatures that
/// are not retained must be deallocated.
func signaturesCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  var held: [Key: MethodSignature] = [:]
  var keys: [Key] = []
  for _ in 0..<48 where !reader.isEmpty {
    switch reader.number(below: 16) {
    case 0..<6: lookUp(Key(&reader), &held, &keys)
    case 6..<10:
      guard !keys.isEmpty else { continue }
      lookUp(reader.element(of: keys), &held, &keys)
    case 10..<13:
      guard !keys.isEmpty else { continue }
      held[reader.element(of: keys)] = nil
    case 13: held = [:]
    case 14: stream(short: 1 + reader.number(below: 16), long: 0)
    default: stream(short: 0, long: 1)
    }
  }
  if let (key, signature) = held.first { check(signature, key) }
  Streamed.requireBound(held: held.count)
}

/// The key by which a signature is looked up.
private struct Key: Hashable {
  var text: String
  var dialect: TypeEncoding.Dialect
  var fixedCount: Int?
  var backend: CallBackend

  init(_ reader: inout InputReader) {
    let choice = reader.byte()
    dialect = choice & 1 == 0 ? .next : .gnu
    backend = choice & 6 == 6 ? .libffi : .automatic
    fixedCount = choice & 56 == 56 ? reader.number(below: 4) : nil
    text = "v"
    for _ in 0..<reader.number(below: 4) { text += reader.typeText() }
    // Offsets and ignored names create a different text of the same signature.
    if choice & 64 != 0, fixedCount == nil { text += "l" }
  }

  func signature() throws(InvocationError) -> MethodSignature {
    try MethodSignature(types: text, dialect: dialect, fixedArgumentCount: fixedCount, backend: backend)
  }

  /// Parses the types without a cache.
  func types() throws(InvocationError) -> MethodTypes { try MethodTypes(text, dialect: dialect) }
}

private func lookUp(_ key: Key, _ held: inout [Key: MethodSignature], _ keys: inout [Key]) {
  let signature: MethodSignature
  do {
    signature = try key.signature()
  } catch {
    require(held[key] == nil, "'\(key.text)' was a signature, and is none: \(error)")
    return
  }
  check(signature, key)
  if let known = held[key] { require(known.storage === signature.storage, "'\(key.text)' has two objects while one is held") }
  // A different string with the same text, at a different address.
  var copy = key
  copy.text = String(decoding: Array(key.text.utf8), as: UTF8.self)
  let again = try? copy.signature()
  require(again?.storage === signature.storage, "another string of '\(key.text)' has another object")
  if held.updateValue(signature, forKey: key) == nil, !keys.contains(key) { keys.append(key) }
}

/// Checks that the signature belongs to its key.
private func check(_ signature: MethodSignature, _ key: Key) {
  guard let types = try? key.types() else { return require(false, "'\(key.text)' has a signature and no types") }
  require(signature.types == types, "the signature of '\(key.text)' is '\(signature)'")
  require(signature.fixedArgumentCount == key.fixedCount, "'\(key.text)' has \(signature.fixedArgumentCount ?? -1) fixed arguments")
  require(signature.storage.types.text() == types.text(), "the signature of '\(key.text)' is written '\(signature)'")
  let isLibFFI = if case .libffi = signature.storage.plan.backend { true } else { false }
  if key.backend == .libffi { require(isLibFFI, "'\(key.text)' is on another backend than was asked for") }
}

/// Looks up texts, each only once.
private func stream(short: Int, long: Int) {
  for _ in 0..<short { Streamed.lookUp(nameLength: 8) }
  for _ in 0..<long { Streamed.lookUp(nameLength: 1 << 14) }
}

/// Tracks the signatures of a stream, which are not retained, to count how many of the last ones are alive.
private enum Streamed {
  private struct Entry {
    weak var storage: PlannedSignature?
    let length: Int
  }

  private nonisolated(unsafe) static var count = 0
  private nonisolated(unsafe) static var last: [Entry] = []
  private static let largestCount = 1 << 14

  static func lookUp(nameLength: Int) {
    count += 1
    let number = String(count, radix: 36)
    let text = "v{S" + String(repeating: "_", count: max(0, nameLength - number.utf8.count)) + number + "=i}"
    guard let signature = try? MethodSignature(types: text) else { return require(false, "'\(text)' is no signature") }
    let entry = Entry(storage: signature.storage, length: text.utf8.count)
    if last.count < largestCount { last.append(entry) } else { last[count % largestCount] = entry }
  }

  /// Checks that the caches and the table retain a bounded number of texts and bytes, regardless of the number of
  /// lookups.
  static func requireBound(held: Int) {
    guard count % 64 == 0 || last.count == largestCount && count % 512 == 0 else { return }
    let alive = last.filter { $0.storage != nil }
    let bytes = alive.reduce(0) { $0 + $1.length }
    // The lock-free cache, and the table before it is swept. Retained signatures let the table grow.
    require(alive.count <= 4_096 + 4 * held, "\(alive.count) signatures that nobody holds are alive, of \(count)")
    require(bytes <= 24 << 20, "signatures of \(bytes) bytes of text that nobody holds are alive, of \(count)")
  }
}
