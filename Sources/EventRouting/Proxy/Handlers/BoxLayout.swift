internal import DynamicInvocation

/// Where a boxed value keeps its case and its payload, found out once by looking at boxes.
///
/// The payload of a case is read in place: taking it out by a pattern copies the box, which retains and releases an object. Swift lays out an
/// enum with payloads as the payload, from the first byte, and then the number of the case. Should it ever do otherwise, a case that does not look
/// so takes the way of patterns.
struct BoxLayout {
  /// The number that stands for no case.
  static let noCase: UInt8 = .max

  let null: UInt8
  let bool: UInt8
  let int: UInt8
  let uint: UInt8
  let double: UInt8
  let object: UInt8
  let point: UInt8
  let size: UInt8
  let rect: UInt8
  let range: UInt8

  private final class Probe {}

  static let shared = BoxLayout()

  /// The offset of the number of the case.
  static var offset: Int { MemoryLayout<BoxedValue>.size - 1 }

  private init() {
    let object = Probe()
    let address = unsafe Unmanaged.passUnretained(object).toOpaque()
    null = Self.number(.null, holding: 0)
    bool = Self.number(.bool(true), holding: true)
    int = Self.number(.int(-7), holding: -7)
    uint = Self.number(.uint(7), holding: 7 as UInt)
    double = Self.number(.double(7), holding: 7.0)
    self.object = unsafe Self.number(.object(object), holding: address)
    let (point, size) = (Point(x: 1, y: 2), Size(width: 1, height: 2))
    self.point = Self.number(.point(point), holding: point)
    self.size = Self.number(.size(size), holding: size)
    let rect = Rect(x: 1, y: 2, width: 3, height: 4)
    self.rect = Self.number(.rect(rect), holding: rect)
    let range = IndexRange(location: 1, length: 2)
    self.range = Self.number(.range(range), holding: range)
  }

  /// The number of a box's case, if the box begins with the payload and no other case has the number.
  private static func number<Payload>(_ box: BoxedValue, holding payload: Payload) -> UInt8 {
    let number = bareNumber(box, holding: payload)
    let same = samples.count { sample in unsafe withBytes(of: sample) { unsafe $0[offset] } == number }
    return same == 1 ? number : noCase
  }

  /// A box of each case.
  private static var samples: [BoxedValue] {
    unsafe [
      .null, .bool(false), .int(0), .uint(0), .int128(0), .uint128(0), .float(0), .double(0), .longDouble(LongDouble(0)), .string(""),
      .object(Probe()), .type(Probe.self), .selector("sample"), .pointer(UnsafeRawPointer(Unmanaged.passUnretained(Probe()).toOpaque())),
    ] + Geometry.structs.map { $0.init().box } + ((try? EncodedBytes(0)).map { [.value($0)] } ?? [])
  }

  private static func bareNumber<Payload>(_ box: BoxedValue, holding payload: Payload) -> UInt8 {
    unsafe withBytes(of: box) { bytes in
      unsafe withUnsafeBytes(of: payload) { payload in unsafe bytes.starts(with: payload) ? bytes[offset] : noCase }
    }
  }

  private static func withBytes<Result>(of box: BoxedValue, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let memory = UnsafeMutablePointer<BoxedValue>.allocate(capacity: 1)
    unsafe memory.initialize(to: box)
    defer {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
    return unsafe body(UnsafeRawBufferPointer(start: memory, count: MemoryLayout<BoxedValue>.size))
  }
}
