import EventRouting

// One import: the engine's types come with the events.

final class Row: ResponderNode {}

var taps: [Int] = []
let page = ResponderNode("page")
let row = Row("row")
page.addChild(row)
try page.proxy.register("row.tapped") { (source: Row, index: Int) in taps.append(index) }

let handled = row.send("row.tapped", arguments: [.int(3)]).handledCount
guard handled == 1, taps == [3] else { fatalError("the event was handled \(handled) times, with \(taps)") }

let libm = try DynamicLibrary("libm.so.6")
let pow = try unsafe libm.function("pow", types: "ddd")
let y: Double = try pow(2.0, 10.0)
guard y == 1024 else { fatalError("pow(2, 10) gave \(y)") }
print("event-consumer: an event of a row was handled by its page, and pow(2, 10) = \(y)")
