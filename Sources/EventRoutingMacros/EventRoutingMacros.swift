// The code that the macros generate uses event routing, and throws errors of the engine.
@_exported public import DynamicInvocation
@_exported public import EventRouting
