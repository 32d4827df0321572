internal import CFFIShim

/// The innermost event that this thread is sending: the head of a list on its stack, kept for the targets above.
package enum InnermostPass {
  /// Its address, nil for none; what lies there is known to whoever set it.
  package static var place: UnsafeMutableRawPointer? {
    get { unsafe cffi_innermost_pass() }
    set { unsafe cffi_set_innermost_pass(newValue) }
  }
}
