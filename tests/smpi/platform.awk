# SPDX-License-Identifier: BSD-3-Clause
# Simulated clusters, each in the forms that a comparison needs:
#
#     awk -v name=NAME -v what=FORM -v eager=BYTES -v overhead=SECONDS [-v factors=LIST] [-v waited=1]
#             -f platform.awk
#         LIST: "0 1 1;1024 2 0.8", from each size on factors of latency and bandwidth; of a profile
#         waited: its latencies are those of receivers that wait, which SMPI charges no overhead
#         FORM: machine   operands of topomap place
#               network   a file for its --network; empty where there are no switches
#               platform  SimGrid's platform file, a host h0, h1, ... for each core
#               profile   a cost profile with the same figures
#               oversubscription  what the adapters below a switch can send over what leaves it; 0 without one
#
#     core - package - node's adapter - switch - core of the fabric, each with a link both ways
#
# A message passes the links of what it leaves, and those of what it enters; its latency is the sum
# of theirs, and none of them moves more bytes a second than it has. The same figures make the
# platform and the profile, and nobody has fitted any of them.
#
# row(NAME, cores of each node, packages a node, bytes a second of each node's adapters together,
#     adapters a node, nodes a switch or 0, bytes a second of a switch's links, those of a
#     backbone that all messages between nodes share, if there is one, and, where they are others,
#     those between packages, and seconds of an adapter)
function row(id, cores, packages, adapter, adapters, fanout, uplink, backbone, between, latency)
{
	if (id != name)
		return
	nodes = split(cores, core_count, " ")
	split(adapter, adapter_rate, " ")
	package_count = packages
	adapter_count = adapters
	node_fanout = fanout
	switch_rate = uplink
	backbone_rate = backbone
	if (between)
		package_rate = between
	if (latency)
		adapter_latency = latency
	found = 1
}

function times(text, count,  all)
{
	while (count-- > 0)
		all = all text
	return all
}

function rows()
{
	row("nodes", "8 8 8 8", 1, "1e10 1e10 1e10 1e10", 1, 0, 0)
	row("packages", "8 8 8 8", 2, "1e10 1e10 1e10 1e10", 1, 0, 0)
	row("fat_tree", "4 4 4 4 4 4 4 4", 1, "1e10 1e10 1e10 1e10 1e10 1e10 1e10 1e10", 1, 4, 2e10)
	row("two_adapters", "8 8 8", 2, "1e10 1e10 1e10", 2, 0, 0)
	row("unequal", "8 8 4 12", 1, "1e10 1e10 5e9 2e10", 1, 0, 0)
	row("three_levels", "8 8 8 8 8 8", 2, "1e10 1e10 1e10 1e10 1e10 1e10", 1, 3, 1.5e10)
	row("nodes_16", times("4 ", 4), 1, times("1e10 ", 4), 1, 0, 0)
	row("unequal_16", "4 4 2 6", 1, "1e10 1e10 5e9 2e10", 1, 0, 0)
	row("backbone_16", times("4 ", 4), 1, times("1e10 ", 4), 1, 0, 0, 1.6e10)
	row("backbone_64", times("8 ", 8), 2, times("2e10 ", 8), 1, 0, 0, 3e10)
	row("packages_64", times("8 ", 8), 2, times("2e10 ", 8), 1, 0, 0)
	row("fat_tree_64", times("8 ", 8), 1, times("2e10 ", 8), 1, 4, 2.5e10)
	row("two_adapters_64", times("16 ", 4), 2, times("2e10 ", 4), 2, 0, 0)
	row("three_levels_64", times("8 ", 8), 2, times("1e10 ", 8), 1, 4, 1.5e10)
	row("fast_packages_32", times("8 ", 4), 2, times("1.25e10 ", 4), 1, 0, 0, 0, 4e10)
	row("slow_network_32", times("8 ", 4), 2, times("1.25e9 ", 4), 1, 0, 0, 0, 2e10, 10e-6)
	row("three_levels_128", times("8 ", 16), 2, times("1.25e10 ", 16), 1, 4, 2.5e10, 0, 3e10)
	row("three_levels_256", times("16 ", 16), 2, times("2.5e10 ", 16), 1, 4, 4e10)
}

function link(id, rate, latency)
{
	printf "<link id=\"%s\" bandwidth=\"%.0fBps\" latency=\"%.9fs\" " \
		"sharing_policy=\"SPLITDUPLEX\"/>\n", id, rate, latency
}

function hop(id, way)
{
	printf "<link_ctn id=\"%s_%s\"/>", id, way
}

function adapter_of(host)
{
	return "a" node_of[host] (adapter_count > 1 ? "_" package_of[host] : "")
}

# From a host up to the fabric, or down: the links to where it meets the other.
function hops_up(host, other)
{
	hop("c" host, "UP")
	if (package_count > 1 && package_of[host] != package_of[other])
		hop("p" package_of[host], "UP")
	if (node_of[host] != node_of[other])
		hop(adapter_of(host), "UP")
	if (switch_of[host] != switch_of[other])
		hop("s" switch_of[host], "UP")
}

function hops_down(host, other)
{
	if (node_of[host] != node_of[other] && backbone_rate)
		print "<link_ctn id=\"backbone\"/>"
	if (switch_of[host] != switch_of[other])
		hop("s" switch_of[host], "DOWN")
	if (node_of[host] != node_of[other])
		hop(adapter_of(host), "DOWN")
	if (package_count > 1 && package_of[host] != package_of[other])
		hop("p" package_of[host], "DOWN")
	hop("c" host, "DOWN")
}

function write_platform(  a, b, k)
{
	print "<?xml version=\"1.0\"?>"
	print "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
	print "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
	for (a = 0; a < hosts; a++)
		printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", a
	for (a = 0; a < hosts; a++)
		link("c" a, core_rate, core_latency)
	for (a = 0; a < nodes * package_count && package_count > 1; a++)
		link("p" a, package_rate, package_latency)
	for (a = 0; a < nodes; a++)
		for (k = 0; k < adapter_count; k++)
			link("a" a (adapter_count > 1 ? "_" a * package_count + k : ""),
				adapter_rate[a + 1] / adapter_count, adapter_latency)
	for (a = 0; a * node_fanout < nodes && node_fanout; a++)
		link("s" a, switch_rate, switch_latency)
	if (backbone_rate)
		printf "<link id=\"backbone\" bandwidth=\"%.0fBps\" latency=\"0s\"/>\n", backbone_rate
	for (a = 0; a < hosts; a++)
		for (b = 0; b < hosts; b++) {
			if (a == b)
				continue
			printf "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"NO\">", a, b
			hops_up(a, b); hops_down(b, a)
			print "</route>"
		}
	print "</zone></platform>"
}

# Messages of eager bytes and more begin when both ranks are ready. Both ranks have their overhead
# of a message, but SMPI has none for a receiver that was waited for.
function profile_piece(from, latency, rate, is_eager,  own)
{
	own = waited ? (is_eager ? overhead : 0) : (is_eager ? 2 : 1) * overhead
	printf "%s{\"from_bytes\": %d, \"latency_s\": %.9f, \"bytes_per_s\": %.0f, " \
		"\"protocol\": \"%s\"}", piece_comma, from,
		2 * latency * latency_factor + own,
		rate * rate_factor, is_eager ? "eager" : "rendezvous"
	piece_comma = ","
}

function profile_distance(distance, latency, rate,  count, part, piece, k, word, began)
{
	printf "%s{\"distance\": %d, \"copier\": \"adapter\", \"overhead_s\": %.9f, \"pieces\": [",
		comma, distance, overhead
	piece_comma = ""
	count = split(factors ? factors : "0 1 1", part, ";")
	for (k = 1; k <= count; k++) {
		split(part[k], piece, " ")
		if (!began && piece[1] > eager) {
			profile_piece(eager, latency, rate, 0)
			began = 1
		}
		latency_factor = piece[2]
		rate_factor = piece[3]
		began = began || piece[1] == eager
		profile_piece(piece[1], latency, rate, piece[1] < eager)
	}
	if (!began)
		profile_piece(eager, latency, rate, 0)
	printf "]}"
	comma = ",\n\t"
}

function smaller(a, b)
{
	return a < b ? a : b
}

function write_profile(  rate, k)
{
	printf "{\"kind\": \"profile\", \"format\": 1, \"name\": \"%s\", \"distances\": [\n\t", name
	latency = core_latency
	profile_distance(1, latency, core_rate)
	if (package_count > 1) {
		latency += package_latency
		profile_distance(3, latency, smaller(core_rate, package_rate))
	}
	latency += adapter_latency
	rate = core_rate
	if (adapter_count > 1)
		rate = smaller(rate, adapter_rate[1] / adapter_count)
	profile_distance(7, latency, rate)
	if (node_fanout)
		profile_distance(8, latency + switch_latency, rate)
	printf "],\n\"adapters\": ["
	for (k = 1; k <= nodes; k++)
		printf "%s{\"nodes\": \"n%d\", \"bytes_per_s\": %.0f}", (k > 1 ? ", " : ""), k - 1,
			adapter_rate[k]
	printf "],\n\"links\": ["
	if (package_count > 1)
		printf "{\"level\": \"package\", \"bytes_per_s\": %.0f}", package_rate
	if (node_fanout)
		printf "%s{\"level\": \"switch1\", \"bytes_per_s\": %.0f}",
			(package_count > 1 ? ", " : ""), switch_rate
	if (backbone_rate)
		printf "%s{\"level\": \"network\", \"bytes_per_s\": %.0f}",
			(package_count > 1 || node_fanout ? ", " : ""), backbone_rate
	print "]}"
}

function write_machine(  k)
{
	for (k = 1; k <= nodes; k++)
		print "node:1" (package_count > 1 ? " package:" package_count : "") \
			" core:" core_count[k] / package_count
}

function write_network(  k)
{
	for (k = 0; k * node_fanout < nodes && node_fanout; k++)
		printf "SwitchName=s%d Nodes=n[%d-%d]\n", k, k * node_fanout,
			smaller((k + 1) * node_fanout, nodes) - 1
	if (node_fanout)
		printf "SwitchName=fabric Switches=s[0-%d]\n", k - 1
}

BEGIN {
	core_rate = 1e10
	core_latency = 250e-9
	package_rate = 2e10
	package_latency = 250e-9
	adapter_latency = 1e-6
	switch_latency = 500e-9
	rows()
	if (!found) {
		print "no platform is called '" name "'"
		exit 1
	}
	hosts = 0
	for (node = 0; node < nodes; node++)
		for (k = 0; k < core_count[node + 1]; k++) {
			node_of[hosts] = node
			package_of[hosts] = node * package_count + \
				int(k * package_count / core_count[node + 1])
			switch_of[hosts] = node_fanout ? int(node / node_fanout) : 0
			hosts++
		}
	if (what == "machine") write_machine()
	if (what == "network") write_network()
	if (what == "platform") write_platform()
	if (what == "profile") write_profile()
	if (what == "oversubscription") # all nodes of such a platform are alike
		print node_fanout ? node_fanout * adapter_rate[1] / switch_rate : 0
}
