import Foundation

/// The clock of the system.
enum Clock {
  static func hour() -> Int { Calendar.current.component(.hour, from: Date()) }
}

/// The files of a station.
enum Files {
  static func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  static func write(_ text: String, to path: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
}

/// A client of a server in the network.
public final class Client: Sendable {
  /// The name of the server.
  public let host: String

  /// Creates a client of a server.
  public init(host: String) { self.host = host }

  /// Asks the server for the temperature of a place.
  public func temperature(of place: String) async throws -> Double {
    guard let url = URL(string: "https://\(host)/\(place)") else { throw WeatherError.noAnswer(place) }
    let text = try await Task.detached { try String(contentsOf: url, encoding: .utf8) }.value
    guard let number = Double(text) else { throw WeatherError.noAnswer(place) }
    return number
  }
}

/// What went wrong at the server.
public enum WeatherError: Error, Equatable {
  /// It has no temperature of a place.
  case noAnswer(String)
}

/// A station, which uses the clock, the files and the network as they are: no protocol is there for tests.
public struct Station: Sendable {
  /// The name, which its place has too.
  public let name: String
  private let folder: String
  private let client = Client(host: "weather.example")

  /// Creates a station with a folder for its files.
  public init(name: String, folder: String) {
    self.name = name
    self.folder = folder
  }

  /// What the station says to its visitors.
  public func greeting() -> String { Clock.hour() < 12 ? "Good morning, \(name)" : "Good day, \(name)" }

  /// Asks the server, or else reads what it answered last.
  public func report() async throws -> String {
    let path = "\(folder)/\(name)"
    do {
      let text = "\(try await client.temperature(of: name)) degrees"
      try Files.write(text, to: path)
      return text
    } catch let error as WeatherError {
      guard let last = try? Files.read(path) else { throw error }
      return last + " (old)"
    }
  }
}
