extension BenchmarkReport: Codable {
  private enum CodingKeys: String, CodingKey { case results, wrong }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    results = try values.decode([BenchmarkRow].self, forKey: .results)
    wrong = try values.decodeIfPresent([String].self, forKey: .wrong) ?? []
  }

  /// Encodes the report, with `wrong` only if it is not empty.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(results, forKey: .results)
    if !wrong.isEmpty { try values.encode(wrong, forKey: .wrong) }
  }
}
