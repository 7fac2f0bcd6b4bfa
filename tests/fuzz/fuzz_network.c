/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a network in whichever format it looks like, or a refusal with a sentence. */
#include "formats/network/network.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tiers(data, size, tmap_network_parse);
}
