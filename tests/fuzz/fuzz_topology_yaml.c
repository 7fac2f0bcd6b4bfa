/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: switches as topology.yaml has them, of its default and of the topology "t", or a
 * refusal with a sentence. */
#include "formats/network/topology_yaml.h"
#include "tests/fuzz/networks.h"

static int read_default(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	return tmap_topology_yaml_read(net, text, NULL, err);
}

static int read_t(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	return tmap_topology_yaml_read(net, text, "t", err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_tree(data, size, read_default);
	return fuzz_tree(data, size, read_t);
}
