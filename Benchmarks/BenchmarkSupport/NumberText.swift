import Foundation

/// Formats a number with a number of decimals.
func decimal(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Formats a fraction in percent.
func percent(_ share: Double) -> String { decimal(share * 100, 1) + "%" }

/// Formats a number with three significant digits and without an exponent: 1.36, 47.3, 1240.
func threeDigits(_ value: Double) -> String {
  switch abs(value) {
  case ..<9.995: decimal(value, 2)
  case ..<99.95: decimal(value, 1)
  default: decimal(value, 0)
  }
}
