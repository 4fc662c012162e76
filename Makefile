# The front door. Everything is built by CMake in build/. Only deps, test-deps, demo and test install Debian packages;
# the others say which are missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Ninja, where it is there, sees at once what has changed. Folders that were configured before stay as they are.
NINJA = if command -v ninja >/dev/null; then export CMAKE_GENERATOR=$${CMAKE_GENERATOR:-Ninja}; fi;

# Where CI is set, warnings are errors: other compilers than those of Debian 12 may have more to say.
WARNINGS = $(if $(CI),-DGRIDCAST_WERROR=ON)

.PHONY: all needs test-needs deps test-deps demo check test bench fuzz attack coverage tidy tsan install clean
all: needs
	@mkdir -p build
	@$(NINJA) cmake --preset release $(WARNINGS) >build/configure.log || { cat build/configure.log; exit 1; }
	@sed -n 's/^-- \(.*not found.*\)/\1/p' build/configure.log
	@echo "building in build/"
	@MAKEFLAGS= cmake --build build -j $(JOBS) >build/build.log 2>&1 || { cat build/build.log; exit 1; }

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
check: test-needs all
	@ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error -L fast | tail -n 30

test: test-deps
	@$(MAKE) --no-print-directory all
	@$(NINJA) scripts/test

bench: all
	@scripts/bench build

fuzz: test-needs
	@scripts/fuzz

attack: test-needs all
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
