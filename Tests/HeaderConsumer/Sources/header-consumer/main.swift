import CDeclarations

// The environment has no compiler: both headers are in the program.
let sqlite = try DynamicLibrary("libsqlite3.so.0", declarations: .sqlite3)
let version: String = try sqlite.function("sqlite3_libversion")()
let number: Int32 = try sqlite.function("sqlite3_libversion_number")()
let stated = CDeclarations.sqlite3.constants["SQLITE_VERSION_NUMBER"]?.int
print(version.split(separator: ".").count == 3, stated == Int(number), CDeclarations.sqlite3.constants["SQLITE_ROW"]?.int ?? -1)

let libc = try DynamicLibrary("libc.so.6", declarations: .numbers)
let half: Double = try libc.function("atof")("0.5")
let call = try libc.function("div").makeInvocation()
try call.setArgument(boxed: 17, at: 0)
try call.setArgument(boxed: 5, at: 1)
try call.invoke()
print(half, call)

do {
  _ = try CDeclarations(header: "stdlib.h", options: ["-DNOT_STORED_YET"])
} catch {
  print(error.code == .headerNotRead)
}
