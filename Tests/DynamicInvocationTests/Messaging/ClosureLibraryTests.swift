#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Functions of the C library call closures.
  @Suite(.measured) struct ClosureLibraryTests {
    private static let ascending: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Int32 = {
      let (left, right) = ($0.load(as: Int.self), $1.load(as: Int.self))
      return left < right ? -1 : left > right ? 1 : 0
    }

    private func function(_ name: String, _ types: String) throws -> ForeignFunction {
      try DynamicLibrary.process.function(name, types: types)
    }

    @Test func qsortAndBsearch() throws {
      var generator = SeededGenerator(seed: 1)
      var numbers = (0..<50_000).map { _ in Int.random(in: -1_000_000...1_000_000, using: &generator) }
      let sorted = numbers.sorted()
      let comparison = try Closure(types: "i^v^v", Self.ascending)
      let qsort = try function("qsort", "v^vQQ^?")
      try numbers.withUnsafeMutableBytes { try qsort($0.baseAddress, UInt($0.count / 8), UInt(8), comparison.pointer) as Void }
      expectEqual(numbers, sorted)
      let bsearch = try function("bsearch", "^v^v^vQQ^?")
      try numbers.withUnsafeBytes { bytes in
        for index in [0, 4_711, numbers.count - 1] {
          let found: UnsafeRawPointer? = try withUnsafeBytes(of: numbers[index]) { key in
            try bsearch(key.baseAddress, bytes.baseAddress, UInt(numbers.count), UInt(8), comparison.pointer)
          }
          expectEqual(found?.load(as: Int.self), numbers[index])
        }
        let missing: UnsafeRawPointer? = try withUnsafeBytes(of: 2_000_000) { key in
          try bsearch(key.baseAddress, bytes.baseAddress, UInt(numbers.count), UInt(8), comparison.pointer)
        }
        expectNil(missing)
      }
    }

    @Test func theSwiftImportOfQsortTakesTheFunction() throws {
      let comparison = try Closure(types: "i^v^v", Self.ascending)
      var numbers = [5, -3, 9, 0]
      comparison.withFunction(as: (@convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32).self) { function in
        qsort(&numbers, numbers.count, 8, function)
      }
      expectEqual(numbers, [-3, 0, 5, 9])
    }

    @Test func aSwiftTypeIsNoFunctionOfC() async {
      await #expect(processExitsWith: .failure) {
        let closure = try Closure(types: "qq") { (value: Int) -> Int in value }
        closure.withFunction(as: ((Int) -> Int).self) { _ in }
      }
    }

    @Test func userDataOfQsort() throws {
      // qsort_r hands its last argument on as the third of the comparison: here what to multiply by.
      let comparison = try Closure(types: "i^v^v^v") { (a: UnsafeRawPointer, b: UnsafeRawPointer, sign: UnsafeRawPointer) -> Int32 in
        Self.ascending(a, b) * sign.load(as: Int32.self)
      }
      var numbers = Array(0..<1_000)
      var sign: Int32 = -1
      let sort = try function("qsort_r", "v^vQQ^?^v")
      try numbers.withUnsafeMutableBytes { bytes in
        try withUnsafeBytes(of: &sign) { try sort(bytes.baseAddress, UInt(1_000), UInt(8), comparison.pointer, $0.baseAddress) as Void }
      }
      expectEqual(numbers, Array((0..<1_000).reversed()))
    }

    @Test func aTreeIsWalked() throws {
      let comparison = try Closure(types: "i^v^v", Self.ascending)
      let values = UnsafeMutablePointer<Int>.allocate(capacity: 100)
      defer { values.deallocate() }
      for index in 0..<100 { (values + index).initialize(to: (index * 37) % 100) }
      let root = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
      root.initialize(to: nil)
      defer { root.deallocate() }
      let search = try function("tsearch", "^v^v^v^?")
      for index in 0..<100 { _ = try search(values + index, root, comparison.pointer, as: UnsafeRawPointer?.self) }
      let visited = Locked<[Int]>([])
      // enum VISIT: preorder 0, postorder 1, endorder 2, leaf 3; in postorder and at leaves the walk is sorted.
      let visit = try Closure(types: "v^vIi") { (node: UnsafeRawPointer, order: UInt32, depth: Int32) in
        guard order == 1 || order == 3, depth >= 0 else { return }
        let value = node.load(as: UnsafeRawPointer.self).load(as: Int.self)
        visited.withLock { $0.append(value) }
      }
      try function("twalk", "v^v^?")(root.pointee, visit.pointer) as Void
      expectEqual(visited.withLock { $0 }, Array(0..<100))
      let free = try Closure(types: "v^v") { (_: UnsafeRawPointer) in }
      try function("tdestroy", "v^v^?")(root.pointee, free.pointer) as Void
    }

    @Test func aFolderIsScanned() throws {
      let folder = TemporaryFolder.shared.url.appendingPathComponent("scan-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["b.txt", "a.txt", "c.log"] { try Data(count: 3).write(to: folder.appendingPathComponent(name)) }
      let names = Locked<[String]>([])
      // struct dirent of 64-bit Linux: the name follows 19 bytes.
      let filter = try Closure(types: "i^v") { (entry: UnsafeRawPointer) -> Int32 in
        String(cString: (entry + 19).assumingMemoryBound(to: CChar.self)).hasSuffix(".txt") ? 1 : 0
      }
      let order = try Closure(types: "i^v^v") { (left: UnsafeRawPointer, right: UnsafeRawPointer) -> Int32 in
        let pair = [left, right].map { String(cString: ($0.load(as: UnsafeRawPointer.self) + 19).assumingMemoryBound(to: CChar.self)) }
        return pair[0] < pair[1] ? -1 : 1
      }
      let list = UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutableRawPointer>?>.allocate(capacity: 1)
      list.initialize(to: nil)
      defer { list.deallocate() }
      let count: Int32 = try function("scandir", "i*^v^?^?")(folder.path, list, filter.pointer, order.pointer)
      for index in 0..<Int(count) {
        if let entry = list.pointee?[index] {
          names.withLock { $0.append(String(cString: (entry + 19).assumingMemoryBound(to: CChar.self))) }
          free(entry)
        }
      }
      free(list.pointee)
      expectEqual(names.withLock { $0 }, ["a.txt", "b.txt"])

      let sizes = Locked<[String: Int]>([:])
      let visit = try Closure(types: "i*^vi") { (path: String, status: UnsafeRawPointer, kind: Int32) -> Int32 in
        // FTW_F is 0.
        if kind == 0 { sizes.withLock { $0[URL(fileURLWithPath: path).lastPathComponent] = Int(status.load(as: stat.self).st_size) } }
        return 0
      }
      try expectEqual(function("ftw", "i*^?i")(folder.path, visit.pointer, Int32(4)) as Int32, 0)
      expectEqual(sizes.withLock { $0 }, ["a.txt": 3, "b.txt": 3, "c.log": 3])
    }

    @Test func aThreadStartsInAClosure() throws {
      try LifetimeTracker.check { tracker in
        let object = tracker.object(21)
        let start = try Closure(types: "^v^v") { (data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in
          data?.storeBytes(of: object.payload * 2, as: Int.self)
          return data
        }
        let create = try function("pthread_create", "i^Q^v^?^v")
        let join = try function("pthread_join", "iQ^^v")
        var answers = [Int](repeating: 0, count: 4)
        try answers.withUnsafeMutableBytes { answers in
          var threads = [UInt](repeating: 0, count: 4)
          for index in 0..<4 {
            try threads.withUnsafeMutableBufferPointer { threads in
              let status: Int32 = try create(
                threads.baseAddress.map { $0 + index }, UnsafeRawPointer?.none, start.pointer, answers.baseAddress.map { $0 + 8 * index })
              expectEqual(status, 0)
            }
          }
          for thread in threads { try expectEqual(join(thread, UnsafeRawPointer?.none) as Int32, 0) }
        }
        expectEqual(answers, [42, 42, 42, 42])
      }
    }
  }
#endif
