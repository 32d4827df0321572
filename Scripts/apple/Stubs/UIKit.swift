// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/uikit

@_exported public import Foundation
@_exported public import QuartzCore

@frozen public struct UIEdgeInsets: Sendable, BitwiseCopyable {
  public var top, left, bottom, right: CGFloat
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) { fatalError() }
}

@frozen public struct UIOffset: Sendable, BitwiseCopyable {
  public var horizontal, vertical: CGFloat
  public init(horizontal: CGFloat, vertical: CGFloat) { fatalError() }
}

@frozen public struct NSDirectionalEdgeInsets: Sendable, BitwiseCopyable {
  public var top, leading, bottom, trailing: CGFloat
  public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) { fatalError() }
}
