#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What libtopomap-record.so has of real programs, message by message, and what inspect makes of it.
# Oracles: Open MPI's own pml_monitoring in the same run (rows E: pair, bytes, messages), which counts below MPI's
# interface; and the grid that LAMMPS is told to make.
#
#   * Each pair of ranks has the messages and bytes that pml_monitoring has: LAMMPS in domains of a plane, a
#     chain and a cube, Quantum ESPRESSO in pools, NetPIPE.
#   * The guess of LAMMPS's structure is its grid, and explains nearly all of its bytes.
. "$(dirname "$0")/../mpi/common.bash"
potentials=/usr/share/espresso/pseudo

# monitored NAME RANKS PROGRAM...: NAME.json, and its messages as pml_monitoring has them
monitored()
{
	local name=$1 ranks=$2 folder=$work/$1.prof
	shift 2
	command -v "$1" >/dev/null || { skip "there is no $1"; return 1; }
	mkdir "$folder"
	(cd "$work" && "$mpirun" --oversubscribe -n "$ranks" -x OMP_NUM_THREADS=1 -x "LD_PRELOAD=$recorder" \
		-x "TOPOMAP_RECORD=$work/$name.json" --mca pml_monitoring_enable 2 \
		--mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$folder/job" "$@") \
		>"$work/$name.out" 2>&1 </dev/null && [ -s "$work/$name.json" ] ||
		{ fail "$name: $(tail -n 3 "$work/$name.out")"; return 1; }
	[ -n "$(ls "$folder")" ] || { skip "this Open MPI has no pml_monitoring"; return 1; }
	grep -q '^E' "$folder"/* || { fail "$name: pml_monitoring has no message"; return 1; }
	same "$name: messages as pml_monitoring has them" \
		"$(cat "$folder"/* | awk '/^E/ { print $2, $3, $4, $6 }' | sort)" \
		"$("$built/tests/mpi/record_lines" "$work/$name.json" | sed -n 's/^E //p' | sort)"
}

# structure NAME: what inspect says that it is, its dimensions, and which share of the bytes that explains
structure()
{
	topomap inspect -f json "$work/$1.json" | sed -n '/"structure"/,/}/p' | tr -d ' \n"' |
		sed 's/.*{name:\([^,]*\),share:\([^,]*\),dimensions:\[\([^]]*\)\].*/\1 \3 \2/'
}

# melt GRID BOX: a Lennard-Jones melt in such domains
melt()
{
	local x y z
	read -r x y z <<<"$2"
	cat >"$work/$1.in" <<-END
		units lj
		atom_style atomic
		processors ${1//x/ }
		lattice fcc 0.8442
		region box block 0 $x 0 $y 0 $z
		create_box 1 box
		create_atoms 1 box
		mass 1 1.0
		velocity all create 3.0 4711 loop geom
		pair_style lj/cut 2.5
		pair_coeff 1 1 1.0 1.0 2.5
		fix 1 all nve
		run 20
	END
	monitored "$1" $((${1//x/*})) lmp -in "$1.in" -log none
}

silicon()
{
	cat >"$work/silicon.in" <<-END
		&control
		  calculation = 'scf', pseudo_dir = '$potentials', outdir = '$work', disk_io = 'none'
		/
		&system
		  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 8
		/
		&electrons
		/
		ATOMIC_SPECIES
		  Si 28.086 Si.pz-vbc.UPF
		ATOMIC_POSITIONS alat
		  Si 0 0 0
		  Si 0.25 0.25 0.25
		K_POINTS automatic
		  2 2 2 1 1 1
	END
	[ -e "$potentials/Si.pz-vbc.UPF" ] || { skip "there is no $potentials/Si.pz-vbc.UPF"; return; }
	monitored pw.x 4 pw.x -nk 2 -in silicon.in
}

use_mpi openmpi || finish
make_for_mpi libtopomap-record.so && make_for_mpi tests/mpi/record_lines || finish
recorder=$top/$built/libtopomap-record.so
# four domains around are two times two, side by side
while read -r grid box wanted; do
	melt "$grid" "${box//,/ }" && same "$grid: structure" "$wanted" "$(structure "$grid")"
done <<END
4x4x1 12,12,4 grid 2,2,2,2 1
1x1x8 4,4,24 ring 8 1
2x2x2 8,8,8 grid 2,2,2 1
END
silicon
monitored NPopenmpi 2 NPopenmpi -l 1 -u 4096 -n 50 # so many messages of each size
finish
