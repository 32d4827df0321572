/// Waits a millisecond for what other tasks do: a loop of `Task.yield()` takes a processor from them.
func pause() async { try? await Task.sleep(for: .milliseconds(1)) }
