import Glibc

do {
  let gtk = try GTK()
  let page = try Page(["Apples", "Pears", "Plums"], gtk)
  try withExtendedLifetime(page) { try gtk.run() }
  print("closed")
} catch {
  print("gtk-example: \(error)")
  exit(1)
}
