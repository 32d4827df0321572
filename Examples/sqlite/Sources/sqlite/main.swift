let database = try Database(path: ":memory:")
let versions = try database.versions()
print("header and library have the same major version:", versions.header?.first == versions.library.first)

try database.execute("CREATE TABLE rivers (id INTEGER PRIMARY KEY, name TEXT, length REAL)")
try database.insert("INSERT INTO rivers (name, length) VALUES (?, ?)", rows: [("Elbe", 1094), ("Rhine", 1232.7), ("Oder", 855)])

for (id, name, length) in try database.rows("SELECT * FROM rivers ORDER BY length DESC") {
  print("\(id): \(name), \(length) km")
}
try database.forEach("SELECT name, NULL FROM rivers ORDER BY name") { print("row:", $0.joined(separator: " | ")) }
do {
  try database.execute("SELECT * FROM lakes")
} catch {
  print("error:", error)
}
try database.close()
