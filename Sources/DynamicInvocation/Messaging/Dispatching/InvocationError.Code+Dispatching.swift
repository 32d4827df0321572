extension InvocationError.Code {
  /// A dispatcher whose messages would come back to itself.
  public static let dispatchCycle: InvocationError.Code = InvocationError.Code(rawValue: "dispatchCycle")
}
