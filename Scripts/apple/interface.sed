# An interface of Linux for a platform with Objective-C, whose versions have what they have.
/^ *@backDeployed/d
s/@backDeployed([^)]*) *//g
s/-disable-objc-interop//g
/^import Glibc/d
