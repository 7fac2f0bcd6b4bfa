/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a fabric whose tree can be made, or a refusal with a sentence. */
#include "formats/network/ibnetdiscover.h"
#include "tests/fuzz/networks.h"

static int apply(struct tmap_machine *machine, const char *text, struct tmap_error *err)
{
	struct tmap_fabric fabric = { 0 };
	struct tmap_network net = { 0 };
	int status = tmap_ibnetdiscover_read(&fabric, text, err);

	if (status == 0)
		status = tmap_fabric_reduce(&fabric, machine, &net, err);
	if (status == 0)
		status = tmap_network_apply(&net, machine, err);
	tmap_network_fini(&net);
	tmap_fabric_fini(&fabric);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tiers(data, size, apply);
}
