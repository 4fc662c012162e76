# The front door. Everything is built by CMake in build/.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Ninja, where it is there, sees at once what has changed. Folders that were configured before stay as they are.
NINJA = if command -v ninja >/dev/null; then export CMAKE_GENERATOR=$${CMAKE_GENERATOR:-Ninja}; fi;

.PHONY: all deps test-deps demo check test bench fuzz attack coverage tidy tsan install clean
all: deps
	@mkdir -p build
	@$(NINJA) cmake --preset release >build/configure.log || { cat build/configure.log; exit 1; }
	@sed -n 's/^-- \(.*not found.*\)/\1/p' build/configure.log
	@echo "building in build/"
	@MAKEFLAGS= cmake --build build -j $(JOBS) >build/build.log 2>&1 || { cat build/build.log; exit 1; }

deps:
	@scripts/deps

test-deps:
	@scripts/deps test

demo: all
	@scripts/demo build/gridcast

# The tests that answer at once; `make test` is all of them.
check: test-deps all
	@ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error -L fast | tail -n 30

test: test-deps all
	@$(NINJA) scripts/test

bench: all
	@scripts/bench build

fuzz: test-deps
	@scripts/fuzz

attack: test-deps all
	@scripts/attack

# Lines and branches that the tests reach.
coverage: test-deps
	@scripts/coverage

tidy: test-deps
	@scripts/tidy

# Whatever has threads, under the thread sanitizer.
tsan: test-deps
	@scripts/tsan

install: all
	@DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-*
