extension EventReply {
  /// The reply that a handler returned, or nil when its result is none.
  @inlinable @inline(__always)
  init?<Result>(of result: Result) {
    guard Result.self == EventReply.self else { return nil }
    self = unsafe unsafeBitCast(result, to: EventReply.self)
  }
}
