/// What a node of a symbol's tree stands for.
///
/// The order matters: the kinds from ``structure`` to ``error`` are types, those before are names and contexts.
package enum SymbolNodeKind: UInt8, Sendable, CaseIterable {
  // Marks that only the parser sees.
  case emptyList
  case firstElement
  case variadicMark
  case asyncMark
  case sendableMark
  case throwsMark
  /// Child: the type of the error.
  case typedThrowsMark
  /// Child: the global actor.
  case globalActorMark
  case isolatedAnyMark
  case callerIsolatedMark
  case sendingResultMark
  /// Index: the letter of the kind of differentiability.
  case differentiableMark

  // Names.
  case identifier
  /// Children: the discriminator, and the name unless the declaration has none.
  case privateName
  /// Index: the discriminator, from 0. Child: the name.
  case localName
  /// Text: the letter of the kind. Child: the name.
  case relatedName
  case infixOperator
  case prefixOperator
  case postfixOperator
  /// Children: a label or ``firstElement`` for each parameter; none if no parameter has a label.
  case labels

  // Contexts that are not types.
  case module
  /// Children: the module, the extended type, and the generic signature of a constrained extension.
  case `extension`
  /// Children: the context, the name, the labels unless there is no parameter, the type.
  case function
  case variable
  case macro
  case genericParameterDeclaration
  /// Children: the context, the labels if any, the type, a private name if any.
  case `subscript`
  case allocatingInitializer
  case initializer
  /// Index: the letter of the accessor. Text: the word for it. Child: a variable or subscript.
  case accessor
  /// Child: the context. Text: the words for it.
  case contextMember
  /// Index: the number of the argument. Child: the context.
  case defaultArgument
  /// Index: the number of the closure. Text: the words for it. Children: the context, the type.
  case closure
  case `static`
  /// Children: a function, a type list.
  case boundFunction
  /// Children: the name, the context.
  case anonymousContext

  // Types.
  case structure
  case `class`
  case enumeration
  case `protocol`
  case typeAlias
  case otherNominal
  /// Children: the nominal type, the type list.
  case boundGeneric
  /// Text: the name with `Builtin.`.
  case builtin
  /// Children: the size, the element.
  case builtinFixedArray
  /// Children: the elements.
  case tuple
  /// Children: the marks, the parameters (one type), the result.
  case functionType
  case noEscapeFunctionType
  case autoclosureType
  case escapingAutoclosureType
  case thinFunctionType
  case blockType
  case escapingBlockType
  case cFunctionType
  case uncurriedFunctionType
  case inOut
  case shared
  case owned
  case sending
  case isolated
  case noDerivative
  case compileTimeLiteral
  case constantValue
  case weak
  case unowned
  case unmanaged
  case dynamicSelf
  /// Index: the letter of the representation, or 0. Child: the instance type.
  case metatype
  case existentialMetatype
  /// Child: a type list of protocols.
  case protocolList
  /// Children: the protocol list, the superclass.
  case protocolListWithClass
  case protocolListWithAnyObject
  /// Children: the base, the requirement list.
  case constrainedExistential
  case constrainedExistentialSelf
  /// Index: the depth times 65,536 plus the number.
  case genericParameter
  /// Children: the base, the associated type's reference.
  case dependentMember
  /// Children: the base, the name.
  case associatedTypeOf
  /// Children: the generic signature, the type.
  case genericType
  /// Children: the pattern, the count.
  case packExpansion
  case pack
  /// Index: the level. Child: the pack.
  case packElement
  /// Index: the ordinal, from 0.
  case opaqueResult
  /// Index: the ordinal. Children: the opaque declaration, the argument lists.
  case opaqueType
  /// Index: the value.
  case integer
  case silBox
  case error

  // Lists and parts of types.
  case typeList
  /// Index: 1 if variadic. Text: the label. Child: the type.
  case tupleElement
  /// Child: the declaration.
  case opaqueResultOf
  /// Children: the name, and the protocol if it is stated.
  case associatedTypeReference
  /// Children: the parameter counts, then the requirements.
  case genericSignature
  /// Index: the count.
  case genericParameterCount
  case packMarker
  case valueMarker
  case conformanceRequirement
  case sameTypeRequirement
  case sameShapeRequirement
  /// Index: the bit number of the protocol. Child: the subject.
  case inverseRequirement
  /// Text: the layout. Child: the subject.
  case layoutRequirement
  case requirementList

  // Conformances.
  /// Children: the type, the protocol, the module.
  case conformance
  /// Text: the way the conformance was found. Children: its parts.
  case conformanceWitness
  case conformanceList
  case retroactiveConformance

  // What is derived from an entity or type.
  /// Text: the words before the description of the children. Index: the letters of the operator.
  case derived
  /// Text: the words before the rest of the symbol. Index: the letters of the operator.
  case attribute
  case associatedTypePath
  /// Text: the suffix, from its period.
  case unmangledSuffix
  case global
}

extension SymbolNodeKind {
  /// Whether the node is a type.
  package var isType: Bool { rawValue >= Self.structure.rawValue && rawValue <= Self.error.rawValue }

  /// Whether the node is a nominal type without generic arguments.
  package var isNominal: Bool { rawValue >= Self.structure.rawValue && rawValue <= Self.otherNominal.rawValue }

  /// Whether the node names a declaration.
  var isDeclarationName: Bool { rawValue >= Self.identifier.rawValue && rawValue <= Self.postfixOperator.rawValue }

  /// Whether the node can contain declarations.
  var isContext: Bool {
    rawValue >= Self.module.rawValue && rawValue <= Self.boundGeneric.rawValue
  }

  /// Whether the node is a requirement of a generic signature.
  var isRequirement: Bool { rawValue >= Self.packMarker.rawValue && rawValue <= Self.layoutRequirement.rawValue }

  /// Whether the node is a function type of any representation.
  package var isFunctionType: Bool {
    rawValue >= Self.functionType.rawValue && rawValue <= Self.uncurriedFunctionType.rawValue
  }

  /// Whether the node is a mark of a function type.
  var isFunctionMark: Bool { rawValue >= Self.asyncMark.rawValue && rawValue <= Self.differentiableMark.rawValue }
}
