// A user writes one import: the engine's API shows types of these modules.
@_exported public import CFFIGeometry
@_exported public import CallFrames
@_exported public import TypeEncodings
