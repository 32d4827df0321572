// The code that the macros generate uses the engine.
@_exported public import DynamicInvocation
