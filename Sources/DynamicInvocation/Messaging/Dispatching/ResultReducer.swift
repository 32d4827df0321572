/// Reduces the results of the implementers to one result, by a policy.
@safe
struct ResultReducer {
  /// An error of the reduction itself.
  ///
  /// Unlike an error of an implementer, it ends the call.
  struct Failure: Error {
    let error: any Error
  }

  private let entry: MethodDispatchEntry
  private let frame: DispatchFrame
  private let slot: FrameSlot
  /// Memory for the currently selected result.
  private let kept: UnsafeMutableRawPointer
  private var isKept = false
  /// The object of the selected result, retained.
  private var object: Unmanaged<AnyObject>?
  /// The value that a reduction has so far.
  private var soFar: BoxedValue?

  init(_ entry: MethodDispatchEntry, _ frame: DispatchFrame, kept: UnsafeMutableRawPointer) {
    self.entry = entry
    self.frame = frame
    slot = frame.result
    unsafe self.kept = unsafe kept
  }

  private var returnType: TypeEncoding { entry.method.methodSignature.returnType }

  /// Processes the result in the frame.
  ///
  /// - Parameters:
  ///   - number: The number of the implementer that returned it.
  ///   - isRetained: Whether the caller must release an object result.
  ///   - outcome: The outcome, in which results are collected.
  /// - Returns: Whether to call the next implementer.
  /// - Throws: ``Failure`` if the closure of a reduction throws.
  mutating func take(number: Int, isRetained: Bool, _ outcome: inout DispatchOutcome) throws -> Bool {
    let fresh = unsafe slot.kind == .object ? UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame.memory))) : nil
    let owned = unsafe fresh.map { address in
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(address)
      return unsafe isRetained ? object : object.retain()
    }
    switch entry.policy {
    case .last:
      unsafe keep(owned)
      return true
    case .first, .only:
      unsafe keep(owned)
      return false
    case .firstNonNil:
      unsafe keep(owned)
      return unsafe slot.word(of: frame.memory) == 0
    case .all:
      if slot.kind != .void { outcome.results.append(frame.boxedResult(as: returnType)) }
      unsafe keep(owned)
      return true
    case .anyTrue:
      unsafe keep(owned)
      return !isTrue
    case .allTrue:
      unsafe keep(owned)
      return isTrue
    case .primary(let wanted):
      if number == wanted { unsafe keep(owned) } else { unsafe owned?.release() }
      return true
    case .reduce(let combine):
      defer { unsafe owned?.release() }
      do {
        switch try combine(soFar, frame.boxedResult(as: returnType)) {
        case .next(let value):
          soFar = value
          return true
        case .end(let value):
          soFar = value
          return false
        }
      } catch {
        throw Failure(error: error)
      }
    }
  }

  /// Writes the selected result to the frame.
  ///
  /// An object is passed to the caller in the outcome, retained.
  ///
  /// - Throws: ``Failure`` if the value of a reduction cannot be converted to the method's return type.
  mutating func finish(_ outcome: inout DispatchOutcome) throws {
    if let soFar {
      let type = returnType
      do {
        if case .string = soFar, slot.kind == .cString {
          throw InvocationError(.typeMismatch, "a result does not own the memory of a string").placed(.result, type)
        }
        let converted: BoxedValue.Converted
        do { converted = try soFar.converted(to: type, []) } catch { throw error.placed(.result, type) }
        guard unsafe converted.store(in: slot, of: frame.memory, keeping: true) else { return }
        unsafe outcome.ownedResult = UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame.memory))).map { unsafe .fromOpaque($0) }
      } catch {
        throw Failure(error: error)
      }
    } else if isKept {
      unsafe slot.write(from: kept, to: frame.memory)
      unsafe outcome.ownedResult = unsafe object
    } else {
      frame.clearResult()
    }
  }

  /// Discards the selected result.
  func abandon() {
    frame.clearResult()
    unsafe object?.release()
  }

  private var isTrue: Bool { unsafe slot.withValue(in: frame.memory) { unsafe $0.load(as: UInt8.self) } != 0 }

  private mutating func keep(_ owned: Unmanaged<AnyObject>?) {
    let former = unsafe object
    if slot.storage != .nothing { unsafe slot.read(from: frame.memory, to: kept) }
    isKept = true
    unsafe object = unsafe owned
    unsafe former?.release()
  }
}
