@_exported public import TypeEncodings
