public import CallFrames

/// A description of how the values of a call are passed: sizes, offsets, registers and stack words, and the backend
/// that executes the call.
///
/// If a convention or the host rejects a value, the explanation still contains the layout of all values and the
/// locations of the values before it.
///
/// - Complexity: Creating an explanation takes O(*n*), where *n* is the number of parts of the types, and plans the
///   call once.
public struct CallExplanation: Sendable, CustomStringConvertible {
  /// The types.
  public let types: MethodTypes

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public let fixedArgumentCount: Int?

  /// The rules that determine the locations.
  public let abi: ABI

  /// The result.
  public let result: Value

  /// The arguments, in order.
  public let arguments: [Value]

  /// The number of bytes that the arguments occupy on the stack in ``abi``, or nil if it rejects the signature.
  public let stackSize: Int?

  /// The size of a frame in bytes, or nil if the signature is rejected.
  ///
  /// It is the frame on this host. If ``abi`` is the convention of another processor, it is the frame of the native
  /// kernel of that processor.
  public let frameLength: Int?

  /// The native kernel that executes the call on this host, or `libffi`, or nil if the signature is rejected.
  ///
  /// If ``abi`` is the convention of another processor, it is the kernel that executes the call on that processor.
  public let backend: String?

  /// The reason why the backend was chosen, or why the signature is rejected.
  public let reason: String

  /// The error that rejects the signature, or nil if a call is possible.
  public let refusal: InvocationError?

  /// Creates the explanation of a call.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis.
  ///   - abi: The rules to explain. The default is the C convention of this host.
  public init(_ types: MethodTypes, fixedArgumentCount: Int? = nil, abi: ABI = .host) {
    self.types = types
    self.fixedArgumentCount = fixedArgumentCount
    self.abi = abi
    do throws(InvocationError) {
      let description = try BackendDescription(types, fixedCount: fixedArgumentCount, abi: abi)
      frameLength = description.frameLength
      backend = description.name
      reason = description.reason
      refusal = nil
    } catch {
      frameLength = nil
      backend = nil
      reason = error.description
      refusal = error
    }
    let places: Places =
      switch abi {
      case .sysv: Places(types, fixedCount: fixedArgumentCount, SystemV(), RegisterNames.systemV)
      case .aapcs64: Places(types, fixedCount: fixedArgumentCount, ABI.arm, RegisterNames.aapcs64)
      case .apple: Places(types, fixedCount: fixedArgumentCount, ABI.appleArm, RegisterNames.aapcs64)
      case .libffi: Places(loweringOf: types, fixedCount: fixedArgumentCount)
      }
    result = Value(types.result, index: nil, places.result)
    arguments = types.arguments.enumerated().map { Value($0.element, index: $0.offset, places.arguments[$0.offset]) }
    stackSize = places.stackSize
  }

  /// The types and the backend, `ddd by sysv: sysv-vector, 160 bytes of frame`, or the reason why the call is rejected.
  public var description: String {
    let what = "\(types.shortText) by \(abi.rawValue): ".escaped
    guard let backend, let frameLength else { return what + reason.shortened(to: 1_000).escaped }
    return what + "\(backend), " + frameLength.counted("byte") + " of frame"
  }
}

extension CallExplanation {
  /// A set of rules for passing values.
  public enum ABI: String, Sendable, CaseIterable {
    /// The C convention of x86-64 Linux and macOS.
    case sysv
    /// The C convention of 64-bit Arm; on Apple's platforms, their variant of it.
    case aapcs64
    /// The variant of ``aapcs64`` of Apple's platforms, on any host.
    ///
    /// A `long double` has another size there, and is rejected on other hosts.
    case apple
    /// The types that are passed to libffi for each value on this host.
    case libffi

    /// The C convention of this host.
    public static var host: ABI {
      #if arch(arm64)
        .aapcs64
      #else
        .sysv
      #endif
    }

    /// The convention that ``aapcs64`` explains on this host.
    fileprivate static var arm: any CallingConvention {
      #if arch(arm64)
        CallPlan.convention
      #else
        AAPCS64()
      #endif
    }

    static var isAppleArm: Bool {
      #if arch(arm64) && canImport(Darwin)
        true
      #else
        false
      #endif
    }

    fileprivate static var appleArm: any CallingConvention { isAppleArm ? AppleAAPCS64() : AppleElsewhere() }
  }
}

extension CallExplanation {
  /// The result or an argument of a call.
  public struct Value: Sendable, CustomStringConvertible {
    /// The index of an argument, or nil for the result.
    public let index: Int?

    /// The type as written in the encoding.
    public let type: TypeEncoding

    /// The size in bytes, or nil for a type without one.
    ///
    /// The size of an array argument is the size of the pointer that it is passed as.
    public let size: Int?

    /// The alignment in bytes, or nil for a type without a size.
    public let alignment: Int?

    /// The location in which the value is passed, as text: `rdi`, `rax (bytes 0-7), xmm0 (bytes 8-15)`, `stack+8`,
    /// `by reference in x8`, `nothing`.
    public let location: String

    /// The parts in which the value is passed; empty if the value is rejected or has no bytes.
    public let parts: [Part]

    /// Whether the parts are the address of the value instead of the value.
    let isReference: Bool

    init(_ type: TypeEncoding, index: Int?, _ place: Place) {
      self.index = index
      self.type = type
      var isPointer = false
      if index != nil, case .array = type.kind { isPointer = true }
      size = isPointer ? 8 : type.size
      alignment = isPointer ? 8 : type.alignment
      location = place.location
      parts = place.parts
      isReference = place.isReference
    }

    /// The value, its type and its location: `argument 0 (d): xmm0`.
    public var description: String { (index.map { "argument \($0)" } ?? "result") + " (\(type.shortText)): ".escaped + location }
  }

  /// A run of a value's bytes and the location in which it is passed.
  public struct Part: Sendable, Hashable, CustomStringConvertible {
    /// The register, the stack offset, or the libffi type.
    public let place: String

    /// The offset of the first byte in the value.
    public let offset: Int

    /// The number of bytes.
    public let size: Int

    /// The register or the stack offset that ``place`` names, or nil for a libffi type.
    let location: CallLayout.Location?

    init(place: String, offset: Int, size: Int, location: CallLayout.Location? = nil) {
      self.place = place
      self.offset = offset
      self.size = size
      self.location = location
    }

    /// The location and the bytes: `xmm0 (bytes 0-7)`.
    public var description: String { "\(place) (bytes \(offset)-\(offset + size - 1))" }
  }
}

extension CallExplanation {
  /// The locations in which one value is passed, as text and as parts.
  struct Place {
    var location: String
    var parts: [Part] = []
    /// Whether the parts are the address of the value.
    var isReference = false

    static let nothing = Place(location: "nothing")
    /// The location of a value that depends on an earlier value that was rejected.
    static let unknown = Place(location: "not placed, an earlier value is refused")
    static func refused(_ error: InvocationError) -> Place { Place(location: "refused: \(error.reason)") }
  }

  /// The locations in which all values of a signature are passed.
  struct Places {
    var result: Place = .nothing
    var arguments: [Place] = []
    var stackSize: Int?

    /// Assigns locations according to a convention.
    init(_ types: MethodTypes, fixedCount: Int?, _ convention: any CallingConvention, _ names: RegisterNames) {
      place(types) { types throws(InvocationError) in
        let layout = try convention.layout(of: types, fixedCount: fixedCount)
        return (
          names.place(ofResult: layout.result),
          layout.arguments.enumerated().map { names.place(ofArgument: $0.element, as: types.arguments[$0.offset]) }, layout.stackSize
        )
      }
    }

    /// Describes what is passed to libffi for each value on this host.
    init(loweringOf types: MethodTypes, fixedCount: Int?) {
      place(types) { part throws(InvocationError) in
        let plan = try CallPlan.make(part, fixedCount: fixedCount.map { min($0, part.arguments.count) }, backend: .libffi)
        guard case .libffi(let backend) = plan.backend else { preconditionFailure("a plan of another backend than was asked for") }
        let lowering = backend.lowering
        return (lowering.place(ofResult: part.result), lowering.places(plan), lowering.stackSize)
      }
    }

    /// Calls a closure with all types or, if one of them is rejected, with the types before it.
    private mutating func place(
      _ types: MethodTypes,
      _ layOut: (MethodTypes) throws(InvocationError) -> (result: Place, arguments: [Place], stackSize: Int)
    ) {
      do throws(InvocationError) {
        (result, arguments, stackSize) = try layOut(types)
      } catch {
        var known = types.arguments.count
        var resultType = types.result
        var refusedResult: Place?
        switch error.argument {
        case .index(let index)?: known = index
        case .result?:
          // If the result is rejected, the arguments get the locations that they have in a function without a result.
          resultType = TypeEncoding(.void)
          refusedResult = .refused(error)
        case nil:
          known = 0
          resultType = TypeEncoding(.void)
          refusedResult = .refused(error)
        }
        let prefix = MethodTypes(result: resultType, arguments: Array(types.arguments.prefix(known)))
        do throws(InvocationError) {
          (result, arguments, _) = try layOut(prefix)
          if known < types.arguments.count, case .index? = error.argument { arguments.append(.refused(error)) }
        } catch let second {
          // Another value is rejected after the result or an argument was. The locations of the values before it are
          // unknown.
          result = .unknown
          arguments = []
          if case .index(let index)? = second.argument {
            arguments = Array(repeating: .unknown, count: index) + [.refused(second)]
          }
        }
        if let refusedResult { result = refusedResult }
        while arguments.count < types.arguments.count { arguments.append(.unknown) }
      }
    }
  }
}

extension CallExplanation {
  /// The register names of a convention.
  struct RegisterNames {
    var generalArguments: [String]
    var generalResults: [String]
    var vector: String

    static let systemV = RegisterNames(
      generalArguments: ["rdi", "rsi", "rdx", "rcx", "r8", "r9"], generalResults: ["rax", "rdx"], vector: "xmm")

    static let aapcs64 = RegisterNames(
      generalArguments: (0...7).map { "x\($0)" }, generalResults: (0...7).map { "x\($0)" }, vector: "v")

    /// Returns the location of an argument.
    ///
    /// An array is passed as the address of its first element.
    func place(ofArgument placement: CallLayout.Placement, as type: TypeEncoding) -> Place {
      var place = place(placement, generalArguments)
      if case .array = type.kind { place.location = "address of the first element in \(place.location)" }
      return place
    }

    /// Returns the location of a result.
    ///
    /// A result in memory is written to the address that the caller passes.
    func place(ofResult placement: CallLayout.Placement) -> Place {
      place(placement, placement.passing == .reference ? generalArguments : generalResults)
    }

    private func place(_ placement: CallLayout.Placement, _ general: [String]) -> Place {
      let parts = placement.pieces.map {
        Part(place: name($0.location, general), offset: $0.offset, size: $0.size, location: $0.location)
      }
      let location = Part.location(parts)
      let isReference = placement.passing == .reference
      return Place(location: isReference ? "by reference in \(location)" : location, parts: parts, isReference: isReference)
    }

    /// Returns the name of a location, with the general registers of arguments or of results.
    func name(_ location: CallLayout.Location, _ general: [String]) -> String {
      switch location {
      case .general(let number): general.indices.contains(number) ? general[number] : "general register \(number)"
      case .vector(let number): "\(vector)\(number)"
      case .x87(let number): "st(\(number))"
      case .indirectResult: "x8"
      case .stack(let offset): "stack+\(offset)"
      }
    }
  }
}

extension CallExplanation.Part {
  /// Returns the text of the parts: the location of a single part, or the location and the bytes of each of several
  /// parts.
  static func location(_ parts: [Self]) -> String {
    guard parts.count > 1 else { return parts.first?.place ?? "nothing" }
    return parts.map { "\($0.place) (bytes \($0.offset)-\($0.offset + $0.size - 1))" }.joined(separator: ", ")
  }
}

extension CallExplanation {
  /// The words of one kind in which a call passes values: the registers of one kind, the stack, or memory.
  public struct WordGroup: Sendable, Hashable, CustomStringConvertible {
    /// The kind of the words.
    public enum Kind: String, Sendable, Hashable {
      /// General-purpose registers of arguments, and x8 on AArch64.
      case general
      /// Vector registers of arguments.
      case vector
      /// The stack, from the first stack argument.
      case stack
      /// The copies of the arguments that are passed by reference.
      case copies
      /// Registers of the result.
      case result
      /// The memory for a result that is returned by reference.
      case resultMemory
    }

    /// The kind of the words.
    public let kind: Kind

    /// The words, in order.
    ///
    /// Words that an alignment skips are included, without runs.
    public let words: [Word]

    /// The total number of words; ``words`` holds at most the limit.
    public let count: Int

    /// The kind and the number of words: `general, 2 words`.
    public var description: String { "\(kind), " + count.counted("word") }
  }

  /// Eight bytes of a register, of the stack or of memory.
  public struct Word: Sendable, Hashable, CustomStringConvertible {
    /// The name of the register, or the offset in bytes: `rdi`, `+8`.
    ///
    /// The upper half of a register of 16 bytes has the name `v0+8`, a word of a copy `a0+8`.
    public let name: String

    /// The runs of bytes that values occupy, in order; the remaining bytes are not part of a value.
    public let runs: [Run]

    /// The name and the runs: `rdi: a0[0] (bytes 0-0), padding of a0 (bytes 1-3), a0[1] (bytes 4-7)`.
    public var description: String { "\(name): " + (runs.isEmpty ? "nothing" : runs.map(\.description).joined(separator: ", ")) }
  }

  /// Adjacent bytes of a word that belong to the same member of a value.
  public struct Run: Sendable, Hashable, CustomStringConvertible {
    /// What the bytes contain.
    public enum Content: Sendable, Hashable {
      /// Bytes of a member, or of a value without members.
      case value
      /// Bytes of a value that no member occupies.
      case padding
      /// The address of a value that is passed by reference, or of the first element of an array.
      case address
    }

    /// The bytes in the word; byte 0 has the lowest address.
    public let bytes: Range<Int>

    /// The index of the argument, or nil for the result.
    public let argument: Int?

    /// What the bytes contain.
    public let content: Content

    /// The member: `a2.origin.x`, `a0[1]`, `ret`, `&a0` for an address.
    ///
    /// Bytes of a member that do not start with its first byte state the offset in the member: `a0+8`. Bit-fields that
    /// share a byte are separated by commas: `a0.b,c`. Padding has the label of the whole value. Names come from
    /// the encoding, shortened if they are long.
    public let label: String

    /// The member and the bytes: `a0[1] (bytes 4-7)`.
    public var description: String {
      (content == .padding ? "padding of " : "") + "\(label.escaped) (bytes \(bytes.lowerBound)-\(bytes.upperBound - 1))"
    }
  }

  /// Returns the registers, the stack words and the memory in which the values are passed.
  ///
  /// Groups without words are omitted. The result is empty if the signature is rejected, and for ``ABI/libffi``, which
  /// assigns the registers itself.
  ///
  /// - Parameter limit: The maximum number of words of the stack, of the copies and of a result in memory, each.
  /// - Complexity: O(*n* + *limit*), where *n* is the number of parts of the types.
  public func wordGroups(limit: Int = 256) -> [WordGroup] {
    let names: RegisterNames
    switch abi {
    case .sysv: names = .systemV
    case .aapcs64, .apple: names = .aapcs64
    case .libffi: return []
    }
    guard refusal == nil else { return [] }
    var map = WordMap(names: names, limit: max(1, limit), longDoubleSize: abi == .sysv ? 10 : 16)
    map.addResult(result)
    for argument in arguments { map.addArgument(argument) }
    return map.groups(stackSize: stackSize ?? 0)
  }
}

extension CallExplanation {
  /// The backend of a call, and the reason why it was chosen.
  struct BackendDescription {
    var name: String
    var reason: String
    var frameLength: Int

    /// Creates a description of the backend on this host, or of the native kernel of another processor's convention.
    init(_ types: MethodTypes, fixedCount: Int?, abi: ABI) throws(InvocationError) {
      switch abi {
      case .sysv where ABI.host != .sysv: self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: SystemV()))
      case .aapcs64 where ABI.host != .aapcs64: self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: AAPCS64()))
      case .apple where !ABI.isAppleArm:
        try AppleElsewhere.refuseLongDouble(types)
        self.init(try NativeFrameLayout(types, fixedCount: fixedCount, by: AppleAAPCS64()))
      default: self.init(try CallPlan.make(types, fixedCount: fixedCount))
      }
    }

    private init(_ frame: NativeFrameLayout) {
      name = frame.kernel.name
      reason = frame.reason
      frameLength = frame.size
    }

    private init(_ plan: CallPlan) {
      frameLength = plan.frameSize
      switch plan.backend {
      case .native(let kernel, let layout):
        name = kernel.name
        reason = kernel.reason(layout) ?? ""
      case .libffi:
        name = "libffi"
        reason = "this platform has no native kernels"
      }
    }
  }
}

extension LibFFILowering {
  /// Describes the type that is passed to libffi for the result.
  func place(ofResult type: TypeEncoding) -> CallExplanation.Place { Self.place(resultParts(of: type)) }

  /// Describes the types that are passed to libffi for each argument of a plan.
  func places(_ plan: CallPlan) -> [CallExplanation.Place] { argumentParts(plan).map(Self.place) }

  private static func place(_ parts: [LoweredPart]) -> CallExplanation.Place {
    let parts = parts.map { CallExplanation.Part(place: $0.type, offset: $0.offset, size: $0.size) }
    return parts.isEmpty ? .nothing : CallExplanation.Place(location: CallExplanation.Part.location(parts), parts: parts)
  }
}
