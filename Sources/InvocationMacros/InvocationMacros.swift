// The code that the macros write is that of the engine.
@_exported public import DynamicInvocation
