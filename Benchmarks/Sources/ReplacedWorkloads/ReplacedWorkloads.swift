// What the curves of replacements replace: the functions of this module can be.

/// Calls itself a number of times.
@inline(never)
public func descend(_ levels: Int) -> Int { levels == 0 ? 0 : 1 + descend(levels - 1) }

/// Returns a number.
@inline(never)
public func echo(_ number: Int) -> Int { number }
