import DynamicInvocation
import LibFFIShim

/// The types of a call interface of libffi.
struct FFITypes {
  let types: MethodTypes

  init(_ cif: UnsafePointer<ffi_cif>) throws {
    var text = try Self.encoding(of: cif.pointee.rtype)
    for index in 0..<Int(cif.pointee.nargs) {
      guard let type = cif.pointee.arg_types[index] else { throw FFIFailure("a type is null") }
      text += try Self.encoding(of: type)
    }
    types = try MethodTypes(text)
  }

  /// The type encoding of a type.
  private static func encoding(of type: UnsafeMutablePointer<ffi_type>) throws -> String {
    switch Int32(type.pointee.type) {
    case FFI_TYPE_VOID: "v"
    case FFI_TYPE_INT, FFI_TYPE_SINT32: "i"
    case FFI_TYPE_FLOAT: "f"
    case FFI_TYPE_DOUBLE: "d"
    case FFI_TYPE_LONGDOUBLE: "D"
    case FFI_TYPE_UINT8: "C"
    case FFI_TYPE_SINT8: "c"
    case FFI_TYPE_UINT16: "S"
    case FFI_TYPE_SINT16: "s"
    case FFI_TYPE_UINT32: "I"
    case FFI_TYPE_UINT64: "Q"
    case FFI_TYPE_SINT64: "q"
    case FFI_TYPE_POINTER: "^v"
    case FFI_TYPE_COMPLEX: try "j" + elements(of: type).joined()
    case FFI_TYPE_STRUCT: try structure(type)
    default: throw FFIFailure("a type of the unknown number \(type.pointee.type)")
    }
  }

  private static func elements(of type: UnsafeMutablePointer<ffi_type>) throws -> [String] {
    var (encodings, index) = ([String](), 0)
    while let element = type.pointee.elements?[index] {
      encodings.append(try encoding(of: element))
      index += 1
    }
    return encodings
  }

  private static func structure(_ type: UnsafeMutablePointer<ffi_type>) throws -> String {
    let text = try "{?=\(elements(of: type).joined())}"
    let layout = try TypeEncoding(text)
    guard layout.size == type.pointee.size, layout.alignment == Int(type.pointee.alignment) else {
      throw FFIFailure("\(text) has \(layout.size ?? 0) bytes, in libffi \(type.pointee.size)")
    }
    return text
  }
}

/// What cannot be carried out, which ends the process.
struct FFIFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
