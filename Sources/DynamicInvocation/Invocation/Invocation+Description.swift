extension Invocation: CustomStringConvertible {
  /// The call with its values: `-[Controller area(_:in:)](7, (1.0, 2.0, 3.0, 4.0)) -> 19.0`.
  ///
  /// Arguments that are not set are `unset`. Pointers are not followed, save for C strings, whose text is shown: they must be valid.
  public var description: String {
    let isMethod = methodSignature.isMethod
    let first = isMethod ? 2 : 0
    var text = ""
    if isMethod {
      let name = target.map { "\(($0 as? AnyClass) ?? type(of: $0))" } ?? "nil"
      text = "-[\(name) \(selector?.name ?? "unset")]"
    } else {
      text = "\(methodSignature)"
    }
    let arguments = (first..<count).map { index in
      isSet(index) ? unsafe "\(BoxedValue(in: slots[index], of: frame, as: methodSignature.types.arguments[index]))" : "unset"
    }
    text += "(" + arguments.joined(separator: ", ") + ")"
    if hasResult, plan.result.kind != .void {
      text += unsafe " -> \(BoxedValue(in: plan.result, of: frame, as: methodSignature.returnType))"
    }
    return text
  }
}
