// Who traces and counts events also sends them.
@_exported public import EventRouting
