public import DynamicInvocation
public import Foundation

/// NSObject and its subclasses, NSNumber, NSString, NSDictionary and yours, are parameters and results of the type `@`.
extension NSObject: EncodedObject {}
