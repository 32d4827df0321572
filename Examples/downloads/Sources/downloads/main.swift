import EventRouting

let page = try DownloadPage(Archive())
let files = ["a.txt": 100, "b.txt": 250, "c.txt": 400]

// Each file has a background task, which posts its progress and does not wait for the page.
await withTaskGroup(of: Void.self) { group in
  for file in files.keys {
    let port = page.addRow(file)
    group.addTask {
      for percent in stride(from: 25, through: 100, by: 25) { await port.post("progress", percent) }
      // The answer comes after everything that was posted before.
      let answer = await port.send("unknown", rules: .strategy)
      precondition(answer?.isUnhandled == true)
    }
  }
}
for (file, size) in files.sorted(by: { $0.key < $1.key }) { await page.finish(file, size: size) }
