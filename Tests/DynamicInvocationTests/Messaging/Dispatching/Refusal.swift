/// An error that tells who threw it.
struct Refusal: Error, Equatable {
  let number: Int
}
