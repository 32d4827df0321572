import DynamicInvocation
import EventRouting
import TestSupport

/// An object that events come from.
class Row: EncodedObject {}
final class SpecialRow: Row {}
final class Stranger: EncodedObject {}

/// Handles events by methods, and remembers what came.
final class Controller {
  var log: [String] = []

  func tapped(_ row: Row?, _ index: Int) { log.append("tapped \(row == nil ? "nil" : "row") \(index)") }
  func plain(_ row: Row?) { log.append("plain") }
  func failing(_ row: Row?, _ index: Int) throws { throw Refusal(index: index) }
}

struct Refusal: Error, Equatable {
  var index: Int
}

struct Failure: Error, Equatable {}

/// Handlers in C that remember their arguments.
struct CHandlers {
  let library: DynamicLibrary

  /// The scalar types that have a handler `h_<code>`, by their encodings.
  static let integers: [(code: String, type: String)] = [
    ("c", "signed char"), ("C", "unsigned char"), ("s", "short"), ("S", "unsigned short"), ("i", "int"), ("I", "unsigned"),
    ("q", "long long"),
    ("Q", "unsigned long long"),
  ]

  private static var source: String {
    var text = """
      #include <string.h>
      typedef struct { double x, y; } point;
      typedef struct { double x, y, width, height; } rect;
      typedef struct { unsigned long long location, length; } range;
      typedef struct { double a, b, c, d, tx, ty; } affine;
      typedef struct { double m[16]; } transform;
      // Of each thread, as tests run at the same time.
      static _Thread_local int calls; static _Thread_local void *source, *pointer; static _Thread_local long long integer;
      static _Thread_local double number, parts[16]; static _Thread_local char text[64];
      int call_count(void) { return calls; }
      void *last_source(void) { return source; }
      long long last_integer(void) { return integer; }
      double last_number(void) { return number; }
      void *last_pointer(void) { return pointer; }
      const char *last_text(void) { return text; }
      double last_part(int index) { return parts[index]; }
      void h_f(void *s, float v) { calls++; source = s; number = v; }
      void h_d(void *s, double v) { calls++; source = s; number = v; }
      void h_B(void *s, _Bool v) { calls++; source = s; integer = v; }
      void h_object(void *s, void *v) { calls++; source = s; pointer = v; }
      void h_text(void *s, const char *v) { calls++; source = s; strncpy(text, v ? v : "(null)", 63); }
      void h_point(void *s, point v) { calls++; source = s; memcpy(parts, &v, sizeof v); }
      void h_rect(void *s, rect v) { calls++; source = s; memcpy(parts, &v, sizeof v); }
      void h_range(void *s, range v) { calls++; source = s; integer = (long long)(v.location * 1000 + v.length); }
      void h_affine(void *s, affine v) { calls++; source = s; memcpy(parts, &v, sizeof v); }
      void h_transform(void *s, transform v) { calls++; source = s; memcpy(parts, &v, sizeof v); }
      void *h_same(void *s, void *v) { calls++; return v; }
      rect h_bounds(void *s, rect v) { calls++; v.x = 0; return v; }
      void m_event(void *target, const char *selector, void *s, void *button, long long tag, rect r, void *other) {
        calls++; source = s; pointer = button; integer = tag; number = r.width; strncpy(text, selector, 63);
        parts[0] = other != 0; parts[1] = target != 0;
      }
      """
    for (code, type) in integers { text += "\nvoid h_\(code)(void *s, \(type) v) { calls++; source = s; integer = (long long)v; }" }
    return text
  }

  init(_ compiler: CCompiler) throws {
    library = try DynamicLibrary(compiler.sharedLibrary(source: Self.source, flags: ["-O2"], name: "handlers"))
  }

  /// A handler with its types.
  func handler(_ name: String, _ types: String) throws -> Implementation {
    let function = try library.function(name, types: types)
    return Implementation(function.implementation.pointer, methodSignature: function.methodSignature, keeping: Keeper(library))
  }

  var callCount: Int { get throws { Int(try library.function("call_count", types: "i")() as Int32) } }
  var integer: Int { get throws { try library.function("last_integer", types: "q")() } }
  var number: Double { get throws { try library.function("last_number", types: "d")() } }
  var source: UnsafeRawPointer? { get throws { try library.function("last_source", types: "^v")() } }
  var pointer: UnsafeRawPointer? { get throws { try library.function("last_pointer", types: "^v")() } }
  var text: String { get throws { try library.function("last_text", types: "*")() } }
  func part(_ index: Int32) throws -> Double { try library.function("last_part", types: "di")(index) }

  private final class Keeper: Sendable {
    let library: DynamicLibrary
    init(_ library: DynamicLibrary) { self.library = library }
  }
}

extension EventProxy.Outcome {
  /// The only error, as one of delivery.
  var failure: EventError? { errors.count == 1 ? errors[0] as? EventError : nil }

  /// What that error is.
  var code: InvocationError.Code? { failure?.reason.code }
}

/// The error with which the library refuses something, such as a registration.
func refusal<Result>(_ body: () throws -> Result) -> InvocationError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? InvocationError
  }
}
