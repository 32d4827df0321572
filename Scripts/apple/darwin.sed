# Turns the overlay of glibc into one of Darwin.
s/-module-link-name swiftGlibc//
s/-module-name Glibc/-module-name Darwin/
/^import SwiftOverlayShims/d
s/SwiftGlibc/Darwin/g
s/SwiftOverlayShims/Darwin/g
s/ Glibc\./ Darwin./g
s/= Darwin.__sighandler_t/= @convention(c) (Swift.Int32) -> Swift.Void/
