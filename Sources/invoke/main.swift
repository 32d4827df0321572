import DynamicInvocation
let libm = try DynamicLibrary("libm.so.6")
let pow = try libm.function("pow", types: "ddd")
let y: Double = try pow(2.0, 10.0)
print(y)
let libc = try DynamicLibrary("libc.so.6")
let strlen: UInt = try libc.function("strlen", types: "Q*")("hello")
print(strlen)
struct Div: EncodedValue { var q: Int32; var r: Int32; static let typeEncoding: TypeEncoding = "{div_t=ii}" }
let d: Div = try libc.function("div", types: "{x=ii}ii")(Int32(17), Int32(5))
print(d)
do { _ = try libc.function("strlan", types: "Q*") } catch { print(error) }
do { let _: Double = try pow(2.0, 10) } catch { print(error) }
do { let _: Double = try pow(2.0) } catch { print(error) }
let inv = try Invocation(MethodSignature(types: "d@:q{Rect={Point=dd}{Size=dd}}"))
final class C: Invocable {
  func implementation(for selector: Selector) -> Implementation? {
    let f: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Rect) -> Double = { me, sel, tag, rect in Double(tag) + rect.size.width * rect.size.height }
    return Implementation(function: f)
  }
}
inv.target = C()
inv.selector = "area(_:in:)"
try inv.setArgument(7, at: 2)
try inv.setArgument(Rect(x: 1, y: 2, width: 3, height: 4), at: 3)
try inv.invoke()
print(try inv.returnValue(as: Double.self))
