internal import CFFIShim
internal import SwiftSymbols

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Where a library is loaded.
@safe
struct LoadedLibrary: Sendable {
  /// The difference between an address in memory and the address in the file.
  let base: UInt
  /// The section that lists the descriptors of all nominal types.
  let typeRecords: ELFFile.Section?

  /// Throws an error on a platform whose libraries are not ELF files, before anything of a type is read.
  static func requirePlatform(_ owner: String) throws(InvocationError) {
    if SwiftKernel.convention == nil { throw notELF(owner) }
  }

  private static func notELF(_ owner: String) -> InvocationError {
    InvocationError(.libraryNotFound, "\(owner): Swift functions are found by name in ELF libraries only, as on Linux")
  }

  /// Finds the file of a library and checks that it is still the file that was loaded.
  ///
  /// The file is read with `pread`, not mapped: a file that is shortened meanwhile gives an error and no signal.
  /// - Throws: `InvocationError` `libraryNotFound` if the platform does not use ELF, if the file cannot be read, or if
  ///   it is not the loaded one.
  static func open(_ library: DynamicLibrary) throws(InvocationError) -> (LoadedLibrary, ELFFile) {
    var image = unsafe cffi_library_image()
    var path = ""
    let isFound = unsafe withUnsafeMutablePointer(to: &path) { context in
      unsafe cffi_find_image(
        library.handle, &image,
        { name, context in
          // The context is the path above, valid during the visit.
          unsafe context?.assumingMemoryBound(to: String.self).pointee = String(cString: name)
        }, context)
    }
    guard isFound else { throw notELF("\(library)") }
    if path.isEmpty { path = "/proc/self/exe" }
    guard let opened = FileDescriptor(path) else {
      throw InvocationError(.libraryNotFound, "\(library): its file '\(path)' cannot be read")
    }
    let file: ELFFile
    do { file = try ELFFile(opened.bytes) } catch {
      throw InvocationError(.libraryNotFound, "\(library): its file '\(path)' is \(error)")
    }
    guard unsafe isLoaded(file, image) else {
      throw InvocationError(.libraryNotFound, "\(library): its file '\(path)' has changed since the library was loaded")
    }
    unsafe keepLoaded(path)
    return (unsafe LoadedLibrary(base: image.base, typeRecords: file.section(named: "swift5_type_metadata")), file)
  }

  /// Makes the dynamic linker keep a library until the process ends.
  ///
  /// The Swift runtime refers to the types and conformances of a library and does not expect it to be unloaded.
  @unsafe
  private static func keepLoaded(_ path: String) {
    _ = unsafe dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)
  }

  /// Whether the program headers and notes in memory are the same as in the file; a note has the build's identifier.
  private static func isLoaded(_ file: ELFFile, _ image: cffi_library_image) -> Bool {
    guard let headers = unsafe image.program_headers else { return false }
    let loaded = unsafe UnsafeRawBufferPointer(start: headers, count: image.program_header_bytes)
    guard unsafe loaded.elementsEqual(file.headerBytes.dropFirst(64)) else { return false }
    let library = unsafe LoadedLibrary(base: image.base, typeRecords: nil)
    return file.notes.allSatisfy { note in
      guard let memory = unsafe library.memory(at: note.address, count: note.bytes.count) else { return false }
      return unsafe memory.elementsEqual(note.bytes)
    }
  }

  /// The memory of the library at an address of the file, or nil if not all of it is readable.
  @unsafe
  func memory(at address: UInt64, count: Int) -> UnsafeRawBufferPointer? {
    guard let start = unsafe UnsafeRawPointer(bitPattern: base &+ UInt(address)) else { return nil }
    guard unsafe cffi_readable_bytes(base, start) >= count else { return nil }
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The address in memory of an address of the file, or nil if it is not in the library.
  @unsafe
  func pointer(_ address: UInt64) -> UnsafeRawPointer? { unsafe memory(at: address, count: 1)?.baseAddress }
}

extension DynamicLibrary {
  /// Opens the library, or the program, that contains an address; nil if none does.
  ///
  /// - Throws: As ``init(_:)``.
  @unsafe
  package static func containing(_ address: UnsafeRawPointer) throws(InvocationError) -> DynamicLibrary? {
    var start: UnsafeRawPointer?
    var path: UnsafePointer<CChar>?
    guard unsafe cffi_find_object(address, &start, &path) != 0, let path = unsafe path else { return nil }
    var program: UnsafeRawPointer?
    var ignored: UnsafePointer<CChar>?
    // The program headers of the process are in the image of the program.
    var image = unsafe cffi_library_image()
    _ = unsafe cffi_find_image(DynamicLibrary.process.handle, &image, { _, _ in }, nil)
    if let headers = unsafe image.program_headers, unsafe cffi_find_object(headers, &program, &ignored) != 0, unsafe program == start {
      return .process
    }
    return try DynamicLibrary(unsafe String(cString: path))
  }
}

extension DynamicLibrary {
  /// The address of a symbol that the library exports, or nil.
  package func address(of symbol: String) -> UnsafeRawPointer? { unsafe dlsym(handle, symbol).map { UnsafeRawPointer($0) } }
}

/// An open file, closed with the object.
private final class FileDescriptor {
  private let descriptor: Int32

  init?(_ path: String) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Reads bytes from an offset; fewer at the end of the file, none on an error.
  func bytes(from offset: UInt64, count: Int) -> [UInt8] {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, let start = off_t(exactly: offset), start < status.st_size else { return [] }
    // No more memory than the file has bytes, whatever its headers state.
    let available = min(count, Int(status.st_size - start))
    var bytes = [UInt8](repeating: 0, count: available)
    var filled = 0
    unsafe bytes.withUnsafeMutableBytes { buffer in
      while filled < available, let address = buffer.baseAddress {
        let read = unsafe pread(descriptor, address + filled, available - filled, start + off_t(filled))
        if read <= 0 { break }
        filled += read
      }
    }
    return Array(bytes.prefix(filled))
  }
}
