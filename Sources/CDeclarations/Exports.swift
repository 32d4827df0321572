// A user writes one import: the type `CDeclarations` is of the reader's module, its uses are of the engine's.
@_exported public import DeclarationReading
@_exported public import DynamicInvocation
