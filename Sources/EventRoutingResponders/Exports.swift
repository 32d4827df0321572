@_exported public import EventRouting

#if canImport(ObjectiveC)
  @_exported public import EventRoutingFoundation
#endif
