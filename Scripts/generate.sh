#!/usr/bin/env bash
# Writes the Swift sources that no one should write by hand.
#
#   Scripts/generate.sh [FOLDER]
#
# Into Sources/DynamicInvocation/Generated, or another folder. With --check it writes nothing, and fails when the sources there are others.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

generated=Sources/DynamicInvocation/Generated
check=no
if [ "${1:-}" = --check ]; then check=yes; shift; fi
folder=${1:-$generated}
if [ $check = yes ]; then folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; fi

# An overload of callAsFunction for each choice of the arguments that are written as &variable, of one to five arguments.
places() {
  awk 'BEGIN {
    split("one two three four five", numbers, " ")
    print "// Written by make generate; see Scripts/generate.sh."
    print "//"
    print "// Swift takes `&variable` for a parameter only that is a pointer, and `nil` only for one of a type that is known. So there is an overload for each"
    print "// choice of the arguments that are pointers to variables; the others are whatever can be an argument. They leave nothing in a program that does"
    print "// not call them."
    print ""
    print "extension ForeignFunction {"
    for (count = 1; count <= 5; count++) {
      for (choice = 1; choice < 2 ^ count; choice++) {
        generics = ""; parameters = ""; writes = ""
        for (index_ = 0; index_ < count; index_++) {
          letter = substr("ABCDEF", index_ + 1, 1)
          name = tolower(letter)
          comma = index_ ? ", " : ""
          # The first argument is the highest bit, so that the places move from the end to the front.
          if (int(choice / 2 ^ (count - 1 - index_)) % 2) {
            generics = generics (generics == "" ? "" : ", ") letter ": BitwiseCopyable"
            parameters = parameters comma "_ " name ": UnsafeMutablePointer<" letter ">"
            writes = writes (writes == "" ? "" : "; ") "unsafe $0.write(place: " name ")"
          } else {
            parameters = parameters comma "_ " name ": (any CallArgument)?"
            writes = writes (writes == "" ? "" : "; ") "$0.writeAny(" name ")"
          }
        }
        for (drops = 0; drops < 2; drops++) {
          print "  /// Calls the function with " numbers[count] " argument" (count > 1 ? "s" : "") (drops ? " and drops its result" : "") "; see the form with any number."
          print "  @_alwaysEmitIntoClient @_disfavoredOverload @_documentation(visibility: internal)"
          all = generics
          if (!drops) all = all (all == "" ? "" : ", ") "Result: EncodedValue"
          print "  public func callAsFunction" (all == "" ? "" : "<" all ">") "("
          print "    " parameters (drops ? "" : ", as type: Result.Type = Result.self")
          print "  ) throws(InvocationError)" (drops ? "" : " -> Result") " {"
          print "    try callWithPlaces(" count (drops ? "" : ", returning: type") ") { " writes " }"
          print "  }"
          if (!(drops && count == 5 && choice == 2 ^ count - 1)) print ""
        }
      }
    }
    print "}"
  }'
}

# An overload of withClosure for each number of parameters up to ten.
lent_closures() {
  awk 'BEGIN {
    split("no one two three four five six seven eight nine ten", numbers, " ")
    print "// Written by make generate; see Scripts/generate.sh."
    print ""
    for (count = 0; count <= 10; count++) {
      generics = ""; types = ""; metatypes = ""; values = ""
      for (index_ = 0; index_ < count; index_++) {
        letter = substr("ABCDEFGHIJ", index_ + 1, 1)
        comma = index_ ? ", " : ""
        generics = generics letter ": EncodedValue, "
        types = types comma letter
        metatypes = metatypes comma letter ".self"
        values = values comma "$" index_
      }
      for (isVoid = 0; isVoid < 2; isVoid++) {
        isShown = count == 2 && !isVoid
        if (isShown) {
          while ((getline line < "Scripts/withClosure.txt") > 0) print "///" (line == "" ? "" : " " line)
        } else {
          print "/// Lends C a Swift closure of " numbers[count + 1] " parameter" (count == 1 ? "" : "s") (isVoid ? " without a result" : "") "; see the form with two."
        }
        print "@_alwaysEmitIntoClient" (isShown ? "" : " @_documentation(visibility: internal)")
        print "public func withClosure<" generics (isVoid ? "" : "Answer: EncodedValue, ") "Result>("
        print "  types: String, _ handler: (" types ") -> " (isVoid ? "Void" : "Answer") ", _ body: (UnsafeRawPointer) throws -> Result"
        print ") throws -> Result {"
        print "  try unsafe LentClosure.lend(types, [" metatypes "], returning: " (isVoid ? "nil" : "Answer.self") ","
        if (count == 0) {
          print "    { frame, closure in " (isVoid ? "handler()" : "closure.answer(handler(), to: frame)") " }, body)"
        } else {
          print "    { frame, closure in"
          print "      closure.run(frame, from: 0, mayThrow: false) { " (isVoid ? "handler(" values ")" : "closure.answer(handler(" values "), to: frame)") " }"
          print "    }, body)"
        }
        print "}"
        if (!(isVoid && count == 10)) print ""
      }
    }
  }'
}

mkdir -p "$folder"
places >"$folder/ForeignFunction+Places.swift"
lent_closures >"$folder/LentClosure+Arity.swift"
"${SWIFT:-swift}" format --in-place --configuration .swift-format "$folder"/*.swift
if [ $check = yes ]; then
  diff -rq "$folder" "$generated" >&2 || { echo "$generated is not what make generate writes" >&2; exit 1; }
  echo "generate: $generated is up to date"
fi
