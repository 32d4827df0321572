@_exported public import DynamicInvocationFoundation
@_exported public import EventRouting
