// Names that an application uses beside Foundation: none needs the name of its module. The script adds the names of all public types.

import DynamicInvocation
import EventRouting
import Foundation

func values() throws {
  let _: (Geometry.Point, Geometry.Size, Geometry.Rect, Geometry.EdgeInsets)
  let _: MethodSelector = "tapped(_:)"
  let row = ResponderNode("row")
  try row.proxy.register("tapped") { (source: AnyObject?, frame: Geometry.Rect) in }
  row.send("tapped", arguments: [.rect(Geometry.Rect())])
  let libm = try DynamicLibrary("libSystem.dylib")
  let pow = try unsafe libm.function("pow", types: "ddd")
  let _: Double = try pow(2.0, 10.0)
}
