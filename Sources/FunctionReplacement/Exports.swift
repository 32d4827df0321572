// A user writes one import: libraries and errors are the engine's.
@_exported public import DynamicInvocation
