"""Writes which structs and enums of the toolchain's modules are frozen, and which are not.

    toolchain-types.py OLD NEW      asks swift-api-digester, adds what OLD states, and writes NEW

OLD keeps the types of other toolchains: a type neither becomes frozen later nor ceases to be.
"""
import json, pathlib, re, subprocess, sys, tempfile, textwrap

MODULES = "Swift _Concurrency Synchronization Observation Distributed RegexBuilder Runtime Testing _Differentiation _StringProcessing".split()


def interface(module, triple):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = ["swift-api-digester", "-dump-sdk", "-abi", "-module", module, "-target", triple, "-sdk", "/", "-o", file.name]
        try:
            subprocess.run(words, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return {"kind": "Root"}  # the toolchain lacks the tool or the module
        return json.load(open(file.name))["ABIRoot"]


def visit(node, path, found):
    if node["kind"] == "TypeDecl":
        path = path + [node["name"]]
        if node["declKind"] in ("Struct", "Enum") and not node.get("isExternal"):
            found["Frozen" in node.get("declAttributes", [])].add(".".join(path))
    for child in node.get("children", []):
        visit(child, path, found)


def main(old, new):
    types = {}
    for name, table in re.findall(r"static let (\w+): (.*?)\n  \]\n", pathlib.Path(old).read_text(), re.S):
        for module, names in re.findall(r'"(\w+)": names\(\s*"""(.*?)"""', table, re.S):
            types.setdefault(module, {True: set(), False: set()})[name == "frozen"].update(names.split())
    triple = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True).stdout)["target"]["triple"]
    for module in MODULES:
        # Mangled names give the types of `_Concurrency` the module `Swift`.
        found = types.setdefault("Swift" if module == "_Concurrency" else module, {True: set(), False: set()})
        visit(interface(module, triple), [], found)
    out = ["// Written by make generate (Scripts/toolchain-types.py) from the interfaces of the toolchain's modules.\n\nextension SwiftToolchain {"]
    for isFrozen, name, text in ((True, "frozen", "frozen"), (False, "resilient", "not frozen")):
        out.append(f"  /// The structs and enums that are {text}.\n  static let {name}: [String: Set<String>] = [")
        for module in sorted(types):
            lines = textwrap.wrap(" ".join(sorted(types[module][isFrozen])), 126)
            if lines:
                out.append(f'    "{module}": names(\n      """\n      ' + "\n      ".join(lines) + '\n      """),')
        out.append("  ]\n")
    pathlib.Path(new).write_text("\n".join(out).rstrip() + "\n}\n")


main(*sys.argv[1:])
