#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The packages as their users have them: `check-packages.sh bookworm|trixie` builds those of
# packaging/debian from the tarball of what is committed, twice, in a bare Debian of that release,
# looks at them with lintian, and in another one installs, tests and removes them. A line a step, and
# at its end the seconds; of a step that fails the output is shown. The packages stay in
# build/packages/RELEASE, what the steps print in build/packages/RELEASE/log. A bare Debian that an
# earlier run left in build/packages/RELEASE/bare is brought up to date.
#
# Needs root, debootstrap and a mirror, which is that of this machine's own package sources. The user
# builder, not root, builds. All that runs and is mounted ends with this script, however that ends.
set -eu -o pipefail
cd "$(dirname "$0")/.."
release=${1:?usage: check-packages.sh RELEASE}
. tools/bare.bash
tools/deps.sh packages
bare_needs "$release"
[ "${2:-}" = alone ] ||
	exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$release" alone
out=$PWD/build/packages/$release
version=$(sed -n 's/.* TMAP_VERSION "\(.*\)"/\1/p' core/base/version.h)
rm -rf "$out/log" "$out"/*topomap*
mkdir -p "$out/log"
steps=0

# step WHAT COMMAND...: the last line that it prints is its result
step()
{
	local what=$1 began log
	shift
	steps=$((steps + 1))
	log=$out/log/$(printf %02d "$steps")
	began=$(date +%s)
	# not in a condition, where the shell would not end at an error
	set +e
	(set -e; "$@") >"$log" 2>&1 </dev/null
	local status=$?
	set -e
	if [ "$status" -ne 0 ]; then
		tail -n 60 "$log" >&2
		echo "check-packages: $what: status $status; all that it printed is in $log" >&2
		exit 1
	fi
	printf '%-9s %-33s %s (%d s)\n' "$release" "$what" "$(tail -n 1 "$log")" \
		"$(($(date +%s) - began))"
}

# inside ROOT FUNCTION ARGUMENT...: one of the functions in_... below, in that root
inside()
{
	local root=$1
	shift
	bare_exec "$root" bash -eu -o pipefail -c "export DEBIAN_FRONTEND=noninteractive
		$(declare -f "$1"); \"\$@\"" "$0" "$@"
}

make_bare()
{
	[ -e "$out/bare/etc/hosts" ] || bare_make "$release" "$out/bare"
	inside "$out/bare" in_bare
}
in_bare()
{
	apt-get -qq update
	apt-get -qq -y dist-upgrade
	dpkg-query -W -f '.\n' | wc -l | sed 's/$/ packages/'
}

copy_bare() { rm -rf --one-file-system "$1"; cp -a "$out/bare" "$1"; }

make_sources()
{
	make -s dist
	copy_bare "$out/build"
	cp "build/topomap-$version.tar.gz" "$out/build/root/"
	wc -c <"build/topomap-$version.tar.gz" | sed "s/\$/ bytes: topomap-$version.tar.gz/"
}

# what Build-Depends names, and nothing else; sources of the packages in two folders
in_prepare()
{
	local version=$1 folder
	apt-get -qq -y --no-install-recommends install build-essential
	useradd --create-home builder
	for folder in first "second/in another folder"; do
		mkdir -p "/home/builder/$folder"
		cp "/root/topomap-$version.tar.gz" "/home/builder/$folder/topomap_$version.orig.tar.gz"
		tar -xzf "/root/topomap-$version.tar.gz" -C "/home/builder/$folder"
		cp -r "/home/builder/$folder/topomap-$version/packaging/debian" \
			"/home/builder/$folder/topomap-$version/debian"
	done
	chown -R builder: /home/builder
	cd "/home/builder/first/topomap-$version"
	apt-get -y --no-install-recommends build-dep ./ | sed -n 's/.* \([0-9]* newly installed\).*/\1/p'
}

# in_build FOLDER VERSION OPTIONS
in_build()
{
	cd "/home/builder/$1/topomap-$2"
	runuser -u builder -- env HOME=/home/builder DEB_BUILD_OPTIONS="$3" \
		dpkg-buildpackage --no-sign 2>&1 | tee /tmp/log
	sed -n 's/^\(.* passed, .* failed, .* skipped\)$/checks: \1/p' /tmp/log | paste -sd ';' |
		sed 's/; */; /g; s/^$/no checks/'
}

# the same bits from another folder, in another language and time zone
in_build_again()
{
	local package
	export TZ=Asia/Tokyo LANG=C.UTF-8
	cd "/home/builder/second/in another folder/topomap-$1"
	runuser -u builder -- env HOME=/home/builder DEB_BUILD_OPTIONS="$2 nocheck" \
		sh -c 'umask 002 && dpkg-buildpackage --no-sign --build=binary'
	cd ..
	for package in *.deb; do cmp "$package" "/home/builder/first/$package"; done
	ls -- *.deb | wc -l | sed 's/$/ packages, all with the same bits/'
}

# errors and warnings fail; hints that are less are counted
in_lint()
{
	apt-get -qq -y --no-install-recommends install lintian
	cd /home/builder/first
	runuser -u builder -- lintian --version
	runuser -u builder -- lintian --display-info --pedantic --show-overrides \
		--fail-on error,warning ./*.changes | tee /tmp/log
	count() { grep -c "^$1: " /tmp/log || true; }
	echo "$(count E) errors, $(count W) warnings, $(count I) of information," \
		"$(count P) pedantic, $(count O) overridden"
}

keep_packages()
{
	local file
	cp "$out"/build/home/builder/first/*_* "$out/"
	copy_bare "$out/use"
	mkdir "$out/use/root/packages"
	cp "$out"/*topomap*_* "$out/use/root/packages/"
	rm -f "$out"/use/root/packages/*-dbgsym_*
	for file in "$out"/use/root/packages/*.deb; do
		wc -c <"$file" | sed "s/^/$(basename "${file%%_*}") /"
	done | paste -sd , | sed 's/,/, /g'
}

# the command alone, with what it depends on and nothing that is recommended: pictures are the part
# that has plug-ins
in_command()
{
	cd /root/packages
	find / -xdev -path /root -prune -o -path /var/cache -prune -o -path /var/log -prune -o \
		-print | sort >/root/before
	apt-get -qq -y --no-install-recommends install ./topomap_*.deb
	topomap --version
	topomap place 'node:2 package:2 core:4' -o /tmp/job.json
	for format in svg png; do topomap tree -o "/tmp/tree.$format" /tmp/job.json; done
	grep -q '</svg>' /tmp/tree.svg
	test "$(head -c 4 /tmp/tree.png | tail -c 3)" = PNG
	grep -q . /usr/share/bash-completion/completions/topomap
	topomap inspect /tmp/job.json | head -n 1
}

in_install()
{
	cd /root/packages
	apt-get -qq -y install ./*.deb
	dpkg-query -W '*topomap*' | wc -l | sed 's/$/ packages/'
}

in_autopkgtest()
{
	local status=0
	apt-get -qq -y --no-install-recommends install autopkgtest
	cd /root/packages
	# a child of it may print when it has ended
	autopkgtest --no-built-binaries --output-dir=/root/autopkgtest ./*.dsc -- null \
		>/root/autopkgtest.out 2>&1 || status=$?
	cat /root/autopkgtest.out
	[ "$status" -eq 0 ] || exit "$status"
	sed 's/  */ /' /root/autopkgtest/summary | paste -sd , | sed 's/,/, /g'
}

# a program of a few lines, and one of the examples that the package has
in_program()
{
	cd /tmp
	cat >version.c <<-'EOF'
	#include <stdio.h>
	#include <topomap/topomap.h>
	int main(void)
	{
		puts(topomap_version());
		return 0;
	}
	EOF
	cc version.c $(pkg-config --cflags --libs topomap) -o version
	cc /usr/share/doc/libtopomap-dev/examples/distance_matrix.c \
		$(pkg-config --cflags --libs topomap) -o distance_matrix
	./distance_matrix /tmp/job.json | head -n 3
	# every page and library that a link names is there
	test -e /usr/share/man/man3/topomap_tree_new.3.gz
	test -z "$(find -L /usr/share/man /usr/lib -name '*topomap*' -type l)"
	test "$(./version)" = "$1"
	echo "libtopomap $(./version)"
}

# topomap-probe is Open MPI's, then MPICH's at the administrator's word, then Open MPI's again, and
# without Open MPI's package MPICH's
in_alternatives()
{
	is()
	{
		test "$(readlink -f /usr/bin/topomap-probe)" = "/usr/bin/topomap-probe.$1"
		test "$(readlink -f /usr/share/man/man1/topomap-probe.1.gz)" = \
			"/usr/share/man/man1/topomap-probe.$1.1.gz"
		topomap-probe --version
		ldd /usr/bin/topomap-probe | grep "$2"
	}
	is openmpi libmpi.so
	update-alternatives --set topomap-probe /usr/bin/topomap-probe.mpich
	is mpich libmpich.so
	update-alternatives --auto topomap-probe
	is openmpi libmpi.so
	apt-get -qq -y remove topomap-mpi-openmpi
	is mpich libmpich.so
	apt-get -qq -y install /root/packages/topomap-mpi-openmpi_*.deb
	is openmpi libmpi.so
	apt-get -qq -y --reinstall install /root/packages/topomap-mpi-openmpi_*.deb
	is openmpi libmpi.so
	update-alternatives --query topomap-probe | sed -n 's/^Alternative: //p' | paste -sd ' '
}

in_purge()
{
	apt-get -qq -y purge '^(lib)?topomap'
	test -z "$(dpkg-query -W '*topomap*' 2>/dev/null)"
	if update-alternatives --query topomap-probe; then exit 1; fi
	# the manual's index and files of other packages are no trace of these
	find / -xdev -path /root -prune -o -path /var/cache -prune -o -path /var/log -prune -o \
		-path /tmp -prune -o -print | sort | comm -13 /root/before - | grep -i topomap >/root/left || true
	cat /root/left
	test ! -s /root/left
	if grep -rl topomap /etc /var/lib/dpkg/alternatives /var/lib/dpkg/status; then exit 1; fi
	echo "nothing is left"
}

jobs=parallel=$(nproc)
step "a bare Debian" make_bare
step "tarball" make_sources
step "build dependencies" inside "$out/build" in_prepare "$version"
step "packages" inside "$out/build" in_build first "$version" "$jobs ${DEB_BUILD_OPTIONS:-}"
step "packages in another folder" inside "$out/build" in_build_again "$version" "$jobs"
step "lintian" inside "$out/build" in_lint
step "bytes" keep_packages
step "the command alone" inside "$out/use" in_command
step "all packages installed" inside "$out/use" in_install
step "autopkgtest" inside "$out/use" in_autopkgtest
step "a program with the library" inside "$out/use" in_program "$version"
step "alternatives of topomap-probe" inside "$out/use" in_alternatives
step "removal" inside "$out/use" in_purge
