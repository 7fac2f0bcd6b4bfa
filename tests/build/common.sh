# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What the tests of the Makefile share. They run make as a user does, not as a part of the make
# that runs them, and with none of its variables.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CPPFLAGS CFLAGS LDFLAGS LDLIBS
unset AR WERROR PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR MANDIR DOCDIR DESTDIR SANITIZE
build=${BUILD:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# same WHAT WANTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1"
		printf '%s\n' "$2" >"$work/wanted"
		printf '%s\n' "$3" | diff "$work/wanted" - | sed 's/^/    /'
	fi
}

# holds WHAT COMMAND..., fails WHAT COMMAND...: it ends well; it does not
holds()
{
	what=$1
	shift
	if "$@" >"$work/said" 2>&1; then pass; else fail "$what"; cat "$work/said"; fi
}
fails()
{
	what=$1
	shift
	if "$@" >"$work/said" 2>&1; then fail "$what"; else pass; fi
}

finish()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}
