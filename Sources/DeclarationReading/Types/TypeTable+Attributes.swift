import TypeEncodings

/// The attributes that change a type or a call.
struct Attributes {
  /// How long a vector is.
  enum VectorLength {
    case bytes(Int)
    case elements(Int)
  }

  var isPacked = false
  /// The alignment that is stated, or 0.
  var alignment = 0
  var vector: VectorLength?
  /// The machine mode of an arithmetic type, such as `DI`.
  var mode: String?
  var isTransparent = false
  /// Whether clang gives functions of several types the name.
  var isOverloadable = false
  /// Whether what has the type is in another address space.
  var isInOtherMemory = false
  /// The reason for which a function is not called as its types state: an attribute of another convention.
  ///
  /// The compilers ignore it where there is no function.
  var convention: String?
  /// The reason for which a declaration cannot be used: an attribute that is neither honoured nor harmless.
  var refusal: String?

  /// Whether an attribute changes a type, and is honoured.
  var changesType: Bool { isPacked || alignment > 0 || vector != nil || mode != nil || isTransparent }

  /// Adds other attributes.
  mutating func formUnion(_ other: Attributes) {
    isPacked = isPacked || other.isPacked
    alignment = max(alignment, other.alignment)
    vector = other.vector ?? vector
    mode = other.mode ?? mode
    isTransparent = isTransparent || other.isTransparent
    isOverloadable = isOverloadable || other.isOverloadable
    isInOtherMemory = isInOtherMemory || other.isInOtherMemory
    convention = convention ?? other.convention
    refusal = refusal ?? other.refusal
  }
}

extension TypeTable {
  /// Returns the type that attributes make of another.
  func apply(_ attributes: Attributes, to type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    var type = type
    if let mode = attributes.mode { type = try self.type(ofMode: mode, of: type, at: token) }
    if let length = attributes.vector { type = try vector(of: length, type, at: token) }
    if let reason = attributes.convention { type = withoutCalls(type, reason) ?? type }
    if attributes.isInOtherMemory { type.flags.insert(.otherMemory) }
    guard let reason = attributes.refusal else { return type }
    if case .function = node(type) { return withoutCalls(type, reason) ?? type }
    return unsupported(reason, size: nil)
  }

  /// Returns a type whose function cannot be called, if it is a function or leads to one by pointers and arrays.
  func withoutCalls(_ type: QualifiedType, _ reason: String, depth: Int = 0) -> QualifiedType? {
    guard depth < TokenReader.deepest else { return unsupported(reason, size: nil) }
    let id: TypeID
    switch node(type) {
    case .function(let index):
      var function = functions[Int(index)]
      function.refusal = function.refusal ?? reason
      functions.append(function)
      id = add(.function(Int32(functions.count - 1)))
    case .pointer(let target):
      guard let inner = withoutCalls(target, reason, depth: depth + 1) else { return nil }
      id = add(.pointer(inner))
    case .block(let target):
      guard let inner = withoutCalls(target, reason, depth: depth + 1) else { return nil }
      id = add(.block(inner))
    case .array(let element, let count):
      guard let inner = withoutCalls(element, reason, depth: depth + 1) else { return nil }
      id = add(.array(inner, count: count))
    default: return nil
    }
    return QualifiedType(id: id, flags: type.flags, alignment: type.alignment)
  }

  /// The sizes of the modes of integers.
  private static let integerModes = [
    "QI": 1, "byte": 1, "HI": 2, "SI": 4, "DI": 8, "word": 8, "pointer": 8, "unwind_word": 8, "libgcc_cmp_return": 8,
    "libgcc_shift_count": 8, "TI": 16,
  ]

  /// The type of a machine mode.
  ///
  /// Source: GCC Internals, section 14.6.
  private func type(ofMode mode: String, of type: QualifiedType, at token: Token) throws(SyntaxFailure) -> QualifiedType {
    let isSigned: Bool
    switch node(type) {
    case .basic(let basic): isSigned = basic.isSigned(target)
    case .enumeration(let index): isSigned = enumerations[Int(index)].underlying?.isSigned(target) ?? true
    case .complex: isSigned = true
    case .pointer: return type
    default: return unsupported("the mode \(mode) of this type", size: nil)
    }
    let floating: [String: Basic] = ["SF": .float, "DF": .double, "XF": .longDouble, "TF": .longDouble]
    let isComplex = ["SC", "DC", "XC", "TC"].contains(mode)
    var result: QualifiedType
    if let size = Self.integerModes[mode] {
      result = QualifiedType(.integer(size: size, isSigned: isSigned))
    } else if mode == "HF" {
      result = QualifiedType(.float16)
    } else if let basic = floating[isComplex ? mode.dropLast() + "F" : mode] {
      if basic.isLongDouble, target.longDouble != (mode.hasPrefix("X") ? .extended : .quad) {
        let reason = mode.hasPrefix("X") ? "the mode \(mode) of x87" : "__float128 has no type encoding"
        result = unsupported(reason, size: isComplex ? 32 : 16)
      } else {
        result = isComplex ? QualifiedType(id: add(.complex(basic))) : QualifiedType(basic)
      }
    } else {
      throw SyntaxFailure("the machine mode \(mode) is not known", at: token)
    }
    result.flags = type.flags
    return result
  }

  private func vector(
    of length: Attributes.VectorLength, _ type: QualifiedType, at token: Token
  ) throws(SyntaxFailure) -> QualifiedType {
    let element: Basic
    switch node(type) {
    case .basic(let basic) where basic != .void && basic != .bool && !basic.isLongDouble: element = basic
    case .enumeration(let index): element = underlying(index)
    // An attribute before `*` or `(` applies to the type that is pointed to or returned.
    case .pointer(let target):
      let inner = try vector(of: length, target, at: token)
      return QualifiedType(id: add(.pointer(inner)), flags: type.flags)
    case .function(let index):
      var function = functions[Int(index)]
      function.result = try vector(of: length, function.result, at: token)
      functions.append(function)
      return QualifiedType(id: add(.function(Int32(functions.count - 1))), flags: type.flags)
    case .array(let inner, let count):
      return QualifiedType(id: add(.array(try vector(of: length, inner, at: token), count: count)), flags: type.flags)
    case .unsupported(let reason, _): return unsupported("a vector whose elements have no encoding: \(reason)", size: nil)
    case .basic(.bool): return unsupported("a vector of bits has no type encoding", size: nil)
    default: throw SyntaxFailure("a vector has arithmetic elements", at: token)
    }
    let size: Int
    switch length {
    case .bytes(let bytes): size = bytes
    case .elements(let count):
      size = count * element.size(target)
      // clang passes it as a vector of more elements than it stores.
      guard size & (size - 1) == 0 else { return unsupported("a vector of \(count) elements has no type encoding", size: nil) }
    }
    guard size % element.size(target) == 0 else { throw SyntaxFailure("a vector of \(element.name) cannot have \(size) bytes", at: token) }
    return QualifiedType(id: add(.vector(element, size: size)), flags: type.flags.subtracting(.typedefName))
  }
}

/// What the attributes of gcc and clang change.
///
/// The names are those that `__has_attribute` of gcc and clang knows for x86-64 and AArch64, and those that their
/// documentation lists for newer versions. A test compiles each harmless one with both compilers.
enum AttributeEffects {
  /// The attributes that change neither how values are passed nor their types and layouts on 64-bit Linux.
  ///
  /// The conventions among them are the usual one by its name, and conventions of other platforms, which both compilers ignore.
  static let harmless: Set<Substring> = Set(
    """
    __const abi_tag access acquire_capability acquire_handle acquire_shared_capability acquired_after acquired_before alias
    align_value alloc_align alloc_size allocate allocating allocator always_destroy always_inline analyzer_noreturn annotate
    annotate_type argument_with_type_tag artificial assert_capability assert_exclusive_lock assert_shared_capability
    assert_shared_lock assume assume_aligned availability availability_domain available_only_in_default_eval_method blocking bounded
    btf_decl_tag btf_type_tag callable_when callback called_once callee_pop_aggregate_return capability carries_dependency cdecl
    cf_audited_transfer cf_check cf_consumed cf_returns_not_retained cf_returns_retained cf_unknown_transfer
    cfi_canonical_jump_table cfi_unchecked_callee clang_builtin_alias __clang_arm_builtin_alias cleanup code_seg cold common const
    constructor consumable consumable_auto_cast_state consumable_set_state_on_read convergent coro_await_elidable
    coro_await_elidable_argument coro_disable_lifetimebound coro_lifetimebound coro_only_destroy_when_complete coro_return_type
    coro_wrapper counted_by counted_by_or_null cpu_dispatch cpu_specific decay_discards_count_in_parameters deprecated
    designated_init destructor diagnose_as_builtin diagnose_if disable_sanitizer_instrumentation disable_tail_calls dllexport
    dllimport ended_by enforce_read_only_placement enforce_tcb enforce_tcb_leaf enum_extensibility error
    exclude_from_explicit_instantiation exclusive_lock_function exclusive_locks_required exclusive_trylock_function expected_throw
    external_source_symbol externally_visible fallthrough fastcall fd_arg fd_arg_read fd_arg_write fentry_name fentry_section
    flag_enum flatten force_align_arg_pointer format format_arg format_matches function_return gcc_struct gnu_inline guard
    guarded_by guarded_var hot ibaction iboutlet iboutletcollection ifunc indirect_branch indirect_return init_priority
    internal_linkage leaf lifetime_capture_by lifetimebound loader_uninitialized lock_returned locks_excluded lto_visibility_public
    m68k_rtd malloc may_alias maybe_undef maybe_unused mig_server_routine min_vector_width minsize model ms_hook_prologue musttail
    naked no_address_safety_analysis no_builtin no_destroy no_icf no_instrument_function no_profile_instrument_function
    no_randomize_layout no_reorder no_sanitize no_sanitize_address no_sanitize_coverage no_sanitize_memory no_sanitize_thread
    no_sanitize_undefined no_specializations no_speculative_load_hardening no_split_stack no_stack_limit no_stack_protector
    no_thread_safety_analysis noalias nocf_check noclone nocommon noconvergent nodebug noderef nodirect_extern_access nodiscard
    noduplicate noescape noinit noinline noipa nomerge nonallocating nonblocking nonnull nonnull_if_nonzero nonstring noplt
    noreturn _Noreturn not_tail_called nothrow nouwtable novtable ns_consumed ns_consumes_self ns_error_domain
    ns_returns_autoreleased ns_returns_not_retained ns_returns_retained NSObject null_terminated_string_arg
    objc_arc_weak_reference_unavailable objc_boxable objc_bridge objc_bridge_mutable objc_bridge_related objc_class_stub
    objc_complete_definition objc_designated_initializer objc_direct objc_direct_members objc_exception objc_externally_retained
    objc_gc objc_independent_class objc_method_family objc_non_runtime_protocol objc_nonlazy_class objc_nullability objc_ownership
    objc_precise_lifetime objc_protocol_requires_explicit_implementation objc_requires_property_definitions objc_requires_super
    objc_returns_inner_pointer objc_root_class objc_runtime_name objc_runtime_visible objc_subclassing_restricted optimize optnone
    os_consumed os_consumes_this os_returns_not_retained os_returns_retained os_returns_retained_on_non_zero
    os_returns_retained_on_zero ownership_holds ownership_returns ownership_takes param_typestate pascal patchable_function_entry
    persistent pointer_with_type_tag preferred_name preferred_type pt_guarded_by pt_guarded_var pure reentrant_capability regparm
    reinitializes release_capability release_generic_capability release_handle release_shared_capability reproducible
    require_constant_initialization require_explicit_initialization requires_capability requires_shared_capability restrict retain
    return_typestate returns_nonnull returns_twice safebuffers scoped_lockable section selectany sentinel set_typestate
    shared_capability shared_lock_function shared_locks_required shared_trylock_function simd single sized_by sized_by_or_null
    speculative_load_hardening sseregparm stack_protect standalone_debug stdcall suppress swift_async swift_async_error
    swift_async_name swift_attr swift_bridge swift_bridged_typedef swift_error swift_name swift_newtype swift_objc_members
    swift_private swift_wrapper symver sysv_abi tainted_args target target_clones target_version terminated_by test_typestate
    thiscall thread tls_model transaction_callable transaction_may_cancel_outer transaction_pure transaction_safe
    transaction_safe_dynamic transaction_unsafe transaction_wrap transparent_stepping trivial_abi try_acquire_capability
    try_acquire_shared_capability type_tag_for_datatype type_visibility unavailable uninitialized unlock_function
    unsafe_buffer_usage unsafe_indexable unsafe_late_const unsequenced unused use_handle used using_if_exists uuid visibility
    warn_if_not_aligned warn_unused warn_unused_result warning weak weak_import weakref xray_always_instrument xray_log_args
    xray_never_instrument zero_call_used_regs
    """
    .split { $0 == " " || $0 == "\n" })

  /// The attributes of a function, or of a pointer to one, that give it another convention.
  static let conventions: Set<Substring> = [
    "aarch64_sve_pcs", "aarch64_vector_pcs", "amdgpu_kernel", "cmse_nonsecure_call", "cmse_nonsecure_entry", "device_kernel",
    "intel_ocl_bicc", "interrupt", "kernel", "ms_abi", "no_caller_saved_registers", "no_callee_saved_registers", "nvptx_kernel", "pcs",
    "preserve_all", "preserve_most", "preserve_none", "regcall", "riscv_vector_cc", "riscv_vls_cc", "strub", "swiftasynccall",
    "swiftcall", "vectorcall",
  ]

  /// What other attributes change that are not honoured here.
  private static let changes: [Substring: String] = [
    "arm_sve_vector_bits": "the type", "bidi_indexable": "the size of a pointer", "enable_if": "the symbol of a function",
    "hardbool": "the representation of a value", "indexable": "the size of a pointer", "matrix_type": "the type",
    "ms_struct": "the layout", "pass_dynamic_object_size": "the number of arguments", "pass_object_size": "the number of arguments",
    "property": "the layout", "randomize_layout": "the layout", "riscv_rvv_vector_bits": "the type", "scalar_storage_order": "the layout",
    "swift_async_context": "the register of an argument", "swift_context": "the register of an argument",
    "swift_error_result": "the register of an argument", "swift_indirect_result": "the register of an argument",
  ]

  /// The reason for which a declaration with an attribute cannot be used, if it is neither harmless nor honoured.
  static func refusal(_ name: String) -> String {
    if conventions.contains(name[...]) { return "the attribute \(name) changes the calling convention" }
    if let change = changes[name[...]] { return "the attribute \(name) changes \(change)" }
    return "the attribute \(name) is not known, and may change how values are passed"
  }
}
