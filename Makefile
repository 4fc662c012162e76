# The front door. Everything is built by CMake in build/.
JOBS ?= $(shell nproc)

.PHONY: all deps demo test bench fuzz install clean
all: deps
	cmake --preset release >/dev/null
	cmake --build build -j $(JOBS)

deps:
	@scripts/deps

demo: all
	@scripts/demo build/gridcast

test: all
	@scripts/test

bench: all
	@scripts/bench build

fuzz: deps
	@scripts/fuzz

install: all
	cmake --install build $(if $(DESTDIR),,$(if $(PREFIX),--prefix $(PREFIX)))

clean:
	rm -rf build build-*
