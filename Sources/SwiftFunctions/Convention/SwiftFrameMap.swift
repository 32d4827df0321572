internal import CallFrames

/// A run of bytes of a value in a register or stack word of a frame.
package struct SwiftFramePart: Sendable {
  /// What the word contains.
  package enum Form: Sendable {
    /// The bytes.
    case bytes
    /// A byte with one bit; the other bits of the register are not defined.
    case bit
    /// The address of the value's byte at ``offset``, which stays where it is.
    case address
    /// The address from which the bytes are copied.
    case indirect
  }

  /// The offset in the frame.
  package let word: Int
  /// The offset in the value.
  package let offset: Int
  /// The number of bytes.
  package private(set) var size: Int
  package let form: Form

  package init(word: Int, offset: Int, size: Int, form: Form = .bytes) {
    self.word = word
    self.offset = offset
    self.size = size
    self.form = form
  }

  /// Copies the bytes of a value, or their address, to a frame.
  @unsafe
  package func store(_ value: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if form == .address {
      unsafe (frame + word).storeBytes(of: value + offset, as: UnsafeRawPointer.self)
    } else {
      unsafe (frame + word).copyMemory(from: value + offset, byteCount: size)
    }
  }

  /// Copies the bytes from a frame to a value; nothing of a part that is an address.
  @unsafe
  package func load(from frame: UnsafeRawPointer, to value: UnsafeMutableRawPointer) {
    switch form {
    case .bytes: unsafe (value + offset).copyMemory(from: frame + word, byteCount: size)
    case .bit: unsafe (value + offset).storeBytes(of: frame.load(fromByteOffset: word, as: UInt8.self) & 1, as: UInt8.self)
    case .indirect:
      unsafe (value + offset).copyMemory(from: frame.load(fromByteOffset: word, as: UnsafeRawPointer.self), byteCount: size)
    case .address: break
    }
  }

  /// Merges parts that are adjacent in both the value and the frame.
  ///
  /// A part may be shorter than its register only if it is the last one.
  static func joined(_ parts: [SwiftFramePart]) -> [SwiftFramePart] {
    var joined: [SwiftFramePart] = []
    for part in parts {
      if let last = joined.last, last.form == .bytes, part.form == .bytes, last.offset + last.size == part.offset,
        last.word + last.size == part.word
      {
        joined[joined.count - 1].size += part.size
      } else {
        joined.append(part)
      }
    }
    return joined
  }
}

/// Where the values of a call are in the frame of a kernel or an entry: a ``SwiftCallLayout`` with offsets for registers.
package struct SwiftFrameMap: Sendable {
  package let kernel: SwiftKernel
  package let arguments: [[SwiftFramePart]]
  /// The parts of self that follow the arguments.
  package let selfParts: [SwiftFramePart]
  /// The parts of the result in registers.
  package let resultParts: [SwiftFramePart]
  /// The word with the address of the result, if it is returned in memory.
  package let resultAddress: Int?
  /// The words with the addresses of elements of the result, at these offsets in it.
  package let resultElements: [(word: Int, offset: Int)]
  package let error: SwiftFrameError
  /// The number of stack words.
  package let stackWords: Int
  /// The number of bytes of a frame of the kernel, with its stack words, or with the words of an asynchronous call.
  package let size: Int

  /// Assigns offsets to the locations of a call.
  ///
  /// - Parameters:
  ///   - error: The type of the error, if it is stated.
  ///   - isAsync: Whether the function is asynchronous.
  package init(_ layout: SwiftCallLayout, in kernel: SwiftKernel, error: Any.Type? = nil, isAsync: Bool = false) {
    func parts(_ pieces: [SwiftCallLayout.Piece], _ word: (CallLayout.Location) -> Int) -> [SwiftFramePart] {
      pieces.map { piece in
        let form: SwiftFramePart.Form = piece.isAddress ? .address : piece.kind == .integer(bits: 1) ? .bit : .bytes
        return SwiftFramePart(word: word(piece.location), offset: piece.offset, size: piece.size, form: form)
      }
    }
    self.kernel = kernel
    arguments = layout.arguments.map { parts($0, kernel.argumentOffset) }
    selfParts = parts(layout.selfPieces, kernel.argumentOffset)
    resultParts = parts(layout.result.pieces, kernel.resultOffset)
    resultAddress = layout.result.address.map(kernel.argumentOffset)
    resultElements = layout.result.elements.map { (kernel.argumentOffset(of: $0.location), $0.offset) }
    stackWords = layout.stackSize / 8
    size = kernel.stack + (isAsync ? 16 : layout.stackSize.roundedUp(to: 16))
    switch layout.error {
    case .direct(let pieces)?: self.error = SwiftFrameError(type: error, parts: parts(pieces, kernel.resultOffset), address: nil)
    case .address(let location)?: self.error = SwiftFrameError(type: error, parts: [], address: kernel.argumentOffset(of: location))
    case nil: self.error = SwiftFrameError(type: nil, parts: [], address: nil)
    }
  }

  /// The word with the address of a result that is in memory as a whole; nil for one that is in registers.
  package var wholeResultAddress: Int? { resultAddress ?? resultElements.first?.word }

  /// Calls code with a frame.
  @unsafe
  package func call(_ code: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer) {
    unsafe kernel.function(frame, code, UnsafeRawPointer(bitPattern: stackWords))
  }
}

/// How an error is returned in a frame: as a reference in the register for it, or, if its type is stated, in registers of the
/// result or at an address.
package struct SwiftFrameError: Sendable {
  /// The stated type.
  package let type: SwiftMetadata?
  private let parts: [SwiftFramePart]
  /// The word with the address of an error of a stated type, if it is returned in memory.
  package let address: Int?

  init(type: Any.Type?, parts: [SwiftFramePart], address: Int?) {
    self.type = type.map { SwiftMetadata($0) }
    self.parts = parts
    self.address = address
  }

  /// Whether the function of a frame has thrown.
  @unsafe
  package static func isThrown(_ frame: UnsafeRawPointer) -> Bool {
    unsafe frame.load(fromByteOffset: SwiftKernel.error, as: UInt.self) != 0
  }

  /// Takes an error out of a frame, once.
  ///
  /// It arrives with a reference of its own.
  ///
  /// - Parameter memory: Where an error of the stated type is, or is put together.
  @unsafe
  package func take(from frame: UnsafeMutableRawPointer, at memory: UnsafeMutableRawPointer) -> any Error {
    guard let type else { return unsafe (frame + SwiftKernel.error).assumingMemoryBound(to: (any Error).self).move() }
    for part in parts { unsafe part.load(from: frame, to: memory) }
    func take<Failure>(_: Failure.Type) -> (any Error)? { unsafe memory.assumingMemoryBound(to: Failure.self).move() as? any Error }
    guard let error = _openExistential(type.type, do: take) else { preconditionFailure("the type of a typed error is an error") }
    return error
  }

  /// Writes an error to a frame.
  ///
  /// - Parameter memory: As for ``take(from:at:)``.
  /// - Precondition: The error has the stated type.
  @unsafe
  package func put(_ error: any Error, in frame: UnsafeMutableRawPointer, at memory: UnsafeMutableRawPointer) {
    guard let type else {
      unsafe (frame + SwiftKernel.error).initializeMemory(as: (any Error).self, to: error)
      return
    }
    precondition(type.contains(error), "a replacement threw \(error), and the function throws errors of type \(type.name) only")
    unsafe type.store(error, at: memory)
    for part in parts { unsafe part.store(memory, to: frame) }
    // The register states only that there is an error.
    unsafe frame.storeBytes(of: 1, toByteOffset: SwiftKernel.error, as: UInt.self)
  }
}

/// The layout of one block of memory for several values.
package struct SwiftValueMemory {
  package private(set) var size = 0
  package private(set) var alignment = 16

  /// - Parameter size: The number of bytes that are in use.
  package init(size: Int = 0) { self.size = size }

  /// Returns the offset for a value.
  package mutating func reserve(_ type: SwiftMetadata) -> Int {
    align(to: type)
    return reserve(size: type.size, alignment: type.alignment)
  }

  /// Aligns the memory for a value in it.
  mutating func align(to type: SwiftMetadata) { alignment = max(alignment, type.alignment) }

  /// Returns the offset for a number of bytes, in words unless a value needs a larger alignment.
  package mutating func reserve(size count: Int, alignment: Int = 8) -> Int {
    let offset = size.roundedUp(to: max(8, alignment))
    size = offset + count.roundedUp(to: 8)
    return offset
  }
}
