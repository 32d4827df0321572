// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/appkit

@_exported public import Foundation
@_exported public import QuartzCore

@MainActor open class NSResponder: NSObject {
  open var nextResponder: NSResponder?
}

open class NSView: NSResponder {
  open var superview: NSView? { fatalError() }
  open var subviews: [NSView] = []
}

open class NSViewController: NSResponder {
  open var isViewLoaded: Bool { fatalError() }
  open var view: NSView { fatalError() }
  open var children: [NSViewController] = []
}

open class NSWindow: NSResponder {
  open var contentView: NSView?
  open var windowController: NSWindowController?
}

open class NSWindowController: NSResponder {
  open var isWindowLoaded: Bool { fatalError() }
  open var window: NSWindow?
}

open class NSApplication: NSResponder {
  open var windows: [NSWindow] { fatalError() }
}

open class NSControl: NSView {
  open weak var target: AnyObject?
  open var action: Selector?
}
