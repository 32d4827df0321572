// The code that the macros write is that of event routing, and its errors are those of the engine.
@_exported public import DynamicInvocation
@_exported public import EventRouting
