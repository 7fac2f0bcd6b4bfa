#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the packages of packaging/ say again is what the tree says: the version and its date, what
# building needs (tools/deps.sh), the library's name; tests/lib/symbols.sh has its functions. Spack's
# recipe is run with an imitation of Spack that notes what it declares. The packages themselves:
# make check-packages.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
[ -d packaging ] || { echo "skipped: no packaging here"; exit 77; }
debian=packaging/debian
version=$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)
date=$(sed -n 's/.* TMAP_VERSION_DATE "\(.*\)"/\1/p' core/base/version.h)

# the first entry of a Debian changelog
entry_version() { sed -n '1s/^topomap (\(.*\)-[^-]*) .*/\1/p' "$1"; }
entry_date() { sed -n 's/^ -- .*>  //p' "$1" | head -n 1; }
same "the version in Debian's changelog" "$version" "$(entry_version $debian/changelog)"
same "its date" "$(date -u -d "$date" +%F)" "$(date -u -d "$(entry_date $debian/changelog)" +%F)"
sed '1s/(/(9/' $debian/changelog >"$work/changelog"
same "another version is seen" "9$version" "$(entry_version "$work/changelog")"

# field NAME FILE: the words of a field of the first paragraph, versions and conditions left out
field()
{
	awk -v name="$1:" '/^$/ { exit } /^[^ #]/ { on = $1 == name; sub(/^[^ ]*/, "") } on' "$2" |
		sed 's/([^)]*)//g; s/\[[^]]*\]//g; s/<[^>]*>//g' | tr -s ', \n' '\n' | sed '/^$/d'
}
field Build-Depends $debian/control >"$work/builds"
# what the table calls otherwise, and what every build of Debian has
awk '/^needed=/ { on = 1 } /^.$/ { on = 0 } on && / [|] / { n = split($0, part, / *[|] */); print part[2] }' \
	tools/deps.sh | tr ' ' '\n' | grep -vx -e gcc -e libc6-dev -e make -e bash -e openmpi-bin |
	sed 's/^pkg-config$/pkgconf/' >"$work/needed"
holds "the table of needs is read" test "$(wc -l <"$work/needed")" -ge 7
same "Build-Depends is what deps.sh needs, debhelper and MPICH" \
	"$( (cat "$work/needed"; echo debhelper-compat; echo libmpich-dev) | sort)" "$(sort "$work/builds")"

soname=$(sed -n 's/^SONAME = //p' Makefile)
same "the package of the library is named by its soname" "libtopomap${soname##*.}" \
	"$(sed -n 's/^Package: \(libtopomap[0-9]*\)$/\1/p' $debian/control)"
same "its table of symbols, too" "$soname" "$(sed -n '/^lib/s/ .*//p' $debian/libtopomap0.symbols)"

# The pages of the programs that each MPI has its own of.
pages=$(ls man/topomap-probe.1.in man/topomap-bench*.1.in | sed 's,.*/,,; s/\.1\.in$//' | sort | paste -sd ' ')
same "the pages that Debian's rules make for each MPI" "$pages" "$(sed -n 's/.*for page in \(.*\); do.*/\1/p' $debian/rules |
	tr ' ' '\n' | sed 's/^/topomap-/' | sort | paste -sd ' ')"
for mpi in openmpi mpich; do
	same "the pages of its package for $mpi" "$pages" "$(sed -n "s,^build/man/\(.*\)\.$mpi\.1\$,\1,p" \
		$debian/topomap-mpi-$mpi.manpages | sort | paste -sd ' ')"
	same "and those that alternatives choose" "$pages" "$(sed -n "s,.* /usr/share/man/man1/\(.*\)\.$mpi\.1\.gz\$,\1,p" \
		$debian/topomap-mpi-$mpi.alternatives | sort | paste -sd ' ')"
done

for file in "$debian"/tests/[a-z]*; do
	[ "${file##*/}" = control ] || holds "$file is a script" sh -n "$file"
done
for test in $(sed -n 's/^Tests: //p' $debian/tests/control); do
	holds "the test $test is there" test -x "$debian/tests/$test"
done

# Spack
if command -v python3 >/dev/null; then
	cat >"$work/recipe.py" <<-'EOF'
	import os, runpy, sys, types

	said = {}
	def directive(name):
	    return lambda *args, **more: said.setdefault(name, []).append((args, more))
	package = types.ModuleType("spack.package")
	for name in ("version", "variant", "depends_on", "license"):
	    setattr(package, name, directive(name))
	package.MakefilePackage = type("MakefilePackage", (), {"prefix": "/opt/topomap"})
	package.make = directive("make")
	sys.modules["spack"] = types.ModuleType("spack")
	sys.modules["spack.package"] = package
	recipe = runpy.run_path(sys.argv[1])["Topomap"]

	class Mpi:
	    mpicc = "/opt/mpi/bin/mpicc"
	class Spec:
	    def __init__(self, mpi): self.mpi = mpi
	    def satisfies(self, what): return self.mpi == (what == "+mpi")
	    def __getitem__(self, name): return Mpi
	class Environment:
	    def set(self, name, value): print("environment", name + "=" + str(value))

	for version in said["version"]: print("version", version[0][0])
	for variant in said["variant"]: print("variant", variant[0][0])
	for (what,), more in said["depends_on"]:
	    print("depends", what, more.get("when", "always"), more.get("type", "default"))
	for mpi in True, False:
	    it = recipe()
	    it.spec = Spec(mpi)
	    it.setup_build_environment(Environment())
	it.check()
	for targets, more in said["make"]: print("checks", *targets)
	EOF
	holds "Spack's recipe is Python" python3 -m py_compile packaging/spack/package.py
	rm -rf packaging/spack/__pycache__
	holds "and does what a recipe does" python3 -B "$work/recipe.py" packaging/spack/package.py
	cp "$work/said" "$work/recipe"
	same "its first version" "version $version" "$(grep '^version' "$work/recipe" | head -n 1)"
	spack() { sed -n "s/^$1 //p" "$work/recipe"; }
	# the tree's words for these, and what is optional for the checks there
	awk '/^needed=/ { on = 1 } /^.$/ { on = 0 } on && / [|] / { print $1 }' tools/deps.sh |
		sed 's/^compiler$/c/; s/^make$/gmake/; s/^pkg-config$/pkgconfig/' |
		grep -vx -e bash -e mandoc | sort >"$work/wanted"
	same "it depends on what deps.sh needs" "$(cat "$work/wanted")" \
		"$(spack depends | sed 's/[@+~ ].*//' | sort)"
	same "the release of hwloc" "$(sed -n "s/.*'hwloc >= \([0-9.]*\)'.*/\1/p" Makefile)" \
		"$(spack depends | sed -n 's/^hwloc@\([0-9.]*\): .*/\1/p')"
	same "and in Debian" "$(sed -n "s/.*'hwloc >= \([0-9.]*\)'.*/\1/p" Makefile)" \
		"$(sed -n 's/.*libhwloc-dev (>= \([0-9.]*\)).*/\1/p' $debian/control)"
	same "MPI is a variant" "mpi mpi +mpi default" "$(spack variant) $(spack depends | grep ^mpi)"
	same "with and without MPI's compiler" "MPICC=/opt/mpi/bin/mpicc MPICC=" \
		"$(spack environment | grep ^MPICC | paste -sd ' ')"
	for target in $(spack checks); do
		holds "make has the target $target" make -n B=build-nothing MPICC= "$target"
	done
else
	skip "python3 is not installed, Spack's recipe was not run"
fi
finish
