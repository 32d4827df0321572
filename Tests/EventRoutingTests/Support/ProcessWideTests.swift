import TestSupport
import Testing

/// Tests of what the process has once, the logger and the observers, and tests that those would disturb: one after the other.
@Suite(.measured, .serialized) struct ProcessWideTests {}
