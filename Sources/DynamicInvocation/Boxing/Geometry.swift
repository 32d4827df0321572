// Point, Size and the rest are C types, so that functions of C's calling convention can take them; re-exported, so that a client
// sees them and their members with the engine alone.
@_exported public import CFFIGeometry
