#if !Tools
  import Foundation

  /// What the program is without the trait Tools: its command line needs swift-argument-parser, which only those fetch who ask for the trait.
  @main
  enum WithoutTools {
    static func main() {
      FileHandle.standardError.write(
        Data("abi-conformance: built without its command line; build with: swift build --traits default,Tools\n".utf8))
      exit(64)
    }
  }
#endif
