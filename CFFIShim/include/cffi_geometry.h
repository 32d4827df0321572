#ifndef CFFI_GEOMETRY_H
#define CFFI_GEOMETRY_H

#include <stdint.h>

// Declared in C so that Swift functions with C's calling convention can take and return them.

/// The names of the geometry structs: `Geometry.Point`, `Geometry.Rect` and others.
///
/// A namespace, since MacTypes.h, which Foundation re-exports on Apple's platforms, has the names `Point`, `Size` and
/// `Rect`, and SwiftUI has `EdgeInsets`.
typedef struct __attribute__((swift_name("Geometry"))) cffi_geometry {
  char unused;
} cffi_geometry;

/// A position in a two-dimensional coordinate system.
typedef struct __attribute__((swift_name("cffi_geometry.Point"))) cffi_point {
  double x;
  double y;
} cffi_point;

/// A width and a height.
typedef struct __attribute__((swift_name("cffi_geometry.Size"))) cffi_size {
  double width;
  double height;
} cffi_size;

/// An origin and a size.
typedef struct __attribute__((swift_name("cffi_geometry.Rect"))) cffi_rect {
  cffi_point origin;
  cffi_size size;
} cffi_rect;

/// A direction and a length in a two-dimensional coordinate system.
typedef struct __attribute__((swift_name("cffi_geometry.Vector"))) cffi_vector {
  double dx;
  double dy;
} cffi_vector;

/// A run of elements: the index of the first, and their number.
typedef struct __attribute__((swift_name("cffi_geometry.IndexRange"))) cffi_range {
  uint64_t location;
  uint64_t length;
} cffi_range;

/// Distances from the four edges of a rectangle, inwards.
typedef struct __attribute__((swift_name("cffi_geometry.EdgeInsets"))) cffi_edge_insets {
  double top;
  double left;
  double bottom;
  double right;
} cffi_edge_insets;

/// A horizontal and a vertical distance.
typedef struct __attribute__((swift_name("cffi_geometry.Offset"))) cffi_offset {
  double horizontal;
  double vertical;
} cffi_offset;

/// An affine transform of the plane: the matrix rows (a, b), (c, d) and the translation (tx, ty).
typedef struct __attribute__((swift_name("cffi_geometry.Transform2D"))) cffi_transform_2d {
  double a;
  double b;
  double c;
  double d;
  double tx;
  double ty;
} cffi_transform_2d;

/// A transform of space: a four by four matrix, row by row.
typedef struct __attribute__((swift_name("cffi_geometry.Transform3D"))) cffi_transform_3d {
  double m11, m12, m13, m14;
  double m21, m22, m23, m24;
  double m31, m32, m33, m34;
  double m41, m42, m43, m44;
} cffi_transform_3d;

#endif
