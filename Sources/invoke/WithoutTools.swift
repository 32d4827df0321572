#if !Tools
  import Foundation

  /// The program without the trait Tools.
  ///
  /// Its command line needs swift-argument-parser, which is fetched only if the trait is enabled.
  @main
  enum WithoutTools {
    static func main() {
      FileHandle.standardError.write(Data("invoke: built without its command line; build with: swift build --traits default,Tools\n".utf8))
      exit(64)
    }
  }
#endif
