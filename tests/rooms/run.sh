#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The rooms' arrows: which of our headers, and which foreign library, a file may include,
# that core does no input or output, and that each file names its licence. `run.sh DIR` looks at
# another tree; without it, the check first proves on small wrong trees that it can fail.

# The folders of a room in one order: each may include those before it, and itself. A folder
# below a listed one counts as that one. A folder of formats/launchers is a launcher's: of what is
# there it includes itself and common, neither another launcher nor the table.
folders='
core/base core/machine core/distance core/place core/tree core/group core/schedule
core/algorithms core/cost core/library core/score core/pattern core/map core/mappers
core/guidelines core/lint core/measure core/record core/tune
formats/base formats/json formats/text formats/draw formats/machine formats/network
formats/costs formats/traffic formats/launchers/common formats/logs formats/launchers
formats/report/profile formats/report/account formats/report/inspection
formats/report/comparison formats/report/tree formats/report/ring
formats/report/baseline formats/report/hierarchy formats/report/lanes formats/report/score
formats/report/schedule formats/report/suggestion formats/report/guidelines formats/report/times
formats/report/record formats/rules
options
mpi_run/executor mpi_run/operation mpi_run/bench mpi_run/record
cli/base cli'

cd "${1:-.}" || exit 3

# Prints one line for every #include that breaks a rule.
look()
{
	find core formats options cli lib include mpi_probe mpi_run examples tests -name '*.[ch]' 2>/dev/null | sort | xargs -r awk -v folders="$(echo $folders)" '
	BEGIN {
		count = split(folders, folder, " ")
		for (i = 1; i <= count; i++) place[folder[i]] = i
		may["core"] = "^core/"
		may["formats"] = "^(core|formats)/"
		may["options"] = "^(core|options)/"
		may["lib"] = "^(core|formats|lib|include/topomap)/"
		may["include"] = may["examples"] = "^$"
		may["cli"] = "^(core|formats|options|cli)/"
		may["mpi_probe"] = "^(core|formats|options|mpi_probe)/"
		may["mpi_run"] = "^(core|formats|options|mpi_probe|mpi_run)/"
		may["tests"] = "^(core|formats|options|cli|mpi_probe|mpi_run|tests)/"
		# the one home of each foreign library
		# a test named for one has it for its oracle
		home["hwloc"] = "^formats/machine/hwloc(_device|_distances|_xml)?[.]c$|" \
			"^tests/(core|formats)/.*/test_[a-z_]*_hwloc[.]c$"
		home["jansson"] = "^formats/json/json[.]c$|^tests/formats/json/test_[a-z_]*_jansson[.]c$"
		home["yaml"] = "^formats/network/topology_yaml[.]c$"
		home["graphviz"] = "^formats/draw/graphviz[.]c$"
		home["topomap"] = "^(examples/|tests/lib/|tests/fuzz/)"
		home["mpi"] = "^(mpi_probe/|mpi_run/(operation|bench|record)/|examples/|tests/(mpi|mpi_probe|cluster|bench|smpi)/)"
		home["check"] = "^tests/"
		libc = "^(assert|ctype|errno|float|fnmatch|inttypes|limits|math|stdalign|stdarg|stdbool|" \
			"stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|time)[.]h$"
	}
	function library(header)
	{
		if (header ~ /^hwloc/) return "hwloc"
		if (header ~ /^jansson/) return "jansson"
		if (header ~ /^(graphviz\/)?(gvc|cgraph|gvplugin|gvrender|cdt|types)[a-z_]*[.]h$/)
			return "graphviz"
		if (header ~ /^yaml[.]h$/) return "yaml"
		if (header ~ /^mpi[a-z-]*[.]h$/) return "mpi"
		if (header ~ /^check[.]h$/) return "check"
		if (header ~ /^topomap\//) return "topomap"
		return ""
	}
	# place of the folder of a file in the order; 0: its room has none
	function place_of(path)
	{
		while (sub(/\/[^\/]*$/, "", path))
			if (path in place) return place[path]
		return 0
	}
	# the folder of formats/launchers that the file is in, "table" for none of them
	function launcher_of(path)
	{
		if (path !~ /^formats\/launchers\//) return ""
		return split(path, part, "/") > 3 ? part[3] : "table"
	}
	function wrong(text) { printf "%s:%d: %s\n", FILENAME, FNR, text }
	# a header is named by its first line of text and by its guard
	FILENAME ~ /[.]h$/ && FNR == 3 {
		name = FILENAME; sub(/.*\//, "", name)
		if (index($0, " * " name " - ") != 1)
			wrong("a header goes on with \"/*\" and \" * " name " - what it is\"")
	}
	FILENAME ~ /[.]h$/ && /^#ifndef [A-Z_0-9]*_H$/ {
		guard = FILENAME; sub(/^include\//, "", guard)
		guard = (guard == FILENAME ? "TMAP_" : "") toupper(guard); gsub(/[\/.]/, "_", guard)
		if ($2 != guard)
			wrong("the guard of this header is " guard)
	}
	{ room = FILENAME; sub(/\/.*/, "", room) }
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		header = $0; sub(/^[^"]*"/, "", header); sub(/".*/, "", header)
		if (header !~ may[room])
			wrong(room " must not include \"" header "\"")
		else if (room ~ /^(core|formats|options|cli)$/ && !place_of(FILENAME))
			wrong("this folder has no place in the order of tests/rooms/run.sh")
		else if (place_of(FILENAME) && place_of(header) > place_of(FILENAME))
			wrong(folder[place_of(FILENAME)] " comes before " folder[place_of(header)] \
				" and must not include \"" header "\"")
		else if (launcher_of(FILENAME) !~ /^(table)?$/ &&
			launcher_of(header) !~ "^(common|" launcher_of(FILENAME) ")?$")
			wrong("a launcher includes itself and common, not \"" header "\"")
	}
	/^[ \t]*#[ \t]*include[ \t]*</ {
		header = $0; sub(/^[^<]*</, "", header); sub(/>.*/, "", header)
		owner = library(header)
		if (owner != "" && FILENAME !~ home[owner])
			wrong("<" header "> has another home")
		else if (owner == "" && room == "core" && header !~ libc)
			wrong("core includes libc and libm only, not <" header ">")
	}
	room == "core" && /(^|[^a-z_])(fopen|fprintf|printf|puts|putchar|fputs|fwrite|fread|exit|abort|getenv|stdout|stderr|stdin|FILE)([^a-zA-Z_"]|$)/ {
		if ($0 !~ /^[ \t]*(\/?\*|\/\/)/ && $0 !~ /format\(printf/ && $0 !~ /\/\*.*(FILE|stdout)/)
			wrong("core does no input or output: " $0)
	}'
}

# Prints one line for every file of ours whose first lines do not name its licence. Three of Debian's
# forms have no comments; in a build of its packages they are copied to debian.
find_unlicensed()
{
	find . \( -name .git -o -path ./build -o -path ./tests/fuzz/seeds -o -path ./tests/cli/cases \
		-o -path ./tests/cli/bad -o -path ./tests/data -o -path ./debian -o -path ./packaging/debian/changelog \
		-o -path ./packaging/debian/copyright -o -path ./packaging/debian/source/format \) -prune -o -type f \
		! -name LICENSE ! -name .gitignore -print | sort | while read -r file; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' ||
			echo "$file: its first lines do not say SPDX-License-Identifier"
	done
}

# Each of these lines is a file and the line in it that must be found ("\n": several).
prove()
{
	tree=$(mktemp -d) || exit 3
	while IFS='|' read -r file line; do
		rm -rf "${tree:?}/"*
		mkdir -p "$tree/$(dirname "$file")"
		printf '%b\n' "$line" >"$tree/$file"
		if [ -z "$(cd "$tree" && look)" ]; then
			echo "not found: $line in $file"
			failed=$((failed + 1))
		else
			passed=$((passed + 1))
		fi
	done <<-'EOF'
	core/base/a.c|#include "formats/json/json.h"
	core/machine/a.c|#include "core/cost/cost.h"
	core/schedule/a.c|#include "core/algorithms/tables.h"
	core/nowhere/a.c|#include "core/base/error.h"
	formats/json/a.c|#include "formats/report/tree/json_tree.h"
	formats/launchers/slurm/a.c|#include "formats/report/tree/json_tree.h"
	formats/launchers/slurm/a.c|#include "formats/launchers/openmpi/openmpi.h"
	formats/launchers/openmpi/a.c|#include "formats/launchers/slurm/slurm.h"
	formats/launchers/openmpi/a.c|#include "formats/launchers/launchers.h"
	formats/launchers/common/a.c|#include "formats/launchers/openmpi/openmpi.h"
	formats/logs/a.c|#include "formats/launchers/openmpi/openmpi.h"
	cli/base/a.c|#include "cli/place.h"
	core/a.c|#include <unistd.h>
	core/a.c|#include <hwloc.h>
	core/a.c|	printf("%d", 1);
	core/sub/a.h|int write(FILE *file);
	formats/a.c|#include "cli/opt.h"
	formats/report/tree/json_tree.c|#include <jansson.h>
	formats/json/json.c|#include <hwloc.h>
	tests/core/place/test_flux.c|#include <hwloc.h>
	formats/network/network.c|#include <yaml.h>
	formats/draw/svg.c|#include <graphviz/gvc.h>
	cli/a.c|#include <mpi.h>
	cli/a.c|#include "mpi_probe/gather.h"
	mpi_probe/a.c|#include "cli/base/command.h"
	options/a.c|#include "cli/base/command.h"
	options/a.c|#include "formats/base/output.h"
	formats/a.c|#include <check.h>
	core/base/a.c|#include "lib/handles.h"
	cli/a.c|#include "lib/handles.h"
	lib/a.c|#include "cli/base/command.h"
	lib/a.c|#include "options/opt.h"
	include/topomap/topomap.h|#include "core/base/error.h"
	cli/a.c|#include <topomap/topomap.h>
	core/base/a.h|\n/*\n * b.h - another file.
	core/base/a.h|#ifndef TMAP_CORE_BASE_B_H
	EOF
	rm -rf "${tree:?}/"*
	printf '#!/bin/sh\n' >"$tree/run.sh"
	if [ "$(cd "$tree" && find_unlicensed | wc -l)" -eq 1 ]; then
		passed=$((passed + 1))
	else
		echo "not found: a file without a licence"
		failed=$((failed + 1))
	fi
	rm -rf "$tree"
}

passed=0 failed=0
[ $# -gt 0 ] || prove
breaches=$(look; find_unlicensed)
if [ -n "$breaches" ]; then
	echo "$breaches"
	failed=$((failed + 1))
else
	passed=$((passed + 1))
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
