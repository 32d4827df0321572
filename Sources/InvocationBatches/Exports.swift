// A user writes one import: a batch is many calls of the engine's functions.
@_exported public import DynamicInvocation
