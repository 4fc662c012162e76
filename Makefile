# The front door. Everything is built by CMake in build/. Only deps, test-deps, demo and test install Debian packages;
# the others say which are missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Ninja, where it is there, sees at once what has changed. Folders that were configured before stay as they are.
NINJA = if command -v ninja >/dev/null; then export CMAKE_GENERATOR=$${CMAKE_GENERATOR:-Ninja}; fi;

# Where CI is set, warnings are errors: other compilers than those of Debian 12 may have more to say.
WARNINGS = $(if $(CI),-DGRIDCAST_WERROR=ON)

# Ninja shows on a terminal how far it is; else what compilers say is kept, and shown where something fails.
BUILD = $(NINJA) mkdir -p build; \
	cmake --preset release $(WARNINGS) >build/configure.log || { cat build/configure.log; exit 1; }; \
	sed -n 's/^-- \(.*not found.*\)/\1/p' build/configure.log; echo "building in build/"; export MAKEFLAGS=; \
	if [ -t 1 ] && [ "$$CMAKE_GENERATOR" = Ninja ]; then exec cmake --build build -j $(JOBS) --target $(1); fi; \
	cmake --build build -j $(JOBS) --target $(1) >build/build.log 2>&1 || { cat build/build.log; exit 1; }

.PHONY: all everything needs test-needs deps test-deps demo check test bench fuzz attack coverage tidy tsan install clean
# The command, the library and the man pages.
all: needs
	@$(call BUILD,product)
	@echo 'build/gridcast is ready: export PATH="$$PWD/build:$$PATH"'

# The tests and benchmarks, too.
everything: needs
	@$(call BUILD,all)

needs:
	@scripts/deps check

test-needs:
	@scripts/deps check test

deps:
	@scripts/deps

test-deps:
	@scripts/deps test

demo: deps
	@$(MAKE) --no-print-directory all
	@scripts/demo build/gridcast

# The tests that answer at once; `make test` is all of them.
check: test-needs everything
	@ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error -L fast | tail -n 30

test: test-deps
	@$(MAKE) --no-print-directory everything
	@$(NINJA) scripts/test

bench: everything
	@scripts/bench build

fuzz: test-needs
	@scripts/fuzz

attack: test-needs everything
	@scripts/attack

# Lines and branches that the tests reach.
coverage: test-needs
	@scripts/coverage

tidy: test-needs
	@scripts/tidy

# Whatever has threads, under the thread sanitizer.
tsan: test-needs
	@scripts/tsan

install: all
	@DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-*
