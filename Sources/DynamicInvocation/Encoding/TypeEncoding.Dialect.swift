extension TypeEncoding {
  /// The dialect that an encoding is written in.
  ///
  /// The dialects differ in `l` and `L`, and in how a bit-field is written. Both forms of a bit-field are read in either dialect, since no text
  /// can be taken for the other form.
  public enum Dialect: String, Sendable, CaseIterable {
    /// Apple's and NeXT's: `l` is 32 bits wide, and a bit-field says only its width: `b3`.
    case next
    /// The GNU runtimes': `l` is as wide as C's `long`, and a bit-field says position and type too: `b0I3`.
    case gnu
  }
}
