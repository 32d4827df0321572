// A user writes one import: libraries and errors are those of the engine.
@_exported public import DynamicInvocation
