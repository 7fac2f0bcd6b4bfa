# SPDX-License-Identifier: BSD-3-Clause
# A document of topomap score to lines "NAME<TAB>SECONDS<TAB>OPTIONS": the algorithms that
# options of the major release -v openmpi=4 or 5 select; and, without options, the one that it takes
# by itself.

function value()
{
	sub(/^[^:]*: "?/, "")
	sub(/"?,?$/, "")
	return $0
}

/^      "name"/ { name = value(); options = "" }
/^      "applicable"/ { runs = value() == "true" }
/^      "seconds"/ { seconds = value() }
/^        "openmpi": "/ { options = value() }
/^        "openmpi_since"/ && value() + 0 > openmpi { options = "" }
/^        "ucc"/ && runs && options != "" { print name "\t" seconds "\t" options }
/^      "library"/ { library = value(); name = "" }
/^      "algorithm": "/ { name = value() }
/^      "slower"/ && library == "openmpi" openmpi && name != "" { print name "\t" seconds "\t" }
