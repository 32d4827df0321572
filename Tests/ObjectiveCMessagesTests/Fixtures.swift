import DynamicInvocation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

/// The classes of the tests, compiled by gcc against GNUstep, and the count of their living instances.
enum Fixtures {
  static let flags = [
    "-x", "objective-c", "-O2", "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1", "-DGNU_RUNTIME=1", "-fexceptions", "-fobjc-exceptions",
    "-D_NATIVE_OBJC_EXCEPTIONS", "-pthread", "-fconstant-string-class=NSConstantString", "-I/usr/include/GNUstep", "-Wl,--no-as-needed",
    "-lgnustep-base", "-lobjc",
  ]

  /// The library, or nil where gcc has no Objective-C or GNUstep is missing.
  static let library: DynamicLibrary? = {
    do {
      let library = try DynamicLibrary(CCompiler.gcc.sharedLibrary(source: source + "\n" + events, flags: flags, name: "objc"))
      try ObjectiveCRuntime.use(library)
      return library
    } catch {
      print("ObjectiveCMessagesTests: skipped, install gobjc and libgnustep-base-dev: \("\(error)".prefix(400))")
      return nil
    }
  }()

  static var isAvailable: Bool { library != nil }

  private static let lock: Mutex<Int> = Mutex(0)

  /// Runs a test alone, in an autorelease pool, and expects that no instance is left or was released too often.
  static func run(
    _ comment: String = "", fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, _ body: () throws -> Void
  ) throws {
    try lock.withLock { _ in
      try ObjectiveCRuntime.withAutoreleasePool(body)
      expectEqual(try live(), 0, "living instances \(comment)", fileID: fileID, filePath: filePath, line: line)
    }
  }

  /// The number of living instances.
  static func live() throws -> Int32 { try function("fixture_count", "i")() }

  static func function(_ name: String, _ types: String) throws -> ForeignFunction {
    try require(library).function(name, types: types)
  }

  /// A class.
  static func type(_ name: String = "Fixture") throws -> ObjectiveCObject { try ObjectiveCRuntime.type(named: name) }

  /// A new instance.
  static func make(_ name: String = "Fixture") throws -> ObjectiveCObject { try ObjectiveCRuntime.object(ofClass: name, "new") }

  /// The objects and messages of the tests.
  ///
  /// Each function `o_...` sends a message as compiled code does.
  static let source = #"""
    #import <Foundation/Foundation.h>
    #include <string.h>
    #if __has_include(<CoreFoundation/CFCGTypes.h>)
    // GNUstep declares them in newer versions.
    typedef CGPoint Point_;
    typedef CGSize Size_;
    typedef CGRect Rect_;
    #else
    typedef struct { double x, y; } Point_;
    typedef struct { double width, height; } Size_;
    typedef struct CGRect { Point_ origin; Size_ size; } Rect_;
    #endif
    typedef struct { long a[5]; char c; } Big;
    typedef union { double d; long l; } Either;

    // GNUstep ends the process when it is asked for the signature of a method with this type.
    typedef struct { void *p; struct { unsigned __int128 none[0]; } none[0]; } Strange;

    static int live = 0;
    int fixture_count(void) { return live; }
    int fixture_initialized = 0;

    @protocol ScrollDelegate
    - (void)didScroll:(double)offset;
    @end
    @protocol TableDelegate <ScrollDelegate>
    - (double)table:(id)table heightOf:(long)row;
    - (BOOL)table:(id)table shouldSelect:(long)row;
    - (id)table:(id)table titleOf:(long)row;
    - (Rect_)table:(id)table frameOf:(long)row in:(Rect_)bounds;
    @optional
    - (long)numberOfRows;
    @end

    @interface Fixture : NSObject { @public int number; id kept; } @end
    @implementation Fixture
    + (id)alloc { __sync_fetch_and_add(&live, 1); return [super alloc]; }
    - (void)dealloc { __sync_fetch_and_sub(&live, 1); [kept release]; [super dealloc]; }
    - (int)add:(int)a to:(int)b { return a + b; }
    - (double)scale:(double)x by:(float)f { return x * f; }
    - (Rect_)inset:(Rect_)r by:(double)d {
      r.origin.x += d; r.origin.y += d; r.size.width -= 2 * d; r.size.height -= 2 * d; return r;
    }
    - (Big)big:(long)n { Big b = {{n, n + 1, n + 2, n + 3, n + 4}, 'b'}; return b; }
    - (Either)either:(Either)e { e.l += 1; return e; }
    - (Strange)strange:(Strange)s { return s; }
    - (__int128)wide:(__int128)w { return w + 1; }
    - (const char *)echoText:(const char *)t { return t; }
    - (SEL)echoSelector:(SEL)s { return s; }
    - (BOOL)isSelector:(SEL)s { return sel_isEqual(s, @selector(add:to:)); }
    - (Class)echoClass:(Class)c { return c; }
    - (id)echo:(id)o { return o; }
    - (void *)echoWord:(id)o { return o; }
    - (BOOL)flip:(BOOL)b { return !b; }
    - (id)child { return [[Fixture new] autorelease]; }
    - (id)newChild { return [Fixture new]; }
    - (id)copy { return [Fixture new]; }
    - (id)newsletter { return [[Fixture new] autorelease]; }
    - (id)obtain { return [Fixture new]; }
    - (void)consume:(id)o { [o release]; }
    - (id)initWithNumber:(int)n { self = [super init]; if (self) number = n; return self; }
    - (id)initOther:(int)n { [self release]; Fixture *f = [Fixture alloc]; f->number = n; return f; }
    - (id)initFailing { [self release]; return nil; }
    - (id)initialChild { return [[Fixture new] autorelease]; }
    - (int)number { return number; }
    - (void)setNumber:(int)n { number = n; }
    + (int)twice:(int)n { return 2 * n; }
    + (id)make { return [[Fixture new] autorelease]; }
    - (void)getX:(out int *)x y:(out double *)y { *x = 7; *y = 2.5; }
    - (BOOL)load:(id)o error:(id *)e { if (o) return YES; if (e) *e = [[Fixture new] autorelease]; return NO; }
    - (void)keep:(id)o { [o retain]; [kept release]; kept = o; }
    - (id)kept { return kept; }
    - (int)drop:(id)o { if (o == kept) { kept = nil; [o release]; } return 7; }
    - (double)areaOf:(double)width scale:(double)scale { return width * scale; }
    - (int)moveToX:(int)x y:(int)y { return 10 * x + y; }
    - (id)initWithX:(int)x y:(int)y { self = [super init]; number = 100 * x + y; return self; }
    - (BOOL)loadAndReturnError:(id *)e { *e = [[Fixture new] autorelease]; return NO; }
    @end

    @interface SubFixture : Fixture @end
    @implementation SubFixture
    - (int)add:(int)a to:(int)b { return 1000 + [super add:a to:b]; }
    @end

    @interface StatedFixture : Fixture @end
    @implementation StatedFixture
    @end

    @interface Lazy : NSObject @end
    @implementation Lazy
    + (void)initialize { if (self == [Lazy class]) fixture_initialized++; }
    - (int)value { return fixture_initialized; }
    @end

    @interface Forwarder : NSProxy { id target; } @end
    @implementation Forwarder
    + (id)to:(id)t { Forwarder *f = [[self alloc] autorelease]; f->target = [t retain]; return f; }
    - (void)dealloc { [target release]; [super dealloc]; }
    - (NSMethodSignature *)methodSignatureForSelector:(SEL)s { return [target methodSignatureForSelector:s]; }
    - (void)forwardInvocation:(NSInvocation *)i { [i invokeWithTarget:target]; }
    @end

    @interface Controller : Fixture <TableDelegate> @end
    @implementation Controller
    - (double)table:(id)t heightOf:(long)row { return 40 + row; }
    - (Rect_)table:(id)t frameOf:(long)row in:(Rect_)b { b.size.height += row; return b; }
    - (id)table:(id)t titleOf:(long)row { return row == 1 ? [[Fixture new] autorelease] : nil; }
    @end
    @interface Selecting : Fixture <TableDelegate> @end
    @implementation Selecting
    - (double)table:(id)t heightOf:(long)row { return 50 + row; }
    - (BOOL)table:(id)t shouldSelect:(long)row { return row > 1; }
    - (long)numberOfRows { return 12; }
    @end

    int o_add(id o, int a, int b) { return [o add:a to:b]; }
    double o_scale(id o, double x, float f) { return [o scale:x by:f]; }
    Rect_ o_inset(id o, Rect_ r, double d) { return [o inset:r by:d]; }
    Big o_big(id o, long n) { return [o big:n]; }
    Either o_either(id o, Either e) { return [o either:e]; }
    // The halves of a 128-bit integer that was sent as its upper half.
    long o_wide(id o, long w, int isUpper) { __int128 r = [o wide:(__int128)w << 64]; return isUpper ? (long)(r >> 64) : (long)r; }
    const char *o_text(id o, const char *t) { return [o echoText:t]; }
    signed char o_flip(id o, signed char b) { return [o flip:b]; }
    int o_number(id o) { return [o number]; }
    // What a view does with its delegate.
    double o_height(id d, long row) { return [d table:nil heightOf:row]; }
    int o_responds(id d, const char *name) { return [d respondsToSelector:sel_registerName(name)]; }
    int o_conforms(id d, const char *name) { return [d conformsToProtocol:objc_getProtocol(name)]; }
    int o_selects(id d, long row) { return [d table:nil shouldSelect:row]; }
    long o_rows(id d) { return [d numberOfRows]; }
    double o_frame(id d, long row) { Rect_ r = {{0, 0}, {10, 20}}; return [d table:nil frameOf:row in:r].size.height; }
    // Whether the title is an object, which it owns for the duration of the pool.
    int o_title(id d, long row) { id title = [d table:d titleOf:row]; return title ? [title number] : -1; }
    void o_scroll(id d, double by) { [d didScroll:by]; }
    void o_retain(id o) { [o retain]; }
    void o_release(id o) { [o release]; }
    int o_child(id o) { return [[o child] number]; }
    // The number of an object whose initializer consumes what alloc returns; -1 without an object.
    int o_init(id type, int n) { id o = [[type alloc] initWithNumber:n]; int number = o ? [o number] : -1; [o release]; return number; }
    int o_fail(id type) { return [[type alloc] initFailing] == nil; }
    int o_drop(id o) { id last = [[o class] new]; [o keep:last]; [last release]; return [o drop:last]; }
    int o_obtain(id o) { id n = [o obtain]; int number = n ? [n number] : -1; [n release]; return number; }
    int o_new(id o) { id n = [o newChild]; int number = [n number]; [n release]; return number; }
    """#
}

/// The struct of the fixtures.
struct Rect: EncodedValue, Equatable {
  var x, y, width, height: Double
  static let typeEncoding: TypeEncoding = "{CGRect={?=dd}{?=dd}}"
}
