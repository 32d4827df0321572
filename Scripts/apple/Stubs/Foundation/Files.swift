// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the tests use of https://developer.apple.com/documentation/foundation besides values.

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public init?(string: String) {}
  public init(fileURLWithPath path: String) {}
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  public init(filePath path: String) {}
  public var path: String { fatalError() }
  public var absoluteString: String { fatalError() }
  public var description: String { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public func appendingPathComponent(_ component: String) -> URL { self }
  public func appendingPathComponent(_ component: String, isDirectory: Bool) -> URL { self }
  public func appendingPathExtension(_ extension: String) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
}

public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public static let atomic = WritingOptions(rawValue: 1)
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init() {}
  public init(count: Int) {}
  public init<Bytes: Sequence>(_ bytes: Bytes) where Bytes.Element == UInt8 {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func replaceSubrange<Bytes: Collection>(_ range: Range<Int>, with bytes: Bytes) where Bytes.Element == UInt8 {}
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString: String) {}
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
}

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
  public static func < (left: Date, right: Date) -> Bool { fatalError() }
}

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
  public static let modificationDate: FileAttributeKey = FileAttributeKey(rawValue: "")
  public static let size: FileAttributeKey = FileAttributeKey(rawValue: "")
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public struct URLResourceKey: Hashable, Sendable {}

open class FileManager: NSObject, @unchecked Sendable {
  open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
    open func nextObject() -> Any? { nil }
    public func next() -> Any? { nil }
  }
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public static let skipsHiddenFiles = DirectoryEnumerationOptions(rawValue: 4)
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public class var `default`: FileManager { fatalError() }
  open var temporaryDirectory: URL { fatalError() }
  open var currentDirectoryPath: String { fatalError() }
  open func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  open func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  open func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  open func enumerator(
    at url: URL, includingPropertiesForKeys keys: [URLResourceKey]?, options: DirectoryEnumerationOptions = [],
    errorHandler: ((URL, any Error) -> Bool)? = nil
  ) -> DirectoryEnumerator? { nil }
  open func enumerator(atPath path: String) -> DirectoryEnumerator? { nil }
  open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  open func createDirectory(at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
  open func createFile(atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil) -> Bool { true }
  open func fileExists(atPath path: String) -> Bool { true }
  open func isExecutableFile(atPath path: String) -> Bool { true }
  open func removeItem(at url: URL) throws {}
  open func removeItem(atPath path: String) throws {}
  open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
  open func moveItem(at source: URL, to target: URL) throws {}
  open func moveItem(atPath source: String, toPath target: String) throws {}
  open func copyItem(atPath source: String, toPath target: String) throws {}
  open func copyItem(at source: URL, to target: URL) throws {}
}

open class ProcessInfo: NSObject, @unchecked Sendable {
  public class var processInfo: ProcessInfo { fatalError() }
  open var environment: [String: String] { [:] }
  open var arguments: [String] { [] }
  open var processIdentifier: Int32 { 0 }
  open var processorCount: Int { 0 }
  open var activeProcessorCount: Int { 0 }
}

open class Thread: NSObject, @unchecked Sendable {
  public class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
  public class func sleep(forTimeInterval interval: TimeInterval) {}
  public class var isMainThread: Bool { true }
  public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
  open func start() {}
  open var stackSize: Int
  public override init() { fatalError() }
}

open class NSCondition: NSObject, @unchecked Sendable {
  open func lock() {}
  open func unlock() {}
  open func wait() {}
  open func signal() {}
  open func broadcast() {}
}

open class FileHandle: NSObject, @unchecked Sendable {
  public convenience init?(forReadingAtPath path: String) { fatalError() }
  public func read(upToCount count: Int) throws -> Data? { nil }
}

open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) {}
}

public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }

extension String {
  public struct Encoding: Hashable, Sendable {
    public static let utf8 = Encoding()
  }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
}

extension String {
  public init?<Bytes: Sequence>(bytes: Bytes, encoding: Encoding) where Bytes.Element == UInt8 { self = "" }
}

extension StringProtocol {
  public func range(of text: some StringProtocol) -> Range<String.Index>? { nil }
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
  public func replacingOccurrences(of target: some StringProtocol, with replacement: some StringProtocol) -> String { "" }
}

open class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public static let sortedKeys = OutputFormatting(rawValue: 1)
    public static let prettyPrinted = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open func encode<Value: Encodable>(_ value: Value) throws -> Data { Data() }
}

open class JSONDecoder {
  public init() {}
  open func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value { fatalError() }
}

open class JSONSerialization: NSObject {
  public class func jsonObject(with data: Data) throws -> Any { data }
  public class func data(withJSONObject object: Any) throws -> Data { Data() }
}
