# SPDX-License-Identifier: BSD-3-Clause
# What tests against SimGrid SMPI share: platforms of 32 cores on 4 nodes, and how to replay a
# schedule on them. A test sources this file.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 3
export PATH=$PWD/${BUILD:-build}:$PATH LC_ALL=C
command -v smpirun >/dev/null || { echo "smpirun is not installed"; exit 77; }
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
config="--cfg=network/model:CM02 --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1
	--cfg=network/weight-S:0 --cfg=network/crosstraffic:0 --cfg=smpi/simulate-computation:no
	--cfg=smpi/display-timing:yes --log=root.thres:critical --log=smpi_utils.thres:info"

# 4 nodes of 8 cores; 2: all cores of a node alike, 3: two packages with a link each.
# Every core, package and node has a link of its own, each way.
write_platform()
{
	awk -v levels="$1" '
	function package(core) { return int(core / 4) }
	function hop(id, way) { printf "<link_ctn id=\"%s\" direction=\"%s\"/>", id, way }
	BEGIN {
		print "<?xml version=\"1.0\"?>"
		print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
		print "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
		for (h = 0; h < 32; h++)
			printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", h
		split_duplex = "sharing_policy=\"SPLITDUPLEX\"/>\n"
		for (h = 0; h < 32; h++)
			printf "<link id=\"c%d\" bandwidth=\"10GBps\" latency=\"250ns\" " split_duplex, h
		for (p = 0; p < 8; p++)
			printf "<link id=\"p%d\" bandwidth=\"20GBps\" latency=\"250ns\" " split_duplex, p
		for (n = 0; n < 4; n++)
			printf "<link id=\"n%d\" bandwidth=\"10GBps\" latency=\"1us\" " split_duplex, n
		for (a = 0; a < 32; a++)
			for (b = 0; b < 32; b++) {
				if (a == b)
					continue
				printf "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", a, b
				far = int(a / 8) != int(b / 8)
				across = levels == 3 && package(a) != package(b)
				hop("c" a, "UP")
				if (across) hop("p" package(a), "UP")
				if (far) { hop("n" int(a / 8), "UP"); hop("n" int(b / 8), "DOWN") }
				if (across) hop("p" package(b), "DOWN")
				hop("c" b, "DOWN")
				print "</route>"
			}
		print "</zone></platform>"
	}'
}

write_profile()
{
	local package="" links="" far=2.5e-6
	if [ "$1" = 3 ]; then
		package='{"distance": 3, "latency_s": 1e-6, "bytes_per_s": 1e10},'
		links=', "links": [{"level": "package", "bytes_per_s": 2e10}]'
		far=3e-6
	fi
	echo '{"kind": "profile", "format": 1, "name": "simulated", "rows": [
		{"distance": 1, "latency_s": 5e-7, "bytes_per_s": 1e10},'"$package"'
		{"distance": 7, "latency_s": '$far', "bytes_per_s": 1e10}],
		"adapter_bytes_per_s": 1e10'"$links"'}'
}

# The host of each rank, in the order of the ranks.
write_hosts()
{
	topomap inspect --ranks 0-31 -f json "$1" | awk -F'"' '
		/"rank":/ {
			node = pu = ""
			for (i = 1; i < NF; i++) {
				if ($i == "node") node = substr($(i + 2), 2)
				if ($i == "logical_pus") pu = $(i + 2)
			}
			printf "h%d\n", node * 8 + pu
		}'
}

# simulate COLLECTIVE ALGORITHM BYTES [OPTION]...: seconds of the job in job.json, its ranks on hosts
simulate()
{
	rm -f "$work"/trace*
	topomap schedule -c "$1" -a "$2" -b "$3" "${@:4}" -f ti -o "$work/trace" "$work/job.json" &&
	(cd "$work" && smpirun -np 32 -platform platform.xml -hostfile hosts -replay trace \
		$config 2>&1) | sed -n 's/.*[Ss]imulated time: \([0-9.e+-]*\) seconds.*/\1/p' | head -1
}

# need_bench: topomap-bench built by smpicc, build/smpi/topomap-bench. What a call takes there does
# not depend on how often one asks whether it has ended (smpi/test). One at a time: two makes would link it at once.
need_bench()
{
	command -v smpicc >/dev/null || { echo "smpicc is not installed"; exit 77; }
	flock "${BUILD:-build}" env -u MAKEFLAGS -u MFLAGS make -s smpi B="${BUILD:-build}" CC="${CC:-cc}" WERROR=-Werror >"$work/log" 2>&1 ||
		{ cat "$work/log"; echo "FAILED  make smpi"; exit 1; }
	config="$config --cfg=smpi/test:0 --log=root.thres:critical"
}
