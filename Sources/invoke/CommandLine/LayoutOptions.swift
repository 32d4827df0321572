#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// How type encodings are parsed, as command-line options.
  struct LayoutOptions: ParsableArguments {
    @Option(name: .long, help: "The dialect of the type encoding: in next an l has 32 bits, in gnu as many as C's long.")
    var dialect: DialectOption?

    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A packed struct or union of the types; =<bytes> for #pragma pack. May be repeated.", valueName: "name"))
    var packed: [String] = []

    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A struct or union of the types with a declared alignment. May be repeated.", valueName: "name=bytes"))
    var aligned: [String] = []

    @Option(name: .long, help: ArgumentHelp("The declared type of bit-fields in the NeXT form b<width>: C, i ...", valueName: "type"))
    var bitfield: String?

    /// Returns these options merged with those of later words.
    func merged(with later: LayoutOptions) -> LayoutOptions {
      var merged = self
      merged.dialect = later.dialect ?? dialect
      merged.packed += later.packed
      merged.aligned += later.aligned
      merged.bitfield = later.bitfield ?? bitfield
      return merged
    }

    /// Whether no option is given.
    var isEmpty: Bool { dialect == nil && packed.isEmpty && aligned.isEmpty && bitfield == nil }

    /// The options as members of a request.
    var members: [JSONValue.Member] {
      var members: [JSONValue.Member] = []
      if let dialect { members.append(JSONValue.Member("dialect", .string(dialect.rawValue))) }
      for (name, texts) in [("packed", packed), ("aligned", aligned)] where !texts.isEmpty {
        members.append(JSONValue.Member(name, .array(texts.map { .string($0) })))
      }
      if let bitfield { members.append(JSONValue.Member("bitfield", .string(bitfield))) }
      return members
    }

    /// Returns the layout hints that the options specify.
    func hints() throws(InvocationError) -> TypeEncoding.LayoutHints {
      try TypeEncoding.LayoutHints(packed: packed, aligned: aligned, bitField: bitfield)
    }
  }

  /// The headers that state types, as command-line options.
  struct HeaderOptions: ParsableArguments {
    @Option(
      name: .long, parsing: .singleValue,
      help: ArgumentHelp("A header with the declaration, as after #include; several are included in their order.", valueName: "header"))
    var header: [String] = []

    @Option(
      name: [.customShort("I"), .long], parsing: .singleValue,
      help: ArgumentHelp("A folder of headers. May be repeated.", valueName: "folder"))
    var include: [String] = []

    @Option(
      name: [.customShort("D"), .long], parsing: .singleValue,
      help: ArgumentHelp("A macro that is defined before the headers are read. May be repeated.", valueName: "name[=value]"))
    var define: [String] = []

    /// Returns these options merged with those of later words.
    func merged(with later: HeaderOptions) -> HeaderOptions {
      var merged = self
      merged.header += later.header
      merged.include += later.include
      merged.define += later.define
      return merged
    }

    /// The options as members of a request.
    var members: [JSONValue.Member] {
      [("header", header), ("include", include), ("define", define)].filter { !$0.1.isEmpty }
        .map { JSONValue.Member($0.0, .array($0.1.map { .string($0) })) }
    }

    /// The headers, with others after them.
    func headers(and others: [String] = []) -> DeclaredFunctions.Headers {
      DeclaredFunctions.Headers(names: header + others, include: include, define: define)
    }
  }

  /// How a function is called, as command-line options.
  struct CallOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
    var fixed: Int?

    @Flag(name: .long, help: "Print the callee's errno, too.")
    var errno = false

    @Option(name: .long, help: ArgumentHelp("End a call that takes longer; in a batch each has as long.", valueName: "seconds"))
    var timeout: Double?

    @Flag(name: .long, help: "Print what the result points to, instead of its address.")
    var follow = false

    @OptionGroup var headers: HeaderOptions

    @Option(name: .long, help: ArgumentHelp("The types of the arguments after '...', in C: 'int, double'.", valueName: "types"))
    var variadic: String?

    @OptionGroup var layout: LayoutOptions

    func validate() throws {
      if let fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
      if let timeout, !(timeout > 0 && timeout <= 1e9) { throw ValidationError("--timeout is a number of seconds, \(timeout) is none.") }
    }

    /// Returns these options merged with those of later words.
    func merged(with later: CallOptions) -> CallOptions {
      var merged = self
      merged.fixed = later.fixed ?? fixed
      merged.errno = errno || later.errno
      merged.timeout = later.timeout ?? timeout
      merged.follow = follow || later.follow
      merged.headers = headers.merged(with: later.headers)
      merged.variadic = later.variadic ?? variadic
      merged.layout = layout.merged(with: later.layout)
      return merged
    }
  }
#endif
