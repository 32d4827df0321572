import DynamicInvocation
import Foundation
import ObjectiveCMessages
import TestSupport
import Testing

@Suite struct SwiftNameTests {
  @Test("Swift names of @objc methods have the selectors of swiftc")
  func names() {
    let table: [(String, Bool, String)] = [
      ("reload()", false, "reload"), ("area(_:)", false, "area:"), ("area(_:_:)", false, "area::"),
      ("area(of:scale:)", false, "areaOf:scale:"),
      ("move(x:y:)", false, "moveWithX:y:"), ("move(toX:y:)", false, "moveToX:y:"), ("moveTo(x:y:)", false, "moveToX:y:"),
      ("init(title:)", false, "initWithTitle:"), ("init(for:)", false, "initFor:"), ("init()", false, "init"),
      ("load(from:)", true, "loadFrom:error:"), ("load()", true, "loadAndReturnError:"), ("load(_:)", true, "load:error:"),
      ("insert(_:at:)", false, "insert:at:"), ("perform(with:)", false, "performWith:"), ("open(url:)", false, "openWithUrl:"),
      ("send(URL:)", false, "sendWithURL:"), ("areaOf:scale:", false, "areaOf:scale:"), ("title", false, "title"),
      ("value(forKey:)", false, "valueForKey:"), ("format(information:)", false, "formatWithInformation:"),
      ("add(into:)", false, "addInto:"), ("show(inView:)", false, "showInView:"), ("handle(input:)", false, "handleWithInput:"),
    ]
    for (name, isThrowing, selector) in table {
      expectEqual(MethodSelector(objectiveC: name, throws: isThrowing).name, selector, name)
    }
    expectEqual(MethodSelector(setterOf: "title").name, "setTitle:")
  }

  @Test("Random Swift names have the selectors that swiftc writes into its header for Objective-C")
  func compiled() throws {
    var generator = SeededGenerator(seed: 51)
    let words = [
      "a", "x1", "_", "2", "in", "In", "IN", "with", "With", "WITH", "to", "To", "ON", "as", "As", "s", "es", "Is", "by", "At", "AT", "url",
      "URL",
      "URLs", "view", "View", "inside", "information", "Given", "following", "HTTP", "Request", "é",
    ]
    func name() -> String {
      let text = (0..<Int.random(in: 1...3, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
      // No number first, and no name of underscores alone.
      return (text.first.map { $0.isNumber } ?? true || text.allSatisfy { $0 == "_" } ? "n" : "") + text
    }
    let methods = (0..<400).map { _ in
      (base: name(), labels: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Bool.random(using: &generator) ? name() : "_" })
    }
    // A class for each, as two of them may have one selector. The header sorts them by name.
    let source = methods.enumerated().map { index, method in
      let parameters = method.labels.enumerated().map { "\($0.element == "_" ? "_" : "`\($0.element)`") p\($0.offset): Int" }
      return "@objc public class C\(1000 + index) { @objc public func `\(method.base)`(\(parameters.joined(separator: ", "))) {} }\n"
    }
    let header = try TemporaryFolder.shared.withFolder { folder in
      let (file, header) = (folder.appendingPathComponent("names.swift"), folder.appendingPathComponent("names.h"))
      try Data(source.joined().utf8).write(to: file)
      let options = ["-enable-objc-interop", "-disable-objc-attr-requires-foundation-module", "-parse-as-library", "-module-name", "Names"]
      try Command.require(
        ["swiftc", "-frontend", "-typecheck", file.path, "-emit-objc-header-path", header.path] + options,
        log: folder.appendingPathComponent("log"))
      return try String(contentsOf: header, encoding: .utf8)
    }
    // - (void)areaOf:(NSInteger)p0 scale:(NSInteger)p1;
    var selectors: [String] = []
    for line in header.split(separator: "\n") where line.hasPrefix("- (void)") {
      let pieces = line.dropFirst(8).prefix { $0 != ";" }.split(separator: ":", omittingEmptySubsequences: false)
      guard pieces.count > 1 else {
        selectors.append(pieces.joined())
        continue
      }
      selectors.append(
        pieces.dropLast().enumerated().map { index, piece in
          (index == 0 ? String(piece) : piece.split(separator: " ", omittingEmptySubsequences: false).last.map { String($0) } ?? "") + ":"
        }.joined())
    }
    expectEqual(selectors.count, methods.count)
    for (method, selector) in zip(methods, selectors) {
      let name = "\(method.base)(\(method.labels.map { $0 + ":" }.joined()))"
      expectEqual(MethodSelector(objectiveC: name).name, selector, name)
    }
  }

  @Test("A message by its Swift name finds the method", .enabled(if: Fixtures.isAvailable, "GNUstep is missing"))
  func messages() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      expectEqual(try Invocation.send(object, "area(of:scale:)", 2.0, 3.0) as Double, 6)
      expectEqual(try Invocation.send(object, "move(toX:y:)", 4, 2) as Int32, 42)
      let error = ObjectiveCReference()
      expectEqual(try Invocation.send(object, MethodSelector(objectiveC: "load()", throws: true), error) as UInt8, 0)
      expect(error.object != nil)
      _ = try Invocation.send(object, MethodSelector(setterOf: "number"), 6)
      expectEqual(try Invocation.send(object, "number") as Int32, 6)
    }
  }
}
