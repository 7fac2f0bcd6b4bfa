#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# LAMMPS on hosts of a slow network, before and after: a Lennard-Jones melt whose domains are a plane, a chain
# and a cube, recorded as it was launched by node (cyclic); the suggestion is by the record and by a
# calibration of these hosts. Oracles: LAMMPS's own clock of its loop, and the kernel's counters of the
# cables.
#
#   * The suggested order is so many times as fast as cyclic and as block as is asked below.
#   * What it gains is what was predicted, to a tenth, and so is what goes over the cables, to a twentieth.
#   * A record of it has the bytes between nodes that were predicted.
#
# Each line is a median of LAUNCHES (3) after a cold one; SECONDS_EACH (20) a calibration takes. RATE=100mbit
# takes other cables.
. "$(dirname "$0")/programs.bash"

clock() { sed -n 's/^Loop time of \([0-9.e+-]*\) .*/\1/p' "$1"; }

# melt GRID BOX STEPS: the input
melt()
{
	local grid=${1//x/ } x y z
	read -r x y z <<<"$2"
	cat <<-END
		units lj
		atom_style atomic
		processors $grid
		lattice fcc 0.8442
		region box block 0 $x 0 $y 0 $z
		create_box 1 box
		create_atoms 1 box
		mass 1 1.0
		velocity all create 3.0 4711 loop geom
		pair_style lj/cut 2.5
		pair_coeff 1 1 1.0 1.0 2.5
		neighbor 0.3 bin
		neigh_modify every 20 delay 0 check no
		fix 1 all nve
		thermo 50
		run $3
	END
}

# judge GRID BOX STEPS CYCLIC BLOCK: so many times as fast as these at least
judge()
{
	local after
	melt "$1" "$2" "$3" >"$work/melt.in"
	local program=(lmp -in "$work/melt.in" -log none)
	record "$1" --map-by node "${program[@]}" || return
	suggest "$1" || return
	after=$(said after bytes "$work/$1.json")
	bytes_said=$(ratio "$(said before bytes "$work/$1.json")" "$after")
	compare "$1" "$4" "$5" "${program[@]}" && as_predicted "$1" "$after" "${program[@]}"
}

use_hosts 4 lmp
calibrate || finish
heading
judge 1x1x16 "8 8 32" 50 3.5 0.95
judge 4x2x2 "24 16 16" 50 1.9 0.95
hosts_stop
use_hosts 9 lmp
calibrate || finish
judge 6x6x1 "30 30 10" 50 1.8 1.25
finish
