internal import SwiftSymbols

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Finds the implementation of an overridable method in the metadata of a class.
package enum SwiftMethodTable {
  private typealias LookUp = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?

  /// Returns the offset of the address of a method in the metadata of each subclass, or nil if the method is not looked up there.
  ///
  /// The runtime reads the address for a method descriptor from the metadata of a class. It is given a block of the
  /// size of the metadata in which each word is its own offset.
  package static func offset(of signature: SwiftFunctionSignature) -> Int? {
    #if canImport(Darwin) || os(Windows)
      return nil
    #else
      let isMember = signature.selfKind == .object || signature.selfKind == .classMetatype && signature.kind != .initializer
      guard isMember, !signature.isDispatchThunk, let method = unsafe signature.methodDescriptor,
        let type = signature.selfType, let descriptor = SwiftMetadata(type).descriptor,
        let function = unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_lookUpClassMethod")
      else { return nil }
      let metadata = SwiftMetadata(type)
      // The size of the metadata and the offset of its address point.
      let size = Int(metadata.half(32)) - Int(metadata.half(36))
      guard size > 0, size < 1 << 20 else { return nil }
      let lookUp = unsafe unsafeBitCast(function, to: LookUp.self)
      return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: size / 8) { words -> Int? in
        for index in words.indices { unsafe words[index] = index * 8 }
        // The kind and the superclass, which the runtime may look at.
        for index in 0..<min(6, size / 8) { unsafe words[index] = metadata.word(index) }
        guard let base = words.baseAddress else { return nil }
        let found = unsafe Int(bitPattern: lookUp(UnsafeRawPointer(base), method, descriptor.address))
        return found > 40 && found < size ? found : nil
      }
    #endif
  }
}
