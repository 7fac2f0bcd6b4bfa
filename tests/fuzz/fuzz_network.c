/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: a network in whichever format it looks like, or a refusal with a sentence. */
#include "formats/network/network.h"
#include "tests/fuzz/networks.h"

static int parse(struct tmap_machine *machine, const char *text, struct tmap_error *err)
{
	struct tmap_str note = TMAP_STR_INIT;
	int status = tmap_network_parse(machine, text, NULL, &note, err);

	tmap_str_fini(&note);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tiers(data, size, parse);
}
