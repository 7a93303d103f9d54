# keymill: `make demo` and `make test` each set up a fresh Debian 12 machine with Swift 6.3 first.

PREFIX ?= /usr/local
DESTDIR ?=
SOAK ?=
BENCH ?=
# What the binary may ask of a processor: what it was last built for, else as much as this one has, of
# x86-64 and x86-64-v3.
CPU ?= $(or $(patsubst .build/cpu-%,%,$(wildcard .build/cpu-*)),$(shell scripts/cpu))

binary := .build/release/keymill
# With Swift's own libraries in it, the binary runs where no Swift is installed.
release := -c release --static-swift-stdlib $(if $(CPU),-Xcc -march=$(CPU))
sources := Package.swift $(shell find Sources -type f)
swift_code := Sources Tests Benchmarks Samples Package.swift
data := $(DESTDIR)$(PREFIX)/share

.PHONY: help setup build demo test bench bench-queue bench-pool bench-cache bench-looks soak
.PHONY: bench-matte samples docs-filters lint format install uninstall clean

help:
	@echo 'make demo      build, then put the samples through the queue; results in out/demo'
	@echo 'make test      build and run all tests'
	@echo 'make build     the release binary: $(binary)'
	@echo 'make install   put it under PREFIX ($(PREFIX)); DESTDIR is honoured'
	@echo 'make uninstall take it away again'
	@echo 'make bench     measure speed and memory against the ffmpeg command'
	@echo 'make bench-queue  measure the job queue against a raw table in C, on this disk'
	@echo 'make bench-pool  measure what the pool costs around a job'
	@echo 'make bench-looks  measure the still filters against ffmpeg and ImageMagick'
	@echo 'make bench-cache  measure the audio cache with a million entries, and making of tracks'
	@echo 'make bench-matte  judge the mattes by scenes of known transparency; BENCH has options'
	@echo 'make soak      kill pools for some minutes and check what is left; SOAK has options'
	@echo 'make docs-filters  make docs/filters.md and its pictures anew from the declarations'
	@echo 'make samples   make the files of samples/ anew'
	@echo 'make lint      check the formatting; make format mends it'
	@echo 'make clean     remove what was built and the results of the demo'
	@echo 'make setup     install the Debian packages that are missing; build and test do so too'

setup:
	@scripts/setup

build: $(binary)

# SwiftPM leaves the binary alone where no source changed; the touch tells make so.
$(binary): $(sources) .build/cpu-$(CPU)
	@scripts/setup
	swift build $(release) --product keymill
	@touch $@

# A file whose name tells what the binary was built for, so that another CPU builds it anew.
.build/cpu-$(CPU):
	@mkdir -p .build && rm -f .build/cpu-* && touch $@

demo: build
	scripts/demo

test:
	@scripts/setup test
	scripts/test $(if $(CPU),-Xcc -march=$(CPU))

bench: build
	swift build $(release) --product keymill-samples
	swift build $(release) --product keymill-bench
	.build/release/keymill-bench

bench-queue: build
	swift build $(release) --product keymill-queue-bench
	.build/release/keymill-queue-bench measure $(BENCH)

bench-pool: build
	swift build $(release) --product keymill-pool-bench
	.build/release/keymill-pool-bench

bench-looks: build
	swift build $(release) --product keymill-looks-bench
	.build/release/keymill-looks-bench

# As in make bench-matte BENCH='--quick --pictures out/matte'; measure --help has them all.
bench-matte: build
	swift build $(release) --product keymill-matte-bench
	.build/release/keymill-matte-bench measure $(BENCH)

docs-filters: build
	scripts/docs-filters

bench-cache: build
	swift build $(release) --product keymill-cache-bench
	.build/release/keymill-cache-bench

# As in make soak SOAK='--only storm --seed 7'; .build/release/keymill-soak drill --help has them all.
soak: build
	swift build $(release) --product keymill-soak
	.build/release/keymill-soak drill $(SOAK)

samples: setup
	swift build $(release) --product keymill-samples
	.build/release/keymill-samples all samples

lint: setup
	swift format lint --strict --recursive $(swift_code)

format: setup
	swift format --in-place --recursive $(swift_code)

install: build
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(data)/keymill/jobs/looks' '$(data)/doc/keymill'
	install -m 755 $(binary) '$(DESTDIR)$(PREFIX)/bin/keymill'
	install -m 644 jobs/*.json '$(data)/keymill/jobs'
	install -m 644 jobs/looks/*.json '$(data)/keymill/jobs/looks'
	install -m 644 README.md LICENSE CHANGELOG.md '$(data)/doc/keymill'
	cp -r docs jobs '$(data)/doc/keymill'

uninstall:
	rm -rf '$(DESTDIR)$(PREFIX)/bin/keymill' '$(data)/keymill' '$(data)/doc/keymill'

clean:
	rm -rf .build out
