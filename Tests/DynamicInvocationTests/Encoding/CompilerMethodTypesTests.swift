import Foundation
import TestSupport
import Testing

@testable import DynamicInvocation

/// The types that clang stores for the methods of a class and a protocol: read, laid out for a frame, and written again to the letter.
@Suite(.measured, .enabled(if: CCompiler.clang.available)) struct CompilerMethodTypesTests {
  private static let source = """
    struct Point { double x, y; };
    struct Byte { signed char c; };
    struct Empty {};
    struct Opaque;
    union Number { signed char c[5]; int i; double d; };
    @class Named;
    @protocol Drawing
    - (oneway void)begin;
    - (void)then:(void (^)(Named *, int))block with:(Named *)named;
    - (id)map:(id (^)(id, id (^)(struct Point)))block;
    @end
    @interface Subject <Drawing>
    - (void)nothing;
    + (Class)classOf:(SEL)selector;
    - (oneway void)begin;
    - (id)object:(id)object named:(Named *)named;
    - (signed char)c:(signed char)c s:(unsigned short)s i:(int)i f:(float)f d:(double)d b:(_Bool)b;
    - (struct Byte)byte:(struct Byte)byte empty:(struct Empty)empty after:(_Bool)flag;
    - (struct Point)point:(struct Point)point number:(union Number)number last:(signed char)last;
    - (int)array:(int[4])array text:(const char *)text opaque:(struct Opaque *)opaque function:(void (*)(int))function;
    - (long double)wide:(long double)wide t:(__int128)t jd:(_Complex double)jd jc:(_Complex signed char)jc half:(_Float16)half last:(short)last;
    - (const struct Point *)in:(in int)a out:(out int *)b inout:(inout id *)c by:(bycopy id)d ref:(byref id)e;
    - (void)then:(void (^)(Named *, int))block with:(Named *)named;
    @end
    @implementation Subject
    - (void)nothing {}
    + (Class)classOf:(SEL)selector { return 0; }
    - (oneway void)begin {}
    - (id)object:(id)object named:(Named *)named { return 0; }
    - (signed char)c:(signed char)c s:(unsigned short)s i:(int)i f:(float)f d:(double)d b:(_Bool)b { return 0; }
    - (struct Byte)byte:(struct Byte)byte empty:(struct Empty)empty after:(_Bool)flag { return byte; }
    - (struct Point)point:(struct Point)point number:(union Number)number last:(signed char)last { return point; }
    - (int)array:(int[4])array text:(const char *)text opaque:(struct Opaque *)opaque function:(void (*)(int))function { return 0; }
    - (long double)wide:(long double)wide t:(__int128)t jd:(_Complex double)jd jc:(_Complex signed char)jc half:(_Float16)half last:(short)last {
      return wide; }
    - (const struct Point *)in:(in int)a out:(out int *)b inout:(inout id *)c by:(bycopy id)d ref:(byref id)e { return 0; }
    - (void)then:(void (^)(Named *, int))block with:(Named *)named {}
    @end
    Protocol *keep(void) { return @protocol(Drawing); }

    """

  @Test(arguments: ["gnustep-2.0", "gnustep-1.9", "macosx-13.0"]) func stored(runtime: String) throws {
    let path = try CCompiler.clang.sharedLibrary(
      source: Self.source, flags: ["-x", "objective-c", "-fblocks", "-fobjc-runtime=\(runtime)", "-Wl,--allow-shlib-undefined"],
      name: "methods")
    // The library is only read: there is no Objective-C runtime to load it with.
    let strings = Set(
      try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0).compactMap { String(bytes: $0, encoding: .utf8) })
    var methods: [String: MethodTypes] = [:]
    for text in strings {
      guard let types = try? MethodTypes(text, blankIsFloat16: true), types.isMethod, types.text() != text else { continue }
      methods[text] = types
      expectEqual(types.text(frameOffsets: true), text)
    }
    for text in [
      "v16@0:8", "#24@0:8:16", "Vv16@0:8", "@32@0:8@16@24", "c44@0:8c16S20i24f28d32B40",
      "{Byte=c}21@0:8{Byte=c}16{Empty=}17B17", "{Point=dd}44@0:8{Point=dd}16(Number=[5c]id)32c40",
      "i48@0:8[4i]16r*24^{Opaque=}32^?40", "D72@0:8D16t32jd48jc64 66s68",
    ] {
      // A linker may store a text as the end of another.
      expect(methods.keys.contains { $0.hasSuffix(text) }, "\(text) of \(methods.keys.sorted())")
      let types = try MethodTypes(text, blankIsFloat16: true)
      expect(types.isMethod)
      expectEqual(types.text(frameOffsets: true), text)
    }
    // The protocol's types name classes and say what blocks take.
    if runtime == "gnustep-2.0" {
      expect(methods["v32@0:8@?<v@?@\"Named\"i>16@\"Named\"24"] != nil)
    }
  }
}
