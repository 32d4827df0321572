#if Macros
  import SwiftSyntax

  /// Why a method cannot be invoked by selector, and where in it that is to be seen.
  struct Refusal {
    let name: String
    let reason: String
    let place: Syntax

    init(_ name: String, _ reason: String, at place: Syntax) {
      self.name = name
      self.reason = reason
      self.place = place
    }
  }
#endif
