import Weather

@main struct Forecast {
  static func main() async throws {
    let station = Station(name: "Rigi", folder: "/nowhere")
    print(station.greeting())
    print(try await station.report())
  }
}
