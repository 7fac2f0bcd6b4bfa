# SPDX-License-Identifier: BSD-3-Clause
# The levels of a hierarchy document as the program prints them that topomap hierarchy -f c
# writes: "level 0: 0 1 2", "conduits 0: 0 6".
/^  "unguided"/ { exit }
/^      "name"/ { level++ }
/^      "(communicators|conduits)"/ { what = /comm/ ? "level" : "conduits" }
/^        \[/ {
	gsub(/[^0-9]+/, " ")
	sub(/ $/, "")
	print what " " level - 1 ":" $0
}
