// A program that imports this module gets the engine with it, and on Apple's platforms that NSObject is an encoded value.
@_exported public import DynamicInvocation

#if canImport(ObjectiveC)
  @_exported public import DynamicInvocationFoundation
#endif
