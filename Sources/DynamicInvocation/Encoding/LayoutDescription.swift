/// Describes a type as the scalars it is made of and their offsets, without names and nesting.
///
/// Two types with the same description are passed alike by every C calling convention, which classify by scalars and offsets.
struct LayoutDescription {
  /// Equal scalars one after the other.
  private struct Run {
    var leaf: String
    var offset: Int
    var size: Int
    var count: Int
  }

  /// Past this many runs an array is described by its element, to keep the description short.
  private static let longestExpansion = 64

  let text: String

  init(of node: TypeEncoding.Node) {
    let layout = node.layout ?? TypeEncoding.Layout(size: 0, alignment: 1)
    text = Self.text(Self.runs(of: node, at: 0)) + "#\(layout.size)/\(layout.alignment)"
  }

  private static func text(_ runs: [Run]) -> String {
    runs.map { $0.count == 1 ? "\($0.leaf)@\($0.offset)" : "\($0.leaf)@\($0.offset)x\($0.count)" }.joined(separator: ",")
  }

  private static func runs(of node: TypeEncoding.Node, at offset: Int) -> [Run] {
    let size = node.layout?.size ?? 0
    switch node.kind {
    case .void, .unknown, .bitField: return []
    case .scalar(let scalar): return [Run(leaf: scalar.cName, offset: offset, size: size, count: 1)]
    case .complex(let part): return [Run(leaf: "complex " + part.cName, offset: offset, size: size, count: 1)]
    case .vector(let element, let count, _, _):
      return [Run(leaf: "vector \(count) \(element.cName)", offset: offset, size: size, count: 1)]
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer:
      return [Run(leaf: "pointer", offset: offset, size: 8, count: 1)]
    case .array(let count, let element):
      return repeated(element.node, count: count, at: offset)
    case .structure(let record):
      var runs: [Run] = []
      for field in record.fields ?? [] { append(Self.runs(of: field, in: offset), to: &runs) }
      return runs
    case .union(let record):
      let members = (record.fields ?? []).map { "(" + text(Self.runs(of: $0, in: 0)) + ")" }
      return [Run(leaf: "union" + members.joined(), offset: offset, size: size, count: 1)]
    }
  }

  private static func runs(of field: TypeEncoding.Field, in offset: Int) -> [Run] {
    guard case .bitField(let bitField) = field.type.kind else { return runs(of: field.type.node, at: offset + field.offset) }
    // Its place in bits goes into the leaf, since it may share its byte with a neighbour.
    let start = (field.bits?.lowerBound ?? 0) + 8 * offset
    return [Run(leaf: "\(bitField.container.cName) bits \(start):\(bitField.width)", offset: offset + field.offset, size: 0, count: 1)]
  }

  private static func repeated(_ element: TypeEncoding.Node, count: Int, at offset: Int) -> [Run] {
    guard count > 0, let size = element.layout?.size else { return [] }
    let first = runs(of: element, at: offset)
    if first.count == 1, let run = first.first, run.offset == offset, run.size * run.count == size, size > 0 {
      return [Run(leaf: run.leaf, offset: offset, size: run.size, count: run.count * count)]
    }
    guard first.count * count <= longestExpansion else {
      return [Run(leaf: "array \(count) of (\(text(runs(of: element, at: 0))))", offset: offset, size: size, count: count)]
    }
    var runs = first
    for index in 1..<count { append(Self.runs(of: element, at: offset + index * size), to: &runs) }
    return runs
  }

  /// Appends runs, joining the first of them to the last one there when it goes on with the same scalar.
  private static func append(_ more: [Run], to runs: inout [Run]) {
    for run in more {
      if let last = runs.last, last.leaf == run.leaf, last.size > 0, last.size == run.size,
        last.offset + last.size * last.count == run.offset
      {
        runs[runs.count - 1].count += run.count
      } else {
        runs.append(run)
      }
    }
  }
}
