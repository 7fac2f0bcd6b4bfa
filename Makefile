# SPDX-License-Identifier: BSD-3-Clause
# topomap: `make help` prints the targets. What a user or packager sets is the following, on make's
# command line or in the environment. Folders that do not begin with / are below PREFIX.
PREFIX ?= /usr/local
BINDIR ?= bin
LIBDIR ?= lib
INCLUDEDIR ?= include
DATADIR ?= share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/topomap
BASHDIR ?= $(DATADIR)/bash-completion/completions
ZSHDIR ?= $(DATADIR)/zsh/site-functions
FISHDIR ?= $(DATADIR)/fish/vendor_completions.d
INSTALL ?= install
SANITIZE ?=
FUZZ_SECONDS ?= 30

# Variants never mix: build/ is what the user runs, build/san/ is under the sanitizers.
B = build$(if $(SANITIZE),/san)

# What is built is installed, with what it was built with: `sudo make install` has another PATH,
# where there may be no mpicc, and none of the user's variables.
$(foreach v,CC AR,$(if $(filter default,$(origin $v)),$(eval undefine $v)))
ifeq ($(MAKECMDGOALS),install)
-include $(B)/variables $(B)/mpi-variables
endif
CC ?= cc
AR ?= ar
OBJCOPY ?= objcopy
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
MPICC ?= $(or $(shell command -v mpicc.openmpi || command -v mpicc), \
	$(firstword $(wildcard /usr/lib64/openmpi/bin/mpicc /usr/lib64/mpi/gcc/openmpi*/bin/mpicc)))
MPICC := $(MPICC)
VERSION := $(shell sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)
DATE := $(shell sed -n 's/.* TMAP_VERSION_DATE "\(.*\)"/\1/p' core/base/version.h)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wwrite-strings -Wvla -Wundef $(CLANG_WARNINGS)
# Constants are members of enums here, of lengths and seconds, too, and what the end of a row leaves
# out is zero: clang minds both.
CLANG_WARNINGS = $(if $(findstring clang,$(CC)),-Wno-enum-float-conversion \
	-Wno-missing-field-initializers)
SANFLAGS = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
# the same bits from whichever folder; all objects may go into the shared library
ALLFLAGS = -std=c11 -D_GNU_SOURCE -I. -fPIC -fvisibility=hidden -ffile-prefix-map="$$PWD"=. \
	$(WARNINGS) $(WERROR) $(CPPFLAGS) $(CFLAGS) $(SANFLAGS)
LINKFLAGS = $(CFLAGS) $(SANFLAGS) $(LDFLAGS)

# pkg-config is asked once, and only by a recipe that needs it: a bare machine has none.
pkg = $(if $(filter undefined,$(origin pkg-$1$2)),$(eval pkg-$1$2 := $$(shell \
	$(PKG_CONFIG) --$1 $2)))$(pkg-$1$2)
LIBRARIES = hwloc jansson yaml-0.1 libgvc libcgraph
LIBS = $(foreach l,$(LIBRARIES),$(call pkg,libs,$l)) -lm -pthread $(LDLIBS)
PROBE_LIBS = $(foreach l,hwloc jansson yaml-0.1,$(call pkg,libs,$l)) -lm $(LDLIBS)
FLAGS_formats/machine/hwloc.c = $(call pkg,cflags,hwloc)
FLAGS_formats/machine/hwloc_device.c = $(call pkg,cflags,hwloc)
FLAGS_formats/machine/hwloc_distances.c = $(call pkg,cflags,hwloc)
FLAGS_formats/machine/hwloc_xml.c = $(call pkg,cflags,hwloc)
FLAGS_formats/json/json.c = $(call pkg,cflags,jansson)
FLAGS_formats/network/topology_yaml.c = $(call pkg,cflags,yaml-0.1)
FLAGS_formats/draw/graphviz.c = $(call pkg,cflags,libgvc) $(call pkg,cflags,libcgraph)

files = $(sort $(wildcard $1))
$(foreach f,$(call files,tests/lib/*.c tests/fuzz/fuzz_library.c examples/*.c),$(eval FLAGS_$f = -Iinclude))
LIB_SOURCES = $(call files,core/*/*.c formats/*/*.c formats/*/*/*.c options/*.c)
PUBLIC_SOURCES = $(call files,lib/*.c)
CLI_SOURCES = $(filter-out cli/main.c,$(call files,cli/*.c cli/*/*.c))
PROBE_SOURCES = $(filter-out mpi_probe/main.c,$(call files,mpi_probe/*.c))
EXECUTOR_SOURCES = $(call files,mpi_run/executor/*.c)
OPERATION_SOURCES = $(call files,mpi_run/operation/*.c)
BENCH_PROGRAM_SOURCES = $(filter-out mpi_run/bench/main.c,$(call files,mpi_run/bench/*.c))
RECORDER_SOURCES = $(call files,mpi_run/record/*.c)
TEST_SOURCES = $(call files,$(addsuffix /test_*.c,tests/core/* tests/formats/* tests/options tests/cli))
HELPER_SOURCES = $(call files,tests/support/*.c)
EXECUTOR_TEST_SOURCES = $(call files,tests/mpi_run/executor/test_*.c)
RECORDER_TEST_SOURCES = $(call files,tests/mpi_run/record/test_*.c)
BENCH_TEST_SOURCES = $(call files,tests/mpi_run/bench/test_*.c)
PUBLIC_TEST_SOURCES = $(call files,tests/lib/test_*.c)
PROBE_TEST_SOURCES = $(call files,tests/mpi_probe/test_*.c)
MPI_TEST_SOURCES = $(call files,tests/mpi/test_*.c)
BENCH_SOURCES = $(call files,tests/bench/bench_*.c)
FUZZ_SOURCES = $(call files,tests/fuzz/fuzz_*.c)
SOURCES = $(LIB_SOURCES) $(EXECUTOR_SOURCES) $(OPERATION_SOURCES) $(BENCH_PROGRAM_SOURCES) $(RECORDER_SOURCES) $(EXECUTOR_TEST_SOURCES) $(RECORDER_TEST_SOURCES) $(BENCH_TEST_SOURCES) $(PUBLIC_SOURCES) $(CLI_SOURCES) $(PROBE_SOURCES) $(TEST_SOURCES) \
	$(HELPER_SOURCES) $(PUBLIC_TEST_SOURCES) $(PROBE_TEST_SOURCES) $(MPI_TEST_SOURCES) \
	$(BENCH_SOURCES) $(FUZZ_SOURCES) cli/main.c mpi_probe/main.c mpi_run/bench/main.c tests/main.c tests/fuzz/main.c \
	tests/lib/documents.c

objects = $(patsubst %.c,$(B)/%.o,$1)
programs = $(patsubst %.c,$(B)/%,$1)
ROOM_TESTS = $(call programs,$(TEST_SOURCES))
MPI_TESTS = $(call programs,$(MPI_TEST_SOURCES))
PROBE_TESTS = $(if $(MPICC),$(call programs,$(PROBE_TEST_SOURCES)))
PUBLIC_TESTS = $(call programs,$(PUBLIC_TEST_SOURCES))
EXECUTOR_TESTS = $(call programs,$(EXECUTOR_TEST_SOURCES))
BENCH_TESTS = $(if $(MPICC),$(call programs,$(BENCH_TEST_SOURCES)))
RECORDER_TESTS = $(if $(MPICC),$(call programs,$(RECORDER_TEST_SOURCES)))
TESTS = $(ROOM_TESTS) $(PUBLIC_TESTS) $(PROBE_TESTS) $(EXECUTOR_TESTS) $(BENCH_TESTS) $(RECORDER_TESTS)
HAS_PROBE = $(if $(SANITIZE),,$(MPICC))
PROGRAMS = $(B)/topomap $(if $(HAS_PROBE),$(B)/topomap-probe $(B)/topomap-bench)
# what a program of the MPI of MPICC loads before it (LD_PRELOAD)
PRELOADS = $(if $(HAS_PROBE),$(B)/libtopomap-record.so)

# `man topomap_tree_parents` finds a page that refers to that with topomap_tree_parents in its NAME.
REFERENCES := $(addprefix $(B)/man/,$(addsuffix .3,$(shell sed -n 's/^\.Nm \(topomap_[a-z_]*\).*/\1/p' \
	man/*.3.in)))
PAGES = $(filter-out $(if $(HAS_PROBE),,%/topomap-probe.1 $(B)/man/topomap-bench%),$(patsubst man/%.in,$(B)/man/%,$(call \
	files,man/*.in))) $(REFERENCES)
# as what is installed: man -M build/man topomap_tree_parents
SECTIONS = $(addprefix $(B)/man/man,1 3 5 7)
COMPLETIONS = $(foreach p,topomap $(if $(HAS_PROBE),topomap-bench),$(addprefix $(B)/completions/$p.,bash zsh fish))

SONAME = libtopomap.so.0
SHARED = $(B)/libtopomap.so.$(VERSION)
LIBRARY = $(SHARED) $(B)/$(SONAME) $(B)/libtopomap.so $(B)/libtopomap.a

all: $(PROGRAMS) $(PRELOADS) $(LIBRARY) $(PAGES) $(SECTIONS) $(COMPLETIONS) ## build topomap and its library, and topomap-probe where there is an MPI compiler

$(B)/topomap: $(B)/cli/main.o $(B)/libtopomap-cli.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS)
# What knows no MPI may be that of another folder, where it must be there:
# make && make B=build/mpich MPICC=mpicc.mpich INNER=build/libtopomap-inner.a build/mpich/topomap-bench
INNER = $(B)/libtopomap-inner.a
$(B)/topomap-probe: $(B)/mpi_probe/main.o $(B)/libtopomap-probe.a $(INNER)
	$(MPICC) $(LINKFLAGS) -o $@ $^ $(PROBE_LIBS)

$(B)/topomap-bench: $(B)/mpi_run/bench/main.o $(B)/libtopomap-bench.a $(B)/libtopomap-operation.a \
		$(B)/libtopomap-executor.a $(B)/libtopomap-probe.a $(INNER)
	$(MPICC) $(LINKFLAGS) -o $@ $^ -pthread $(PROBE_LIBS)

# The recorder exports the functions of MPI that its table has (mpi_run/record/calls.table).
WRAPPERS = $(addprefix $(B)/mpi_run/record/,wrappers types wrappers-fortran)
$(B)/libtopomap-record.so: $(call objects,$(RECORDER_SOURCES)) $(WRAPPERS:=.o) \
		$(B)/libtopomap-probe.a $(INNER) mpi_run/record/record.map \
		| $(B)/mpi_run/record/library
	$(MPICC) $(LINKFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=mpi_run/record/record.map \
		-Wl,--no-undefined -Wl,--as-needed -o $@ $(filter %.o %.a,$^) $(PROBE_LIBS) -ldl
CALLS = $(addprefix mpi_run/record/,calls.table calls.awk)
$(WRAPPERS:=.c): $(CALLS) $(addprefix $(B)/mpi_run/record/,version library)
$(B)/mpi_run/record/wrappers.c $(B)/mpi_run/record/types.c: mpi_run/record/wrappers.awk
$(B)/mpi_run/record/wrappers-fortran.c: mpi_run/record/fortran.awk
$(WRAPPERS:=.c): $(B)/mpi_run/record/%.c:
	@mkdir -p $(@D)
	@awk -v part=$* -v version="$$(cat $(@D)/version)" -v library="$$(cat $(@D)/library)" \
		-f mpi_run/record/calls.awk -f $(filter %s.awk %n.awk,$(filter-out %/calls.awk,$^)) \
		mpi_run/record/calls.table >$@
# "3", the version of MPI that it has, and "openmpi", whose it is
$(addprefix $(B)/mpi_run/record/,version library): $(B)/mpi_run/record/%: tools/mpi-%.c $(B)/mpi-variables
	@mkdir -p $(@D)
	@$(MPICC) -E -P $< | tail -n 1 >$@

# libtopomap, for other programs: the functions of lib/ with what they need of core and formats. The
# static one is a single object in which all other names are local.
PUBLIC_LIBS = $(foreach l,hwloc jansson,$(call pkg,libs,$l)) -lm $(LDLIBS)
$(SHARED): $(call objects,$(PUBLIC_SOURCES)) $(B)/libtopomap-inner.a lib/topomap.map
	$(CC) $(LINKFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=lib/topomap.map \
		$(if $(SANITIZE),,-Wl,--no-undefined) -o $@ $(filter %.o %.a,$^) $(PUBLIC_LIBS)
$(B)/$(SONAME) $(B)/libtopomap.so: $(SHARED)
	ln -sf $(<F) $@
$(B)/lib/libtopomap.o: $(call objects,$(PUBLIC_SOURCES)) $(B)/libtopomap-inner.a
	$(CC) $(CFLAGS) $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -r -nostdlib \
		-o $@ $^
	$(OBJCOPY) --localize-hidden $@
$(B)/libtopomap.a: $(B)/lib/libtopomap.o

$(B)/libtopomap-inner.a: $(call objects,$(LIB_SOURCES))
$(B)/libtopomap-cli.a: $(call objects,$(CLI_SOURCES))
$(B)/libtopomap-probe.a: $(call objects,$(PROBE_SOURCES))
$(B)/libtopomap-tests.a: $(call objects,$(HELPER_SOURCES))
$(B)/libtopomap-executor.a: $(call objects,$(EXECUTOR_SOURCES))
$(B)/libtopomap-operation.a: $(call objects,$(OPERATION_SOURCES))
$(B)/libtopomap-bench.a: $(call objects,$(BENCH_PROGRAM_SOURCES))
$(B)/%.a: $(B)/sources
	@rm -f $@
	$(AR) rcsD $@ $(filter %.o,$^)

# What was built with other variables, another compiler or another list of files is built again.
quote = '$(subst ','\'',$1)'
set = $(foreach v,$1,$(call quote,$v ?= $(subst $$,$$$$,$($v))))
$(B)/variables: NOW = $(call set,CC AR CPPFLAGS CFLAGS LDFLAGS LDLIBS WERROR WARNINGS)
$(B)/mpi-variables: NOW = $(call set,MPICC)
$(B)/sources: NOW = $(LIB_SOURCES) $(EXECUTOR_SOURCES) $(OPERATION_SOURCES) $(BENCH_PROGRAM_SOURCES) $(RECORDER_SOURCES) $(CLI_SOURCES) $(PROBE_SOURCES) $(HELPER_SOURCES)
$(B)/variables $(B)/mpi-variables $(B)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(NOW) | cmp -s - $@ || printf '%s\n' $(NOW) >$@

$(B)/found: $(B)/variables
	@$(PKG_CONFIG) --exists $(LIBRARIES) 'hwloc >= 2.9' || { echo "topomap needs $(LIBRARIES)" \
		"(hwloc 2.9 or later) and pkg-config: 'make deps' installs what is missing" >&2; exit 1; }
	@touch $@
$(B)/mpi_probe/%.o $(B)/mpi_run/operation/%.o $(B)/mpi_run/bench/%.o $(B)/mpi_run/record/%.o: BY_MPI = $(MPICC) $(ALLFLAGS) $(MPI_WARNINGS)
# MPICH's "no statuses" is an address that gcc takes for an array of no length; clang does not know the
# warning.
MPI_WARNINGS = $(if $(findstring clang,$(CC)),,-Wno-stringop-overflow)
$(B)/mpi_probe/%.o: mpi_probe/%.c $(B)/variables $(B)/mpi-variables | $(B)/found
	@mkdir -p $(@D)
	$(BY_MPI) -MMD -MP -c -o $@ $<
$(B)/mpi_run/operation/%.o: mpi_run/operation/%.c $(B)/variables $(B)/mpi-variables | $(B)/found
	@mkdir -p $(@D)
	$(BY_MPI) -MMD -MP -c -o $@ $<
$(B)/mpi_run/bench/%.o: mpi_run/bench/%.c $(B)/variables $(B)/mpi-variables | $(B)/found
	@mkdir -p $(@D)
	$(BY_MPI) -MMD -MP -c -o $@ $<
$(B)/mpi_run/record/%.o: mpi_run/record/%.c $(B)/variables $(B)/mpi-variables | $(B)/found
	@mkdir -p $(@D)
	$(BY_MPI) -MMD -MP -c -o $@ $<
$(WRAPPERS:=.o): %.o: %.c $(B)/variables $(B)/mpi-variables | $(B)/found
	$(BY_MPI) -MMD -MP -c -o $@ $<
$(addprefix $(B)/tests/,mpi/executor mpi/large mpi/corners bench/overhead): $(B)/%: %.c \
		$(B)/libtopomap-operation.a \
		$(B)/libtopomap-executor.a $(B)/libtopomap-tests.a $(INNER)
	@mkdir -p $(@D)
	$(MPICC) $(ALLFLAGS) $(MPI_WARNINGS) $(LINKFLAGS) -o $@ $^ $(PROBE_LIBS)
$(B)/tests/mpi/clock: $(B)/%: %.c $(B)/libtopomap-bench.a $(B)/libtopomap-probe.a $(INNER)
	@mkdir -p $(@D)
	$(MPICC) $(ALLFLAGS) $(MPI_WARNINGS) $(LINKFLAGS) -o $@ $^ $(PROBE_LIBS)
$(B)/tests/mpi/record_lines: $(B)/tests/mpi/record_lines.o $(INNER)
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS)
$(B)/%.o: %.c $(B)/variables | $(B)/found
	@mkdir -p $(@D)
	$(CC) $(ALLFLAGS) $(FLAGS_$<) -MMD -MP -c -o $@ $<

# A test is one file with a `Suite *test_suite(void)`; tests/main.c runs it. What several of
# them share (machines, literal oracles) is in tests/support.
$(B)/tests/bench/bench_%: $(B)/tests/bench/bench_%.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-executor.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS)
$(ROOM_TESTS) $(MPI_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-cli.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)
# those of the library see what its users see
AGAINST_LIBRARY = -L$(B) -ltopomap -Wl,-rpath,'$$ORIGIN/../..' $(LDLIBS)
$(PUBLIC_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/$(SONAME) $(B)/libtopomap.so
	$(CC) $(LINKFLAGS) -o $@ $(filter %.o,$^) $(AGAINST_LIBRARY) $(call pkg,libs,check) -lm
$(B)/tests/attack/attack: $(B)/tests/attack/attack.o $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LDLIBS)
$(B)/tests/lib/documents: $(B)/tests/lib/documents.o $(B)/$(SONAME) $(B)/libtopomap.so
	$(CC) $(LINKFLAGS) -o $@ $< $(AGAINST_LIBRARY)
$(PROBE_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-probe.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)

$(EXECUTOR_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-executor.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)
$(RECORDER_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(addprefix $(B)/mpi_run/record/,handle_map.o \
		new_file.o record_pack.o) $(B)/libtopomap-tests.a $(B)/libtopomap-probe.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)
$(BENCH_TESTS): $(B)/%: $(B)/%.o $(B)/tests/main.o $(B)/libtopomap-tests.a \
		$(B)/libtopomap-bench.a $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $^ $(LIBS) $(call pkg,libs,check)

# The manual pages and completions: what option tables know, and the version, is filled in.
$(B)/man/topomap-%.1: man/topomap-%.1.in $(B)/topomap
	@mkdir -p $(@D)
	@$(B)/topomap --generate man $* <$< >$@
$(B)/man/topomap-probe.1: man/topomap-probe.1.in $(B)/topomap-probe
	@mkdir -p $(@D)
	@$(B)/topomap-probe --generate man <$< >$@
$(B)/man/topomap-bench.1: man/topomap-bench.1.in $(B)/topomap-bench
	@mkdir -p $(@D)
	@$(B)/topomap-bench --generate man bench <$< >$@
$(B)/man/topomap-bench-%.1: man/topomap-bench-%.1.in $(B)/topomap-bench
	@mkdir -p $(@D)
	@$(B)/topomap-bench --generate man $* <$< >$@
$(B)/man/%: man/%.in include/topomap/topomap.h tools/manual.awk core/base/version.h
	@mkdir -p $(@D)
	@awk -v version='$(VERSION)' -v date='$(DATE)' -f tools/manual.awk \
		include/topomap/topomap.h $< >$@
$(SECTIONS):
	@mkdir -p $(@D)
	@ln -sfn . $@
$(REFERENCES): $(B)/man/%.3: $(call files,man/*.3.in)
	@mkdir -p $(@D)
	@page=$$(grep -lx '\.Nm $*\( ,\)*' $^) && page=$${page#man/} && echo ".so man3/$${page%.in}" >$@
$(B)/completions/topomap.%: $(B)/topomap
	@mkdir -p $(@D)
	@$< --generate completion $* >$@
$(B)/completions/topomap-bench.%: $(B)/topomap-bench
	@mkdir -p $(@D)
	@$< --generate completion $* >$@

demo: deps ## install what is missing, build, and go the whole way once on real MPI
	@rm -rf $(B)/demo && mkdir -p $(B)/demo/log
	@echo "Building topomap $(VERSION); what every step prints is in $(B)/demo/log"
	@$(MAKE) $(PARALLEL) all >$(B)/demo/log/build 2>&1 || { cat $(B)/demo/log/build; exit 1; }
	@BUILD=$(B) tools/demo.sh

# A check is a program or script: status 0 passed, 77 skipped with a reason, else failed. One
# that prints a line "N passed, N failed, N skipped" is counted so; tests/run.sh adds all up.
UNIT = $(TESTS)
GOLDEN = $(wildcard tests/cli/*.sh) tests/limits/run.sh tests/attack/run.sh
ROOMS = tests/rooms/run.sh tests/rooms/names.sh tools/format.sh
DOCS = tests/docs/run.sh
PUBLIC = $(wildcard tests/lib/*.sh)
TARBALL = tests/build/tarball.sh # builds and checks what is released
MAKING = $(filter-out %/common.sh $(TARBALL),$(wildcard tests/build/*.sh))
TORTURE = $(wildcard tests/torture/*.sh)
SAN = $(patsubst $(B)/%,build/san/%,$(TESTS)) "BUILD=build/san tests/cli/run.sh" \
	"BUILD=build/san tests/attack/run.sh"
MPI = $(MPI_TESTS) $(wildcard tests/mpi/*.sh)
TIMED = tests/cluster/test_times.sh tests/cluster/test_faster.sh tests/cluster/test_native.sh \
	tests/cluster/test_calibrate.sh tests/cluster/test_tune.sh # compare times of real calls
CLUSTER = $(filter-out $(TIMED),$(wildcard tests/cluster/*.sh))
POLICIES = $(wildcard tests/policies/*.sh)
MAPS = tests/policies/openmpi.sh tests/policies/openmpi5.sh tests/policies/hydra.sh tests/mpi/bench_words.sh \
	tests/mpi/fixes.sh tests/mpi/variables.sh tests/mpi/replay.sh # start no rank that computes beside others
SMPI = $(wildcard tests/smpi/*.sh)
MAPPERS = $(wildcard tests/mappers/*.sh)
MAPPERS_BENCH = $(B)/tests/bench/bench_mapper
# What depends on MPI, signals, other hosts, other processes or time.
FLAKY = $(MPI) $(CLUSTER) $(POLICIES) $(PROBE_TESTS) $(B)/tests/formats/base/test_output \
	$(B)/tests/lib/test_threads tests/torture/files.sh tests/cli/readers.sh \
	tests/cli/hwloc_dies.sh $(B)/tests/formats/base/test_child
RUN = BUILD=$(B) CC='$(CC)' AR='$(AR)' MPICC='$(MPICC)' tests/run.sh
# a packager with another compiler says WERROR=
STRICT = $(PARALLEL) $(if $(filter undefined,$(origin WERROR)),WERROR=-Werror)
# As many jobs as there are CPUs, unless the user said how many.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 1))

check: ## all tests, of many a sample; the last line adds up
	@$(MAKE) $(STRICT) all unit-programs $(MPI_TESTS) $(MAPPERS_BENCH) $(B)/tests/bench/bench_judge
	@$(MAKE) $(STRICT) SANITIZE=address,undefined all unit-programs
	@$(RUN) $(MAPS) $(TORTURE) $(SAN) $(ROOMS) $(DOCS) $(PUBLIC) $(UNIT) $(GOLDEN) $(MAKING) $(SMPI) $(MAPPERS) -- \
		$(filter-out $(MAPS),$(MPI) $(POLICIES) $(CLUSTER))
check-whole: ## the same with all cases of each test: hours; WHOLE=1 does so with any target here
	@$(MAKE) WHOLE=1 CHECK_SECONDS=36000 check
check-quick: ## rooms, docs and unit tests: under a minute, without MPI
	@$(MAKE) $(STRICT) all unit-programs
	@$(RUN) $(ROOMS) $(DOCS) $(PUBLIC) $(UNIT)
check-unit: ## the unit tests
	@$(MAKE) $(STRICT) unit-programs
	@$(RUN) $(UNIT)
check-rooms: all ## who includes what, one definition of every name, the form of the code
	@$(RUN) $(ROOMS)
check-build: all ## the user's variables, install, uninstall, the tarball's files, the version
	@$(RUN) $(MAKING)
check-dist: ## the tarball: it builds, checks and installs without git, the same bits in two folders
	@CHECK_SECONDS=3600 $(RUN) $(TARBALL)
check-golden check-docs: check-%: all
check-golden: ## the command lines under tests/cli, with their exact output, and what small inputs cost
	@$(RUN) $(GOLDEN)
check-docs: ## help, manual, README and completions: parse, agree, and their examples run
	@$(RUN) $(DOCS)
# A sum of unsigned numbers that wraps is defined, and wrong; only clang sees it. Where it is meant,
# a function is TMAP_WRAPS (core/base/wraps.h).
CLANG = clang
INTEGERS = integer,implicit-conversion,float-cast-overflow
check-attack: all $(B)/tests/attack/attack ## hostile command lines and files over all commands and programs: ATTACK_SECONDS=60 SEED=1; ATTACK= repeats one
	@ATTACK_SECONDS='$(or $(ATTACK_SECONDS),60)' SEED='$(or $(SEED),1)' ATTACK='$(ATTACK)' BUILD=$(B) tests/attack/run.sh
check-integers: ## unit and golden tests under clang's sanitizers of sums and conversions
	@command -v $(lastword $(CLANG)) >/dev/null || { echo "skipped: there is no clang"; exit 0; }; \
	export OMPI_CC=clang MPICH_CC=clang CK_TIMEOUT_MULTIPLIER=20 CHECK_SECONDS=7200; \
	$(MAKE) $(STRICT) CC='$(CLANG)' SANITIZE='$(INTEGERS)' B=build/integers \
		CFLAGS='$(CFLAGS) -fsanitize-ignorelist=tests/integers.ignored' all unit-programs && \
	BUILD=build/integers tests/run.sh $(patsubst $(B)/%,build/integers/%,$(TESTS)) \
		"BUILD=build/integers tests/cli/run.sh"
check-san: ## unit and golden tests under the address and undefined behaviour sanitizers
	@$(MAKE) $(STRICT) SANITIZE=address,undefined all unit-programs
	@$(RUN) $(SAN)
check-torture: all ## every allocation of every example, and every call on files, made to fail in turn
	@$(RUN) $(TORTURE)
check-mpi: all ## the probe and the launchers' files under real launchers
	@$(MAKE) $(STRICT) $(MPI_TESTS)
	@$(RUN) -- $(MPI)
check-policies: all ## topomap place against the launchers themselves: a sample
	@$(RUN) -- $(POLICIES)
check-grid: all ## the same over the whole grid, and every call of libraries: an hour
	@WHOLE=1 CHECK_SECONDS=36000 $(RUN) -- $(POLICIES) tests/mpi/defaults.sh tests/mpi/rules.sh tests/mpi/executor.sh \
		tests/mpi/large.sh tests/smpi/executor_250.sh tests/smpi/calibrate.sh tests/smpi/calibration_check.sh \
		tests/smpi/calibrate_use.sh tests/smpi/sparbit.sh
check-flaky: all unit-programs ## what depends on MPI, signals or time, 50 times each beside busy loops; FLAKY= names some
	@$(MAKE) $(STRICT) $(MPI_TESTS)
	@BUILD=$(B) CC='$(CC)' MPICC='$(MPICC)' tests/flaky.sh $(FLAKY)
check-smpi: all $(B)/tests/bench/bench_judge ## predicted times against SimGrid SMPI, a simulator
	@$(RUN) -- $(SMPI)
check-mappers: all $(MAPPERS_BENCH) ## mappings against Scotch's
	@$(RUN) -- $(MAPPERS)
check-cluster: all ## several hosts on this machine (root and iproute2)
	@$(RUN) -- $(CLUSTER)
check-native: all ## the library's algorithms beside ours on such hosts: BUDGET= seconds, and again; PRINT=yes
	@BUDGET='$(BUDGET)' PRINT='$(PRINT)' tests/cluster/test_native.sh
check-long: all ## times of real calls on such hosts: wants an idle machine, and is not in check
	@WHOLE=1 $(RUN) -- $(TIMED) tests/mpi/calibrate.sh tests/smpi/no_harm.sh
check-programs: all ## real programs on such hosts, by suggestions and rules from their records: half an hour
	@CHECK_SECONDS=3600 $(RUN) -- $(wildcard tests/programs/*.sh)
check-quiet: all ## two calibrations agree, and four hosts by theirs (root): 40 minutes of a machine that does nothing else; RUNS=2 SECONDS_EACH=6 HOSTS= for one minute
	@tests/bench/quiet.sh
RELEASE = trixie
check-fresh: ## README's two commands on a bare Debian of RELEASE=bookworm or trixie (root, debootstrap)
	@tools/check-fresh.sh $(RELEASE)
check-packages: ## packages of Debian RELEASE: built, linted, installed, tested, removed (root, debootstrap)
	@tools/check-packages.sh $(RELEASE)
unit-programs: $(TESTS) $(B)/tests/lib/documents $(B)/tests/attack/attack

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
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/main.o $(B)/libtopomap-inner.a
	$(CC) $(LINKFLAGS) -o $@ $< $(FUZZ_DRIVER) $(filter $(B)/lib/%.o,$^) $(B)/libtopomap-inner.a \
		$(LIBS)
$(B)/tests/fuzz/fuzz_library: $(call objects,$(PUBLIC_SOURCES))
# no child dies in the fuzzer's place
$(call programs,$(FUZZ_SOURCES)): $(B)/lib/child.o

bench: all $(call programs,$(BENCH_SOURCES)) ## measure
	@for b in $(call programs,$(BENCH_SOURCES)) $(wildcard tests/bench/*.sh); do \
		echo "== $$b"; BUILD=$(B) $$b || [ $$? = 77 ] || exit 1; done

bench-smpi: all $(B)/tests/bench/bench_judge ## every algorithm's predicted time against SimGrid SMPI
	@BUILD=$(B) tests/bench/judge.sh || [ $$? = 77 ]

# SimGrid's launcher looks for main() in the program.
smpi: $(B)/libtopomap-inner.a ## build/smpi/topomap-bench, which runs on simulated clusters (SimGrid SMPI)
	@$(MAKE) $(PARALLEL) MPICC=smpicc B=build/smpi INNER=$< CFLAGS='$(CFLAGS) -fvisibility=default' \
		build/smpi/topomap-bench

deps: ## install what building and checking need (apt, dnf, zypper, pacman or apk)
	@tools/deps.sh needed
deps-oracles: ## install the independent peers that tests use where they are present
	@tools/deps.sh oracles
deps-programs: ## install the real MPI programs that check-programs runs
	@tools/deps.sh programs

# What is installed, FILE:WHERE; `make uninstall` removes just that.
below = $(if $(filter /%,$1),$1,$(PREFIX)/$1)
at = $(foreach f,$1,$f:$(call below,$2)/$(or $3,$(notdir $f)))
EXECUTABLES = $(call at,$(PROGRAMS),$(BINDIR))
# below lib/topomap/openmpi or mpich: each MPI has its own
MPI_LIBRARY = $(shell sed -n p $(B)/mpi_run/record/library 2>/dev/null)
EXECUTABLES += $(call at,$(PRELOADS),$(LIBDIR)/topomap/$(MPI_LIBRARY))
DATA = $(foreach n,1 3 5 7,$(call at,$(filter %.$n,$(PAGES)),$(MANDIR)/man$n)) \
	$(foreach f,$(filter %.bash,$(COMPLETIONS)),$(call at,$f,$(BASHDIR),$(basename $(notdir $f)))) \
	$(foreach f,$(filter %.zsh,$(COMPLETIONS)),$(call at,$f,$(ZSHDIR),_$(basename $(notdir $f)))) \
	$(call at,$(filter %.fish,$(COMPLETIONS)),$(FISHDIR)) \
	$(call at,$(SHARED) $(B)/libtopomap.a,$(LIBDIR)) \
	$(call at,include/topomap/topomap.h,$(INCLUDEDIR)/topomap) \
	$(call at,$(call files,examples/*.c),$(DOCDIR)/examples)
LINKS = $(foreach l,$(SONAME) libtopomap.so,$(call below,$(LIBDIR))/$l)
PC = $(call below,$(LIBDIR))/pkgconfig/topomap.pc
put = for f in $2; do $(INSTALL) -D -m $1 "$${f%%:*}" "$(DESTDIR)$${f\#*:}" || exit 1; done
# Names with blanks or relative ones would go somewhere else, or nowhere.
check-prefix = @case '$(PREFIX)' in *[[:space:]]*|[!/]*|'') \
	echo "PREFIX='$(PREFIX)': it is to be an absolute path without blanks" >&2; exit 1;; esac
install: all ## install under $(DESTDIR)$(PREFIX)
	$(check-prefix)
	@umask 022; $(call put,755,$(EXECUTABLES)); $(call put,644,$(DATA))
	@for l in $(LINKS); do ln -sf $(notdir $(SHARED)) "$(DESTDIR)$$l" || exit 1; done
	@umask 022; mkdir -p "$(DESTDIR)$(dir $(PC))"
	@umask 022; sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call below,$(LIBDIR))|' \
		-e 's|@INCLUDEDIR@|$(call below,$(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|' \
		lib/topomap.pc.in >"$(DESTDIR)$(PC)"
	@echo "topomap $(VERSION) is installed under $(DESTDIR)$(PREFIX)"
uninstall: HAS_PROBE = whatever was built last
uninstall: ## remove what install installed there
	$(check-prefix)
	@for f in $(EXECUTABLES) $(DATA) $(LINKS) $(PC); do rm -f "$(DESTDIR)$${f#*:}" || exit 1; done
	@for d in $(call below,$(INCLUDEDIR)/topomap) $(call below,$(DOCDIR)/examples) \
		$(call below,$(LIBDIR)/topomap/$(MPI_LIBRARY)) $(call below,$(LIBDIR)/topomap) \
		$(call below,$(DOCDIR)); do rmdir "$(DESTDIR)$$d" 2>/dev/null || :; done
dist: ## write build/topomap-VERSION.tar.gz: the files of the commit, the same bits each time
	@tools/dist.sh $(VERSION)

format: ## write every C file in the form of .clang-format
	@tools/format.sh -i
check-format: ## no C file has another form than .clang-format says (clang-format 14 or later)
	@$(RUN) tools/format.sh
# A file is looked at again when it, a header of it or the checks changed. Leaks are the sanitizers'
# subject; of arrays whose elements are results of calls gcc 12 says that they are not initialized.
ANALYZER = -fanalyzer -Wno-analyzer-file-leak -Wno-analyzer-malloc-leak \
	-Wno-analyzer-use-of-uninitialized-value
# What includes mpi.h is looked at where there is one.
MPI_EXAMPLES := $(shell grep -ls '<mpi[.]h>' examples/*.c)
MPI_INCLUDES = $(if $(MPICC),$(filter -I%,$(shell $(MPICC) -show)))
$(foreach f,$(MPI_EXAMPLES),$(eval FLAGS_$f += $$(MPI_INCLUDES)))
LINTED = $(LIB_SOURCES) $(EXECUTOR_SOURCES) $(PUBLIC_SOURCES) cli/main.c $(CLI_SOURCES) \
	$(filter-out $(MPI_EXAMPLES),$(call files,examples/*.c)) \
	$(if $(MPICC),$(MPI_EXAMPLES) mpi_probe/main.c $(PROBE_SOURCES) $(OPERATION_SOURCES) \
		mpi_run/bench/main.c $(BENCH_PROGRAM_SOURCES) $(RECORDER_SOURCES))
LINTERS = $(foreach t,clang-tidy gcc,$(if $(shell command -v $t),$t))
LINTFLAGS = $(FLAGS_$*.c) $(if $(filter mpi_probe/% mpi_run/%,$*),$(MPI_INCLUDES))
lint: check-format ## what clang-tidy, gcc -fanalyzer and shellcheck find, where they are present
	@$(MAKE) $(PARALLEL) -k $(foreach t,$(LINTERS),$(LINTED:%.c=$(B)/lint/%.$t))
	@tools/lint.sh
$(B)/lint/%.clang-tidy: $(B)/%.o .clang-tidy
	@tools/lint.sh $@ clang-tidy --quiet $*.c -- $(ALLFLAGS) $(LINTFLAGS)
$(B)/lint/%.gcc: $(B)/%.o
	@tools/lint.sh $@ gcc $(ALLFLAGS) $(ANALYZER) -Werror $(LINTFLAGS) -c -o /dev/null $*.c
clean: ## remove build/
	rm -rf build
TARGETS = sed -n 's/^\([a-z-]*\):.*\#\# \(.*\)/\1|\2/p' Makefile
help: ## print the targets
	@$(TARGETS) | while IFS='|' read -r t text; do printf '  %-14s %s\n' "$$t" "$$text"; done

FORCE:
.PHONY: $(shell $(TARGETS) | sed 's/|.*//') unit-programs fuzz-programs FORCE
.SECONDARY:
.DELETE_ON_ERROR:
-include $(wildcard $(SOURCES:%.c=$(B)/%.d))
