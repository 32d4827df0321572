// Keys, replies and errors carry the engine's boxes and encodings: who imports this module needs no second import for `.int(3)`.
@_exported public import DynamicInvocation
