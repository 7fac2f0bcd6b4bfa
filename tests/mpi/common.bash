# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the probe under real launchers share. A test sources this file, loops
# over flavours (use_mpi) and ends with finish.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
top=$PWD build=${BUILD:-build}
PATH=$top/$build:$PATH
work=$(mktemp -d) || exit 3
case $work in
*-*) rmdir "$work"; work=$(mktemp -d /tmp/topomap.XXXXXX) || exit 3 ;; # no path for --map-by
esac
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
passed=0 failed=0 skipped=0

# Open MPI refuses root unless told so; single copy needs ptrace, which containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
unset HWLOC_XMLFILE HWLOC_SYNTHETIC HWLOC_THISSYSTEM HWLOC_COMPONENTS

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $mpi: $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

finish()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# same WHAT WANTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1"
		diff <(echo "$2") <(echo "$3") | sed 's/^/    /'
	fi
}

# find_launcher PATTERN NAME...: the first of the programs whose --version has the pattern
find_launcher()
{
	local pattern=$1 name
	shift
	for name; do
		if command -v "$name" >/dev/null && "$name" --version 2>&1 | grep -q "$pattern"; then
			echo "$name"
			return 0
		fi
	done
	return 1
}

# use_mpi FLAVOUR: sets mpi, mpirun and probe; builds a second probe where make was told
# another compiler. Where that cannot be done the test is skipped, and the status is 1.
use_mpi()
{
	mpi=$1
	case $mpi in
	openmpi)
		mpirun=$(find_launcher 'Open MPI\|OpenRTE' mpirun.openmpi mpirun)
		openmpi_major=$("${mpirun:-false}" --version | sed -n 's/.* \([0-9]*\)\.[0-9.]*.*/\1/p;q') ;;
	mpich) mpirun=$(find_launcher 'HYDRA' mpirun.mpich mpiexec.hydra mpirun) ;;
	esac
	if [ -z "$mpirun" ]; then
		skip "$mpi: its launcher is not installed"
		return 1
	fi
	probe=$top/$build/topomap-probe
	if [ -x "$probe" ] && is_built_with "$mpi"; then
		return 0
	fi
	if ! command -v "mpicc.$mpi" >/dev/null; then
		skip "$mpi: there is no mpicc.$mpi to build another probe with"
		return 1
	fi
	probe=$top/build/$mpi/topomap-probe
	make_for_mpi topomap-probe
}

# make_for_mpi TARGET: in the folder of the MPI in use, which built is set to. What knows no MPI is that of the build
# that is tested, of today's sources. One at a time: tests beside each other would make it at once.
make_for_mpi()
{
	local of_mpi=() make=(flock "$build" env -u MAKEFLAGS -u MFLAGS make -s -j"$(nproc)" WERROR=-Werror)
	case $probe in
	$top/build/mpich/* | $top/build/openmpi/*)
		built=build/$mpi of_mpi=(MPICC="mpicc.$mpi" INNER="$build/libtopomap-inner.a") ;;
	*) built=$build ;;
	esac
	"${make[@]}" B="$build" "$build/libtopomap-inner.a" >"$work/make" 2>&1 &&
		"${make[@]}" B="$built" "${of_mpi[@]}" "$built/$1" >"$work/make" 2>&1 && return
	fail "$1 cannot be built for $mpi"
	cat "$work/make"
	return 1
}

# is_first: the library in use is the first one that is here. What no library has a part in is tried with that one,
# and with WHOLE=1 with each.
first=
is_first()
{
	first=${first:-$mpi}
	[ -n "$WHOLE" ] || [ "$mpi" = "$first" ]
}

is_built_with()
{
	case $1 in
	openmpi) ldd "$probe" | grep -q 'libopen-rte\|libopen-pal' ;;
	mpich) ldd "$probe" | grep -q 'libmpich' ;;
	esac
}

# use_collectives: sets mpi, mpirun and probe to those of Open MPI, and collectives to the program
# that calls its collectives (collectives.c). Where that cannot be, the test is skipped.
use_collectives()
{
	use_mpi openmpi || return 1
	if ! command -v mpicc.openmpi >/dev/null; then
		skip "there is no mpicc.openmpi to build a program of collectives with"
		return 1
	fi
	collectives=$work/collectives
	mpicc.openmpi -std=c11 -D_GNU_SOURCE -I. -o "$collectives" tests/mpi/collectives.c \
		tests/mpi/traffic.c -ldl || { fail "collectives.c does not compile"; return 1; }
}

# launch RANKS [LAUNCHER'S OPTION]... PROGRAM [ARGUMENT]...
launch()
{
	local ranks=$1
	shift
	case $mpi in
	openmpi) open_mpi_options "$@" && "$mpirun" "${options[@]}" -n "$ranks" "${rest[@]}" ;;
	mpich) "$mpirun" -n "$ranks" "$@" ;;
	esac </dev/null
}

# set_by_file FILE: by_file, the options of a rankfile; row, the launcher's name for topomap
set_by_file()
{
	if [ "$openmpi_major" -lt 5 ]; then
		row=openmpi4 by_file=(--rankfile "$1")
	else
		row=openmpi5 by_file=(--map-by "rankfile:file=$1" --bind-to :overload-allowed)
	fi
}

# open_mpi_options OPTION... PROGRAM...: options and rest, in the words of the release that is
# here. From 5 on a rankfile is a policy of --map-by, --oversubscribe unbinds the ranks, shared
# PUs have to be allowed, and btl/tcp complains of hosts without a network.
open_mpi_options()
{
	options=() rest=()
	[ "$openmpi_major" -lt 5 ] || options=(--mca btl ^tcp)
	local oversubscribe=yes
	while [ "${1:0:1}" = - ]; do
		if [ "$openmpi_major" -lt 5 ]; then
			options+=("$1")
		else
			case $1 in
			--rankfile)
				set_by_file "$2"
				options+=("${by_file[@]}")
				oversubscribe=
				shift ;;
			--display-map) options+=(--display map) ;;
			*) options+=("$1") ;;
			esac
		fi
		case $1 in
		--mca) options+=("$2" "$3"); shift 2 ;;
		--bind-to | --map-by | --host | --rankfile) options+=("$2"); shift ;;
		esac
		shift
	done
	[ -z "$oversubscribe" ] || options+=(--oversubscribe)
	rest=("$@")
}

# The PUs that the kernel would let this process run on, as "0-3,8": what is left of all.
allowed_pus()
{
	(
		taskset -pc 0-4095 "$BASHPID" >/dev/null 2>&1
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$BASHPID/status"
	)
}

# column MEMBER FILE: that member of every rank, "RANK VALUE" a line; what inspect reads.
column()
{
	topomap inspect -f json --table "$2" |
		sed -n "s/^ *{\"rank\": \\([0-9]*\\),.*\"$1\": \"\\{0,1\\}\\([^\",}]*\\).*/\\1 \\2/p"
}

# column cuts a set at its first comma; this one does not
pus_of()
{
	topomap inspect -f json --table "$1" |
		sed -n 's/^ *{"rank": \([0-9]*\),.*"'"${2:-pus}"'": "\([^"]*\)".*/\1 \2/p'
}

# said FILE: what the probe itself said on standard error, without the launcher's words and
# the zeros that Open MPI 5 ends its paragraphs with
said() { tr -d '\0' <"$1" | grep '^topomap-probe:'; }
