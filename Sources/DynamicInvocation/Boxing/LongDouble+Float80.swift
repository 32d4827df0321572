#if arch(x86_64) && !os(Windows)
  import CFFIShim

  extension LongDouble {
    /// Creates the same number; the two types have one format on this platform.
    public init(_ value: Float80) {
      var value = value
      unsafe self.init { address in unsafe withUnsafePointer(to: &value) { unsafe cffi_long_double_copy($0, address) } }
    }

    /// The same number as Swift's type of that format.
    public var float80Value: Float80 { unsafe withAddress { unsafe $0.load(as: Float80.self) } }
  }
#endif
