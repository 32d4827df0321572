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

@MainActor open class UIResponder: NSObject {
  open var next: UIResponder? { fatalError() }
}

open class UIView: UIResponder {
  open var superview: UIView? { fatalError() }
  open var subviews: [UIView] { fatalError() }
}

open class UIWindow: UIView {}

open class UIViewController: UIResponder {
  open var viewIfLoaded: UIView? { fatalError() }
  open var children: [UIViewController] { fatalError() }
  open var presentedViewController: UIViewController? { fatalError() }
  open var presentingViewController: UIViewController? { fatalError() }
}

open class UIScene: UIResponder {}

open class UIWindowScene: UIScene {
  open var windows: [UIWindow] { fatalError() }
}

open class UIApplication: UIResponder {
  open var connectedScenes: Set<UIScene> { fatalError() }
}

@MainActor open class UIAction: NSObject {
  public init(handler: @escaping (UIAction) -> Void) {}
  open var sender: Any? { fatalError() }
}

open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside: Event = Event(rawValue: 64)
  }
  open func addAction(_ action: UIAction, for events: Event) {}
}
