/// Notices that a walk goes in a circle, without memory for the nodes it has seen.
///
/// R. Brent: An improved Monte Carlo factorization algorithm (1980), section 2.
struct CycleWatch<Tree: Topology> {
  private var landmark: Tree.Node?
  private var steps: Int = 0
  private var power: Int = 1

  /// Takes the next node of the walk, and returns whether the walk has come back to it.
  mutating func meets(_ node: Tree.Node) -> Bool {
    if let landmark, Tree.isSame(landmark, node) { return true }
    steps += 1
    if steps == power {
      landmark = node
      power *= 2
      steps = 0
    }
    return false
  }
}
