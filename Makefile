# SPDX-License-Identifier: BSD-3-Clause
# topomap: `make help` prints the targets. The user's variables:
PREFIX = /usr/local
DESTDIR =
CC = cc
MPICC = $(or $(shell command -v mpicc.openmpi || command -v mpicc), \
	$(firstword $(wildcard /usr/lib64/openmpi/bin/mpicc /usr/lib64/mpi/gcc/openmpi*/bin/mpicc)))
CFLAGS = -O2 -g
SANITIZE =
WERROR =
FUZZ_SECONDS = 30

# Variants never mix: build/ is what the user runs, build/san/ is under the sanitizers.
B = build$(if $(SANITIZE),/san)
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Wundef
SANFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
ALLFLAGS = -std=c11 -D_GNU_SOURCE -I. $(WARNINGS) $(WERROR) $(CFLAGS) $(SANFLAGS)

# pkg-config is asked once, and only by a recipe that needs it: a bare machine has none.
pkg = $(eval pkg-$1$2 := $(shell pkg-config --$1 $2))$(pkg-$1$2)
LIBRARIES = hwloc jansson yaml-0.1 libgvc libcgraph
LIBS = $(foreach l,$(LIBRARIES),$(call pkg,libs,$l)) -lm
PROBE_LIBS = $(foreach l,hwloc jansson,$(call pkg,libs,$l)) -lm
FLAGS_formats/machine/hwloc.c = $(call pkg,cflags,hwloc)
FLAGS_formats/machine/hwloc_distances.c = $(call pkg,cflags,hwloc)
FLAGS_formats/json/json.c = $(call pkg,cflags,jansson)
FLAGS_formats/network/topology_yaml.c = $(call pkg,cflags,yaml-0.1)
FLAGS_formats/draw/graphviz.c = $(call pkg,cflags,libgvc) $(call pkg,cflags,libcgraph)

LIB_SOURCES = $(wildcard core/*/*.c formats/*/*.c formats/*/*/*.c options/*.c)
CLI_SOURCES = $(filter-out cli/main.c,$(wildcard cli/*.c cli/*/*.c))
PROBE_SOURCES = $(filter-out mpi_probe/main.c,$(wildcard mpi_probe/*.c))
TEST_SOURCES = $(wildcard tests/core/*/test_*.c tests/formats/*/test_*.c \
	tests/options/test_*.c tests/cli/test_*.c)
HELPER_SOURCES = $(wildcard tests/support/*.c)
PROBE_TEST_SOURCES = $(wildcard tests/mpi_probe/test_*.c)
MPI_TEST_SOURCES = $(wildcard tests/mpi/test_*.c)
BENCH_SOURCES = $(wildcard tests/bench/bench_*.c)
FUZZ_SOURCES = $(wildcard tests/fuzz/fuzz_*.c)

objects = $(patsubst %.c,$(B)/%.o,$1)
programs = $(patsubst %.c,$(B)/%,$1)
ROOM_TESTS = $(call programs,$(TEST_SOURCES))
MPI_TESTS = $(call programs,$(MPI_TEST_SOURCES))
PROBE_TESTS = $(if $(MPICC),$(call programs,$(PROBE_TEST_SOURCES)))
TESTS = $(ROOM_TESTS) $(PROBE_TESTS)
HAS_PROBE = $(if $(SANITIZE),,$(MPICC))
PROGRAMS = $(B)/topomap $(if $(HAS_PROBE),$(B)/topomap-probe)

all: $(PROGRAMS) $(B)/docs ## build topomap, and topomap-probe where there is an MPI compiler

$(B)/topomap: $(B)/cli/main.o $(B)/libtopomap-cli.a $(B)/libtopomap.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(B)/topomap-probe: $(B)/mpi_probe/main.o $(B)/libtopomap-probe.a $(B)/libtopomap.a
	$(MPICC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(PROBE_LIBS)

$(B)/libtopomap.a: $(call objects,$(LIB_SOURCES))
$(B)/libtopomap-cli.a: $(call objects,$(CLI_SOURCES))
$(B)/libtopomap-probe.a: $(call objects,$(PROBE_SOURCES))
$(B)/libtopomap-tests.a: $(call objects,$(HELPER_SOURCES))
$(B)/%.a:
	@rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

# What was built with other flags, another compiler or another list of files is built again.
$(B)/flags: NOW = $(CC) $(ALLFLAGS)
$(B)/mpi-flags: NOW = $(MPICC) $(ALLFLAGS)
$(B)/sources: NOW = $(sort $(LIB_SOURCES) $(CLI_SOURCES) $(PROBE_SOURCES) $(HELPER_SOURCES))
$(B)/flags $(B)/mpi-flags $(B)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(NOW)' | cmp -s - $@ || echo '$(NOW)' >$@
$(B)/libtopomap.a $(B)/libtopomap-cli.a $(B)/libtopomap-probe.a: $(B)/sources
$(B)/libtopomap-tests.a: $(B)/sources

$(B)/found: $(B)/flags
	@pkg-config --exists $(LIBRARIES) || { echo "topomap needs $(LIBRARIES) and pkg-config:" \
		"'make deps' installs what is missing" >&2; exit 1; }
	@touch $@
$(B)/mpi_probe/%.o: mpi_probe/%.c $(B)/mpi-flags | $(B)/found
	@mkdir -p $(@D)
	$(MPICC) $(ALLFLAGS) -MMD -MP -c -o $@ $<
$(B)/%.o: %.c $(B)/flags | $(B)/found
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) $(FLAGS_$<) -MMD -MP -c -o $@ $<

# A test is one file with a `Suite *test_suite(void)`; tests/main.c runs it. What several of
# them share (machines, literal oracles) is in tests/support.
$(B)/tests/bench/bench_%: $(B)/tests/bench/bench_%.o $(B)/libtopomap-tests.a $(B)/libtopomap.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(ROOM_TESTS) $(MPI_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-cli.a $(B)/libtopomap.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)
$(PROBE_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-probe.a $(B)/libtopomap.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)

# The manual pages and completions that come from the option tables.
$(B)/docs: $(PROGRAMS) $(wildcard man/*.in)
	@mkdir -p $(B)/man $(B)/completions
	@rm -f $(B)/man/*.1
	@$(if $(HAS_PROBE),$(B)/topomap-probe --generate man <man/topomap-probe.1.in \
		>$(B)/man/topomap-probe.1)
	@for c in $$($< --generate commands); do \
		$< --generate man $$c <man/topomap-$$c.1.in >$(B)/man/topomap-$$c.1 || exit 1; done
	@for s in bash zsh fish; do \
		$< --generate completion $$s >$(B)/completions/topomap.$$s || exit 1; done
	@touch $@

demo: deps ## install what is missing, build, and go the whole way once on real MPI
	@$(MAKE) $(PARALLEL) all
	@tools/demo.sh

# A check is a program or script: status 0 passed, 77 skipped with a reason, else failed. One
# that prints a line "N passed, N failed, N skipped" is counted so; tests/run.sh adds all up.
UNIT = $(TESTS)
GOLDEN = tests/cli/run.sh
ROOMS = tests/rooms/run.sh tests/rooms/names.sh
DOCS = tests/docs/run.sh
TORTURE = tests/torture/run.sh
SAN = $(patsubst $(B)/%,build/san/%,$(TESTS)) "BUILD=build/san tests/cli/run.sh"
MPI = $(MPI_TESTS) $(wildcard tests/mpi/*.sh)
TIMED = tests/cluster/test_times.sh tests/cluster/test_faster.sh # compare times of real calls
CLUSTER = $(filter-out $(TIMED),$(wildcard tests/cluster/*.sh))
POLICIES = $(wildcard tests/policies/*.sh)
MAPS = tests/policies/openmpi.sh # asks mpirun for maps and starts nothing
SMPI = $(wildcard tests/smpi/*.sh)
MAPPERS = $(wildcard tests/mappers/*.sh)
MAPPERS_BENCH = $(B)/tests/bench/bench_mapping
RUN = BUILD=$(B) MPICC='$(MPICC)' tests/run.sh
STRICT = $(PARALLEL) WERROR=-Werror
# As many jobs as there are CPUs, unless the user said how many.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

check: ## everything; the last line adds up
	@$(MAKE) $(STRICT) all unit-programs $(MPI_TESTS) $(MAPPERS_BENCH)
	@$(MAKE) $(STRICT) SANITIZE=address,undefined all unit-programs
	@$(RUN) $(TORTURE) $(SAN) $(ROOMS) $(DOCS) $(UNIT) $(GOLDEN) $(SMPI) $(MAPPERS) $(MAPS) -- \
		$(MPI) $(filter-out $(MAPS),$(POLICIES)) $(CLUSTER)
check-quick: ## rooms, docs and unit tests: under a minute, without MPI
	@$(MAKE) $(STRICT) all unit-programs
	@$(RUN) $(ROOMS) $(DOCS) $(UNIT)
check-unit: ## the unit tests
	@$(MAKE) $(STRICT) unit-programs
	@$(RUN) $(UNIT)
check-rooms: all ## who includes what, and that every name has one definition
	@$(RUN) $(ROOMS)
check-golden check-docs: check-%: all
check-golden: ## the command lines under tests/cli, with their exact output
	@$(RUN) $(GOLDEN)
check-docs: ## help, manual, README and completions: parse, agree, and their examples run
	@$(RUN) $(DOCS)
check-san: ## unit and golden tests under the address and undefined behaviour sanitizers
	@$(MAKE) $(STRICT) SANITIZE=address,undefined all unit-programs
	@$(RUN) $(SAN)
check-torture: all ## every allocation of every example made to fail in turn
	@$(RUN) $(TORTURE)
check-mpi: all ## the probe and the launchers' files under real launchers
	@$(MAKE) $(STRICT) $(MPI_TESTS)
	@$(RUN) -- $(MPI)
check-policies: all ## topomap place against the launchers themselves: a sample
	@$(RUN) -- $(POLICIES)
check-grid: all ## the same over the whole grid of machines and policies: half an hour
	@GRID=1 CHECK_SECONDS=36000 $(RUN) -- $(POLICIES)
check-smpi: all ## predicted times against SimGrid SMPI, a simulator
	@$(RUN) -- $(SMPI)
check-mappers: all $(MAPPERS_BENCH) ## mappings against Scotch's
	@$(RUN) -- $(MAPPERS)
check-cluster: all ## several hosts on this machine (root and iproute2)
	@$(RUN) -- $(CLUSTER)
check-long: all ## times of real calls on such hosts: wants an idle machine, and is not in check
	@$(RUN) -- $(TIMED)
RELEASE = trixie
check-fresh: ## README's two commands on a bare Debian of RELEASE=bookworm or trixie (root, debootstrap)
	@tools/check-fresh.sh $(RELEASE)
unit-programs: $(TESTS)

# With clang libFuzzer drives; without it tests/fuzz/main.c does, with seeds mutated at random.
FUZZ_CC = $(or $(shell command -v clang),$(CC))
FUZZ_SANITIZE = $(if $(findstring clang,$(FUZZ_CC)),fuzzer-no-link$(comma))address,undefined
FUZZ_DRIVER = $(if $(findstring clang,$(CC)),-fsanitize=fuzzer,$(B)/tests/fuzz/main.o)
comma = ,
fuzz: ## fuzz every reader for FUZZ_SECONDS each
	@$(MAKE) CC='$(FUZZ_CC)' SANITIZE='$(FUZZ_SANITIZE)' B=build/fuzz fuzz-programs
	@for name in $(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SOURCES)); do \
		mkdir -p build/fuzz/corpus/$$name; \
		LSAN_OPTIONS=suppressions=tests/fuzz/lsan.supp:print_suppressions=0 \
		build/fuzz/tests/fuzz/fuzz_$$name -max_total_time=$(FUZZ_SECONDS) \
			-artifact_prefix=build/fuzz/$$name- build/fuzz/corpus/$$name \
			$$(ls -d tests/fuzz/seeds/$$name 2>/dev/null) >build/fuzz/log 2>&1 || \
			{ cat build/fuzz/log; exit 1; }; \
		echo "ok      fuzz_$$name: $$(sed -n 's/^Done //p' build/fuzz/log)"; done
fuzz-programs: $(call programs,$(FUZZ_SOURCES))
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/main.o $(B)/libtopomap.a
	$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(FUZZ_DRIVER) $(B)/libtopomap.a $(LIBS)

bench: all $(call programs,$(BENCH_SOURCES)) ## measure
	@for b in $(call programs,$(BENCH_SOURCES)) $(wildcard tests/bench/*.sh); do \
		echo "== $$b"; BUILD=$(B) $$b || [ $$? = 77 ] || exit 1; done

deps: ## install what building and checking need (apt, dnf, zypper, pacman or apk)
	@tools/deps.sh needed
deps-oracles: ## install the independent peers that tests use where they are present
	@tools/deps.sh oracles

MAN = $(PREFIX)/share/man
SHARE = $(PREFIX)/share
install: all ## install under $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(foreach n,1 5 7,$(DESTDIR)$(MAN)/man$n) \
		$(DESTDIR)$(SHARE)/bash-completion/completions \
		$(DESTDIR)$(SHARE)/zsh/site-functions $(DESTDIR)$(SHARE)/fish/vendor_completions.d
	install $(PROGRAMS) $(DESTDIR)$(PREFIX)/bin
	$(foreach n,1 5 7,install -m 644 $(wildcard man/*.$n) $(if $(filter 1,$n),$(B)/man/*.1) \
		$(DESTDIR)$(MAN)/man$n || exit 1;)
	install -m 644 $(B)/completions/topomap.bash \
		$(DESTDIR)$(SHARE)/bash-completion/completions/topomap
	install -m 644 $(B)/completions/topomap.zsh $(DESTDIR)$(SHARE)/zsh/site-functions/_topomap
	install -m 644 $(B)/completions/topomap.fish \
		$(DESTDIR)$(SHARE)/fish/vendor_completions.d/topomap.fish

format: ## write every C file in the form of .clang-format
	git ls-files '*.[ch]' | xargs clang-format -i
clean: ## remove build/
	rm -rf build
help: ## print the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | \
		while IFS='|' read -r t text; do printf '  %-14s %s\n' "$$t" "$$text"; done

FORCE:
.PHONY: all demo check check-quick check-unit check-rooms check-golden check-docs check-san \
	check-torture check-mpi check-policies check-grid check-smpi check-mappers check-cluster \
	check-long check-fresh unit-programs fuzz fuzz-programs bench deps deps-oracles install format clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:
-include $(shell find build -name '*.d' 2>/dev/null)
