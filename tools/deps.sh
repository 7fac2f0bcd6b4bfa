#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages that are missing: `deps.sh needed` what building and checking need,
# `deps.sh oracles` the independent peers of the tests, `deps.sh programs` the real MPI programs that
# check-programs runs, `deps.sh packages` what makes the bare Debian in which packages are checked. Uses the system's package manager, with sudo where the user is not
# root; does nothing, and uses no network, where all is there. One line says what is installed; what
# the package manager prints is shown if it fails. `deps.sh needed --list` prints the names and
# installs nothing.
set -u

# name | apt | dnf | zypper | pacman | apk; a dash: not packaged there (only oracles and programs may be)
needed='
compiler | gcc libc6-dev | gcc glibc-devel | gcc glibc-devel | gcc | gcc musl-dev
make | make | make | make | make | make
pkg-config | pkg-config | pkgconf-pkg-config | pkg-config | pkgconf | pkgconf
hwloc | libhwloc-dev | hwloc-devel | hwloc-devel | hwloc | hwloc-dev
jansson | libjansson-dev | jansson-devel | libjansson-devel | jansson | jansson-dev
libyaml | libyaml-dev | libyaml-devel | libyaml-devel | libyaml | yaml-dev
graphviz | graphviz libgraphviz-dev | graphviz graphviz-devel | graphviz graphviz-devel | graphviz | graphviz graphviz-dev
check | check | check-devel | check-devel | check | check-dev
mpi | libopenmpi-dev openmpi-bin | openmpi-devel | openmpi4-devel | openmpi | openmpi-dev
mandoc | mandoc | mandoc | mandoc | mandoc | mandoc
bash | bash | bash | bash | bash | bash
'
oracles='
mpich | mpich libmpich-dev | mpich-devel | mpich-devel | - | -
simgrid | libsimgrid-dev | simgrid-devel | - | - | -
scotch | scotch | scotch | scotch | - | -
slurm | slurmctld slurmd slurm-client | slurm-slurmctld slurm-slurmd slurm | slurm | slurm-llnl | -
munge | munge | munge | munge | munge | munge
iproute | iproute2 | iproute | iproute2 | iproute2 | iproute2
lstopo | hwloc | hwloc | hwloc | hwloc | hwloc-tools
numactl | numactl | numactl | numactl | numactl | numactl-tools
time | time | time | time | time | time
python | python3 | python3 | python3 | python | python3
zsh | zsh | zsh | zsh | zsh | zsh
fish | fish | fish | fish | fish | fish
fuzzer | clang | clang compiler-rt | clang | clang compiler-rt | clang compiler-rt
locales | locales | glibc-langpack-de | glibc-locale | - | -
'
programs='
lammps | lammps | lammps-openmpi | - | lammps | -
quantum-espresso | quantum-espresso quantum-espresso-data | - | - | - | -
netpipe | netpipe-openmpi | - | - | - | -
'
debian='
debootstrap | debootstrap | debootstrap | debootstrap | debootstrap | debootstrap
unshare | util-linux | util-linux | util-linux | util-linux | util-linux
'

find_manager()
{
	for manager in apt-get dnf zypper pacman apk; do
		command -v $manager >/dev/null 2>&1 && return 0
	done
	echo "deps: none of apt-get, dnf, zypper, pacman and apk is here; topomap needs:" >&2
	printf '%s\n' "$table" | sed -n 's/^\([a-z-]*\) |.*/  \1/p' >&2
	exit 1
}

column()
{
	case $manager in
	apt-get) echo 2 ;; dnf) echo 3 ;; zypper) echo 4 ;; pacman) echo 5 ;; apk) echo 6 ;;
	esac
}

is_installed()
{
	case $manager in
	apt-get) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
	dnf | zypper) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
	pacman) pacman -Q "$1" >/dev/null 2>&1 ;;
	apk) apk info -e "$1" >/dev/null 2>&1 ;;
	esac
}

install()
{
	sudo=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null 2>&1 || {
			echo "deps: not root, and there is no sudo; missing: $*" >&2
			exit 1
		}
		sudo=sudo
	fi
	# a password is asked for where the question is seen
	[ -z "$sudo" ] || sudo -v || return 1
	run_manager "$@" >"$log" 2>&1
}

run_manager()
{
	case $manager in
	apt-get)
		$sudo apt-get -qq update &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
			--no-install-recommends install "$@" ;;
	dnf) $sudo dnf -y install "$@" ;;
	zypper) $sudo zypper --non-interactive install "$@" ;;
	pacman) $sudo pacman -S --needed --noconfirm "$@" ;;
	apk) $sudo apk add "$@" ;;
	esac
}

case ${1:-} in
needed) table=$needed ;;
oracles) table=$oracles ;;
programs) table=$programs ;;
packages) table=$debian ;;
*)
	echo "usage: deps.sh needed|oracles|programs|packages [--list]" >&2
	exit 2 ;;
esac
find_manager
packages=$(printf '%s\n' "$table" | awk -F ' *[|] *' -v c="$(column)" 'NF > 1 && $c != "-" { print $c }')
if [ "${2:-}" = --list ]; then
	echo "$packages"
	exit 0
fi
missing=
for package in $packages; do
	is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
echo "deps: installing$missing"
# shellcheck disable=SC2086
install $missing && exit 0
if [ "$1" != oracles ]; then
	cat "$log" >&2
	echo "deps: could not install$missing" >&2
	exit 1
fi
# an oracle that this system does not have must not keep out the others
for package in $missing; do
	install "$package" || echo "deps: no $package here; the tests that use it are skipped" >&2
done
