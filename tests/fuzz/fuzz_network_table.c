/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a table of nodes and levels, or a refusal with a sentence. */
#include "formats/network/network_table.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tiers(data, size, tmap_network_table_read);
}
