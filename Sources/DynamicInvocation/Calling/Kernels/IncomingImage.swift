/// The frame of an incoming call as a closure's entry fills it: the image of registers and stack words, with the addresses of those values that the
/// caller passes by reference.
///
/// An outgoing frame holds such values behind the stack words. An incoming one is made to, so that both are read in the same way.
///
/// Source: AAPCS64, section 6.8.2, rule B.4.
package struct IncomingImage: Sendable {
  /// The bytes of the result registers, which come first.
  package let resultSize: Int
  /// The bytes that the entry fills.
  package let entrySize: Int
  /// The stack words among them.
  package let stackWords: Int
  /// The bytes with the values behind.
  package let size: Int
  /// The values passed by reference.
  package let references: [Reference]

  /// A value passed by reference.
  package struct Reference: Sendable, Hashable {
    /// The offset of its address.
    package var address: Int
    /// The offset of its copy.
    package var copy: Int
    package var size: Int
  }

  /// Copies an image and the values that it refers to.
  ///
  /// - Parameters:
  ///   - image: What an entry filled.
  ///   - frame: At least ``size`` bytes.
  package func gather(from image: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    unsafe frame.copyMemory(from: image, byteCount: entrySize)
    for reference in references {
      // A caller has a copy of its own for each call, at an address that is never null.
      let address = unsafe image.load(fromByteOffset: reference.address, as: UnsafeRawPointer.self)
      unsafe (frame + reference.copy).copyMemory(from: address, byteCount: reference.size)
    }
  }
}
