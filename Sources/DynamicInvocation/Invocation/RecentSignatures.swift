import Synchronization

/// The signatures looked up last by nothing but a text, found by the words of the string before its bytes are read.
///
/// Most texts lie within their strings, so that equal words are equal texts. The words of a longer one say where it lies, which is where it is looked for; what is
/// found is then compared byte by byte.
@safe
final class RecentSignatures: @unchecked Sendable {
  // Sendable by hand: the places are atomic, the entries immutable.

  private static let bits = 8

  /// The address of the entry at each place, or 0; the cache keeps its entries for ever.
  private let places: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    unsafe places = UnsafeMutablePointer.allocate(capacity: 1 << Self.bits)
    for place in 0..<1 << Self.bits { unsafe (places + place).initialize(to: Atomic(0)) }
  }

  deinit { preconditionFailure("the signatures are for ever") }

  /// The signature of a text, if it is at its place.
  @inline(__always)
  func storage(of text: String) -> MethodSignature.Storage? {
    let words = StringWords(text)
    let address = unsafe places[words.place(bits: Self.bits)].load(ordering: .acquiring)
    guard let entry = unsafe UnsafePointer<SignatureCache.Entry>(bitPattern: address) else { return nil }
    guard unsafe entry.pointee.words == words || isSame(text, entry) else { return nil }
    return unsafe entry.pointee.storage.takeUnretainedValue()
  }

  private func isSame(_ text: String, _ entry: UnsafePointer<SignatureCache.Entry>) -> Bool {
    let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe entry.pointee.hasText(UnsafeRawBufferPointer(bytes))
    }
    return isSame == true
  }

  /// Gives a text its place, whoever had it.
  func note(_ text: String, _ entry: UnsafePointer<SignatureCache.Entry>) {
    unsafe places[StringWords(text).place(bits: Self.bits)].store(UInt(bitPattern: entry), ordering: .releasing)
  }
}
