import DynamicInvocation

/// A widget, a window or another object of GTK.
typealias GTKObject = OpaquePointer

/// The functions of GTK 4 and GLib that the example calls, each by its name and its type encoding.
///
/// GTK may be used on one thread only, the one that runs the main loop. Here it is the main thread: the class belongs
/// to the main actor, so that no other thread calls GTK.
@MainActor
final class GTK {
  let newWindow, setTitle, setTitleBar, setDefaultSize, setChild, present, close: ForeignFunction
  let newHeaderBar, newBox, append, newList, setSelectionMode, appendRow: ForeignFunction
  let newLabel, setText, newButton, setProperties: ForeignFunction
  private let width, bounds, surfaceTransform, addTickCallback: ForeignFunction
  private let connectSignal, addUnixSignal, newLoop, runLoop, quitLoop: ForeignFunction

  /// GTK has threads that run until the process ends, so the library must never be unloaded.
  private static var library: DynamicLibrary?

  private let loop: OpaquePointer
  /// GTK keeps the pointers of these closures, so the closures must live as long as its main loop runs.
  private var closures: [Closure] = []

  /// Loads and initializes GTK.
  ///
  /// - Throws: `InvocationError` when the library or a function is missing, ``NoDisplay`` without a display.
  init() throws {
    // Symbols of the libraries that it needs, such as GLib and GObject, are found too.
    let library = try DynamicLibrary("libgtk-4.so.1")
    Self.library = library
    newWindow = try library.function("gtk_window_new", types: "^{GtkWidget=}")
    setTitle = try library.function("gtk_window_set_title", types: "v^{GtkWindow=}*")
    setTitleBar = try library.function("gtk_window_set_titlebar", types: "v^{GtkWindow=}^{GtkWidget=}")
    setDefaultSize = try library.function("gtk_window_set_default_size", types: "v^{GtkWindow=}ii")
    setChild = try library.function("gtk_window_set_child", types: "v^{GtkWindow=}^{GtkWidget=}")
    present = try library.function("gtk_window_present", types: "v^{GtkWindow=}")
    close = try library.function("gtk_window_close", types: "v^{GtkWindow=}")
    newHeaderBar = try library.function("gtk_header_bar_new", types: "^{GtkWidget=}")
    newBox = try library.function("gtk_box_new", types: "^{GtkWidget=}ii")
    append = try library.function("gtk_box_append", types: "v^{GtkBox=}^{GtkWidget=}")
    newList = try library.function("gtk_list_box_new", types: "^{GtkWidget=}")
    setSelectionMode = try library.function("gtk_list_box_set_selection_mode", types: "v^{GtkListBox=}i")
    appendRow = try library.function("gtk_list_box_append", types: "v^{GtkListBox=}^{GtkWidget=}")
    newLabel = try library.function("gtk_label_new", types: "^{GtkWidget=}*")
    setText = try library.function("gtk_label_set_text", types: "v^{GtkLabel=}*")
    newButton = try library.function("gtk_button_new_with_label", types: "^{GtkWidget=}*")
    setProperties = try library.function("g_object_set", types: "v^v*i*i*i*i^v", fixedArgumentCount: 2)
    width = try library.function("gtk_widget_get_width", types: "i^{GtkWidget=}")
    bounds = try library.function(
      "gtk_widget_compute_bounds",
      types: "i^{GtkWidget=}^{GtkWidget=}^{graphene_rect_t={graphene_point_t=ff}{graphene_size_t=ff}}")
    surfaceTransform = try library.function("gtk_native_get_surface_transform", types: "v^{GtkNative=}^d^d")
    addTickCallback = try library.function("gtk_widget_add_tick_callback", types: "I^{GtkWidget=}^?^v^?")
    connectSignal = try library.function("g_signal_connect_data", types: "Q^v*^?^v^?i")
    addUnixSignal = try library.function("g_unix_signal_add", types: "Ii^?^v")
    newLoop = try library.function("g_main_loop_new", types: "^{GMainLoop=}^{GMainContext=}i")
    runLoop = try library.function("g_main_loop_run", types: "v^{GMainLoop=}")
    quitLoop = try library.function("g_main_loop_quit", types: "v^{GMainLoop=}")

    let initialize = try library.function("gtk_init_check", types: "i")
    guard try initialize(as: Int32.self) != 0 else { throw NoDisplay() }
    loop = try newLoop(nil, 0)
  }

  /// Runs the main loop until ``quit()`` is called.
  func run() throws { try runLoop(loop) }

  /// Ends the main loop.
  func quit() throws { try quitLoop(loop) }

  /// Calls an action for each signal of an object whose handler is `void (*)(object, data)`, such as "clicked".
  func connect(_ object: GTKObject, _ signal: String, _ action: @escaping @MainActor () throws -> Void) throws {
    let callback = try Closure(types: "v^v^v") { (_: OpaquePointer?, _: OpaquePointer?) in
      MainActor.assumeIsolated { checked(action) }
    }
    closures.append(callback)
    try connectSignal(object, signal, callback.pointer, OpaquePointer?.none, OpaquePointer?.none, 0)
  }

  /// Calls an action in the main loop when the process gets a signal of the system.
  func onUnixSignal(_ number: Int32, _ action: @escaping @MainActor () throws -> Void) throws {
    let callback = try Closure(types: "i^v") { (_: OpaquePointer?) -> Int32 in
      MainActor.assumeIsolated { checked(action) }
      return 1  // G_SOURCE_CONTINUE
    }
    closures.append(callback)
    try addUnixSignal(number, callback.pointer, nil)
  }

  /// Calls an action before each frame that a widget draws, until it returns false.
  func onFrame(of widget: GTKObject, _ action: @escaping @MainActor () throws -> Bool) throws {
    let callback = try Closure(types: "i^{GtkWidget=}^{GdkFrameClock=}^v") {
      (_: OpaquePointer?, _: OpaquePointer?, _: OpaquePointer?) -> Int32 in
      MainActor.assumeIsolated { checked(action) } ? 1 : 0  // G_SOURCE_CONTINUE, G_SOURCE_REMOVE
    }
    closures.append(callback)
    try addTickCallback(widget, callback.pointer, nil, nil)
  }

  /// The center of a widget, in pixels from the corner of its window; nil before GTK has laid the window out.
  func center(of widget: GTKObject, in window: GTKObject) throws -> (x: Int, y: Int)? {
    var rectangle = Rectangle()
    guard try width(widget, as: Int32.self) > 0, try bounds(widget, window, &rectangle, as: Int32.self) != 0 else {
      return nil
    }
    var (left, top) = (0.0, 0.0)
    try surfaceTransform(window, &left, &top)
    return (Int(left) + Int(rectangle.x + rectangle.width / 2), Int(top) + Int(rectangle.y + rectangle.height / 2))
  }

  /// The `graphene_rect_t` of C.
  private struct Rectangle {
    var (x, y, width, height): (Float, Float, Float, Float) = (0, 0, 0, 0)
  }
}

/// GTK cannot connect to a display.
struct NoDisplay: Error, CustomStringConvertible {
  var description: String { "there is no display that GTK can connect to" }
}

/// Runs an action for C, which cannot be given an error.
@MainActor
private func checked<Result>(_ action: @MainActor () throws -> Result) -> Result {
  do { return try action() } catch { fatalError("\(error)") }
}
