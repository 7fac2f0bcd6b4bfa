#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `make deps` says in one line what it installs; what the package manager prints is seen if it
# fails. The manager is an imitation of apt-get.
cd "$(dirname "$0")/../.." || exit 3
. tests/build/common.sh
bin=$work/bin
mkdir "$bin"
for program in sh sed awk grep mktemp rm cat env dirname; do
	ln -s "$(command -v $program)" "$bin/$program"
done
ln -s "$(command -v bash)" "$bin/bash"
# program NAME: from standard input
program() { { echo '#!/bin/sh'; cat; } >"$bin/$1"; chmod +x "$bin/$1"; }
echo 'echo 0' | program id
echo 'case $* in *" gcc" | *" make") echo "install ok installed" ;; *) exit 1 ;; esac' | program dpkg-query
cat <<'END' | program apt-get
echo "$@" >>"$APT"
echo "Unpacking a hundred lines"
case $* in *scotch* | *"$REFUSED"*) exit 100 ;; esac
END
# deps WHAT: what is asked of apt-get is in $work/asked, what is printed in $work/out and err
deps()
{
	: >"$work/asked"
	env -i PATH="$bin" APT="$work/asked" REFUSED="${2:-nothing}" tools/deps.sh "$1" >"$work/out" 2>"$work/err"
}

deps needed
same "the status of an installation" 0 $?
same "a line says what is installed" "1 deps: installing" \
	"$(wc -l <"$work/out") $(sed 's/ [^ ]*$//; s/\(installing\).*/\1/' "$work/out")"
same "that and nothing that is there is asked for" "$(sed 's/.*installing //' "$work/out")" \
	"$(sed -n 's/.* install //p' "$work/asked")"
same "what is there" "" "$(grep -w -e gcc -e make "$work/out")"
same "what apt-get prints" "" "$(grep Unpacking "$work/out" "$work/err")"

deps packages
same "what the check of packages needs is a list, too" "deps: installing debootstrap util-linux" "$(cat "$work/out")"
deps packages debootstrap
same "the status where one of it cannot be installed" 1 $?

deps needed libhwloc-dev
same "the status of a failed one" 1 $?
holds "what apt-get printed is shown then" grep -q '^Unpacking' "$work/err"
holds "and what could not be installed" grep -q 'could not install .*libhwloc-dev' "$work/err"

deps oracles
same "an oracle that is not there is no failure" 0 $?
same "one line says so" "deps: no scotch here; the tests that use it are skipped" "$(cat "$work/err")"
holds "the others are asked for" grep -q 'install mpich$' "$work/asked"

# README names for apt just what is needed but by the tests
same "the packages that README names" \
	"$(env -i PATH="$bin" tools/deps.sh needed --list | tr ' ' '\n' | grep -vx -e check -e mandoc -e bash | sort)" \
	"$(sed -n '/^    sudo apt install /,/[^\\]$/p' README.md | sed 's/sudo apt install//; s/\\$//' | tr -s ' ' '\n' | grep . | sort)"
finish
