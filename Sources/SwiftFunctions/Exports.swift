// A user writes one import: what is called is given and answered in the engine's types.
@_exported public import DynamicInvocation
