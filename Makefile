# Every target installs what it lacks and says so; see Scripts/install-dependencies.sh.
# ARGS goes on to the command: make test ARGS="--filter TypeEncoding"

SWIFT ?= swift
ARGS ?=
# What make conformance and make aarch64 call: so many random signatures, of this seed if one is given. For make layouts: declarations.
N ?= 5000
SEED ?=
# Which conventions make proof compares, and which part of the structs.
ABI ?= sysv aapcs64 apple
SLICE ?= 1/1
# How many millions of turns make soak takes; SECONDS=60 on the command line is for that long instead.
MILLIONS ?= 1

# Which headers make headers compares; all of its list when none is named.
HEADERS ?=

# Where the source tree of libffi is whose test suite make libffi-suite runs.
LIBFFI ?=

# What make fuzz takes: so many seconds for each case, or for one only.
SECONDS ?= 60
CASE ?=
# Where make install puts the program and what shells need to complete its words.
PREFIX ?= $(HOME)/.local

# Which sanitizers make sanitize runs; each has a build of its own. The tests of the macros are not among theirs: a macro runs in the compiler,
# and swift-syntax takes minutes more to build.
SANITIZER ?=

# The macros need swift-syntax, which takes two minutes to build the first time: their tests are apart, and MACROS= leaves them out of the samples.
MACROS ?= --traits default,Macros --scratch-path .build-macros

# The program of the commands that compare the engine with compilers, which the package only declares for them.
CONFORMANCE := CONFORMANCE=1 $(SWIFT) run -c release conformance

CONSUMER := Tests/Consumer
MACRO_CONSUMER := Tests/MacroConsumer
BENCH := $(SWIFT) run --package-path Benchmarks -c release invocation-bench
GATES := Benchmarks/Baselines/gates.json
INSTALL := ./Scripts/install-dependencies.sh

# Build directories lie inside some of these, which are packages of their own; what they hold is not ours to lint.
SWIFT_SOURCES = find Package.swift Sources Tests Tools Benchmarks Examples Fuzzing Scripts -name '.?*' -prune -o -type f -name '*.swift' -print0
SHELL_SOURCES = .ci/run $(wildcard Scripts/*.sh)

.DEFAULT_GOAL := help
.PHONY: help demo install uninstall test test-macros test-tools sanitize perturb conformance aarch64 aarch64-tests proof layouts fuzz soak test-bench bench bench-peers report gates gates-update docs swift-conformance swift-toolchain headers mutants libffi-suite growth \
  docs-check samples lint format check-foundation check-traits check-apple check-musl check-swift-6.2 consumer examples gtk-example refused generate clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9.-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Debug, as it is the quicker to build from clean. What the build says is shown only when it fails.
demo: ## call real functions of real libraries
	@$(INSTALL) build
	@[ -x .build/debug/invocation-demo ] || echo "Building the demo; the first time takes one to two minutes ..."
	@log=$$($(SWIFT) build --product invocation-demo 2>&1) || { printf '%s\n' "$$log"; exit 1; }
	@"$$($(SWIFT) build --show-bin-path)/invocation-demo" $(ARGS)

# Stripped, as most of its size is for debuggers. DESTDIR goes before PREFIX, for packagers.
install: ## install the program invoke and its completions, PREFIX=/usr/local instead of ~/.local
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/install.sh install "$(PREFIX)"

uninstall: ## remove what make install put there, PREFIX as then
	@./Scripts/install.sh uninstall "$(PREFIX)"

# Shows progress and failures; the whole output is in a file, and VERBOSE=1 shows it.
test: ## run every test but the macros' tests
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/test.sh .build/test.log $(ARGS)

# The variable leaves the other tests out of the build.
test-macros: ## run the tests of the macros, for which swift-syntax is built
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" TEST_TARGETS=InvocationMacrosTests ./Scripts/test.sh .build/test-macros.log $(MACROS) $(ARGS)
	@SWIFT="$(SWIFT)" ./Scripts/test.sh .build/test-macro-consumer.log --package-path $(MACRO_CONSUMER) --scratch-path .build-macros  # so swift-syntax is built once

# Callees are kept in the same folder.
test-tools: ## build the program invoke, a package of its own, and run its tests
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/test.sh .build/test-tools.log --package-path Tools $(ARGS)

sanitize: ## run the tests under sanitizers, SANITIZER="address thread undefined", all when none is named
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/sanitize.sh $(SANITIZER) -- $(ARGS)

perturb: ## run the tests with tasks and threads delayed at random, N=3 for so many rounds, SEED=7 ARGS="--filter Port"
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/perturb.sh $(if $(findstring command line,$(origin N)),$(N),1) $(or $(SEED),1) $(ARGS)

conformance: ## call N random signatures in callees of gcc and clang, N=5000 SEED=7
	@$(INSTALL) test
	$(CONFORMANCE) calls --count $(N) $(if $(SEED),--seed $(SEED)) $(ARGS)

swift-conformance: ## call N random Swift functions, compiled in four ways, and compare with the compiled calls, N=5000 SEED=7
	@$(INSTALL) test
	$(CONFORMANCE) swift --count $(N) $(if $(SEED),--seed $(SEED)) $(ARGS)

swift-toolchain: ## compare what is read of the toolchain's modules and libraries with what the compiler states
	@$(INSTALL) test
	$(CONFORMANCE) toolchain $(ARGS)

layouts: ## lay out N random declarations and ask gcc and clang, also for macOS and AArch64, N=10000
	@$(INSTALL) test
	LAYOUTS=$(N) $(SWIFT) test --disable-xctest --filter LayoutOracleTests $(ARGS)

objc-methods: ## call, receive and hook N random Objective-C methods of gcc's runtime, N=5000
	@$(INSTALL) test
	TEST_TARGETS=ObjectiveCMessagesTests OBJC_METHODS=$(N) $(SWIFT) test --disable-xctest --filter RandomMethodTests $(ARGS)

# With HEADERS it installs only what the tests need, among it zlib.h, sqlite3.h, ffi.h and the C library's headers.
headers: ## compare declarations of installed headers with gcc and clang, N=20 for the first of the list, HEADERS="zlib.h sqlite3.h"
	@$(INSTALL) $(if $(HEADERS),test,headers)
	$(CONFORMANCE) headers $(if $(findstring command line,$(origin N)),--count $(N),$(if $(HEADERS),,--least 40)) \
	  $(ARGS) $(HEADERS)

aarch64: ## call N random signatures by the kernels for AArch64 under qemu, N=5000 SEED=7
	@$(INSTALL) aarch64
	$(CONFORMANCE) aarch64 --count $(N) $(if $(SEED),--seed $(SEED)) $(ARGS)

proof: ## compare the placement of all structs of an enumeration with clang, ABI="sysv aapcs64 apple" SLICE=1/100
	@$(INSTALL) test
	$(CONFORMANCE) placements $(ABI:%=--abi %) --slice $(SLICE) $(ARGS)

libffi-suite: ## run libffi's test suite with this engine in libffi's place, LIBFFI=PATH of a source tree of libffi, ARGS=va_ for some tests
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/libffi-suite.sh "$(LIBFFI)" $(ARGS)

mutants: ## plant small faults in a copy and list those that no test catches, N=20 for so many; goes on where it stopped
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/mutants.sh $(if $(findstring command line,$(origin N)),$(N)) $(ARGS)

fuzz: ## try inputs that libFuzzer makes up, each case SECONDS=60 or one CASE=encoding
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/fuzz.sh $(SECONDS) $(CASE)

soak: ## do a million random things on several threads, MILLIONS=1 or SECONDS=60, SEED=7
	@$(INSTALL) test
	$(CONFORMANCE) soak $(if $(findstring command line,$(origin SECONDS)),--seconds $(SECONDS),--millions $(MILLIONS)) \
	  $(if $(SEED),--seed $(SEED)) $(ARGS)

# The variable leaves the benchmark itself out of the build.
test-bench: ## run the tests of the benchmark, a package of its own
	@$(INSTALL) gates
	@SWIFT="$(SWIFT)" TEST_TARGETS=InvocationBenchTests ./Scripts/test.sh .build/test-bench.log --package-path Benchmarks $(ARGS)

bench: ## time calls against direct calls and libffi
	@$(INSTALL) build
	$(BENCH) $(ARGS)

bench-peers: ## time GNUstep, GObject, Qt, libffcall, LuaJIT and ctypes beside it, with a plot
	@$(INSTALL) peers
	@SWIFT="$(SWIFT)" ./Scripts/bench-peers.sh $(ARGS)

report: ## write Benchmarks/REPORT.md and its plots from one run, beside the peers that are there
	@$(INSTALL) peers
	@SWIFT="$(SWIFT)" ./Scripts/bench-peers.sh --report $(ARGS)

gates: ## fail when an operation allocates more, or takes over 3 % more instructions, than the baseline says
	@$(INSTALL) gates
	$(BENCH) gate --baseline $(GATES) $(ARGS)

gates-update: ## make what operations take now the baseline
	@$(INSTALL) gates
	$(BENCH) gate --baseline $(GATES) --update $(ARGS)

growth: ## fail when an operation's instructions grow faster than what it does
	@$(INSTALL) gates
	$(BENCH) growth --gate $(ARGS)

docs: ## build the documentation of all modules as a website, every warning an error
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/docs.sh $(MACROS) $(ARGS)

docs-check: ## render pages of the documentation in headless Chromium; run make docs first
	@$(INSTALL) docs-check
	@./Scripts/docs-check.sh $(ARGS)

samples: ## compile and run the samples of the README and of the articles
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/samples.sh $(ARGS)
ifneq ($(MACROS),)
	@SWIFT="$(SWIFT)" ./Scripts/samples.sh --macros $(ARGS)
endif

lint: ## check formatting, scripts, assembly for each platform, that the engine imports no Foundation, that generated sources are up to date
	@$(SWIFT_SOURCES) | xargs -0 $(SWIFT) format lint --strict --parallel
	@for script in $(SHELL_SOURCES); do bash -n "$$script" || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck $(SHELL_SOURCES); fi
	@if command -v actionlint >/dev/null; then actionlint; fi
	@SWIFT="$(SWIFT)" ./Scripts/check-assembly.sh
	@./Scripts/check-no-foundation.sh --sources-only
	@SWIFT="$(SWIFT)" ./Scripts/generate.sh --check
	@SWIFT="$(SWIFT)" ./Scripts/mutants.sh --check

format: ## format the Swift sources in place
	@$(SWIFT_SOURCES) | xargs -0 $(SWIFT) format --in-place --parallel

check-foundation: ## prove that the engine neither imports nor links Foundation
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/check-no-foundation.sh

check-apple: ## compile the C code and the libraries for macOS and iOS, on Linux
	@$(INSTALL) apple
	@SWIFT="$(SWIFT)" ./Scripts/check-apple.sh $(TRIPLES)

aarch64-tests: ## build for AArch64 Linux with Swift 6.2 of Debian, run the demo and the tests under qemu, and say which fail
	@./Scripts/debian-swift.sh aarch64 $(ARGS)

check-musl: ## compile the C code with musl
	@$(INSTALL) apple
	@SWIFT="$(SWIFT)" ./Scripts/check-musl.sh

check-swift-6.2: ## build with Swift 6.2 of Debian, in a root of its own, run the demo, and say which tests fail
	@./Scripts/debian-swift.sh native $(ARGS)

check-traits: ## prove that what only a trait needs is not fetched, included or linked without it
	@SWIFT="$(SWIFT)" ./Scripts/check-traits.sh

consumer: ## build and run programs of a package that depends on this one, and fail when they have grown
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/consumer.sh

examples: ## build the programs in Examples and compare their output, ARGS=calculator for one
	@$(INSTALL) test
	@SWIFT="$(SWIFT)" ./Scripts/examples.sh $(ARGS)

gtk-example: ## click a button of a GTK window whose program calls GTK by name, ARGS=window.png for a screenshot
	@$(INSTALL) build
	@SWIFT="$(SWIFT)" ./Scripts/gtk-example.sh $(ARGS)

refused: ## prove that what must not compile does not
	@$(INSTALL) build
	@$(SWIFT) build --quiet
	@SWIFT="$(SWIFT)" ./Scripts/check-refused.sh

generate: ## write the sources that are generated
	@SWIFT="$(SWIFT)" ./Scripts/generate.sh

clean: ## remove everything that was built
	rm -rf .build .build-* Tools/.build Benchmarks/.build Examples/*/.build $(CONSUMER)/.build $(MACRO_CONSUMER)/.build
