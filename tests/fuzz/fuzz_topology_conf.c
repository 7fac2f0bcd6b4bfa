/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: switches as topology.conf has them, or a refusal with a sentence. */
#include "formats/network/topology_conf.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tree(data, size, tmap_topology_conf_read);
}
