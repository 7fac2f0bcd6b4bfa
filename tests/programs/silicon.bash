# SPDX-License-Identifier: BSD-3-Clause
# What tests of Quantum ESPRESSO share: an input of silicon, and pw.x's clocks.
potentials=/usr/share/espresso/pseudo

# wall CLOCK OUTPUT: its seconds, which pw.x prints as 59.05s, or as 1m 2.03s
wall()
{
	sed -n "s/^ *$1 *:.* CPU *\([0-9m. ]*\)s WALL.*/\1/p" "$2" |
		awk -F m '{ print (NF > 1 ? 60 * $1 + $2 : $1) }'
}

silicon()
{
	cat <<-END
		&control
		  calculation = 'scf'
		  pseudo_dir = '$potentials'
		  outdir = '$work'
		  disk_io = 'none'
		/
		&system
		  ibrav = 2, celldm(1) = 10.2, nat = 2, ntyp = 1, ecutwfc = 18
		/
		&electrons
		  mixing_beta = 0.7
		/
		ATOMIC_SPECIES
		  Si 28.086 Si.pz-vbc.UPF
		ATOMIC_POSITIONS alat
		  Si 0 0 0
		  Si 0.25 0.25 0.25
		K_POINTS automatic
		  4 4 4 1 1 1
	END
}

[ -e "$potentials/Si.pz-vbc.UPF" ] || { echo "skipped: there is no $potentials/Si.pz-vbc.UPF"; exit 77; }
