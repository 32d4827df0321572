import EventRouting

// list-page [KEY...]    sends events of the button, "A" and "B" if none is named, and prints how each was handled

let words = CommandLine.arguments.dropFirst()
let keys = words.isEmpty ? ["A", "B"] : Array(words)

let page = try ListPage()
// The reports contain what warnings would log.
let reports = EventLog.withLogger(nil) { keys.map { page.send(EventKey($0)) } }
for report in reports { print(report) }
for call in page.calls { print("controller.\(call)") }
