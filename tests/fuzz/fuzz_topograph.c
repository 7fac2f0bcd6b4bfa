/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes: the instances of a topograph document, or a refusal with a sentence. */
#include "formats/network/topograph.h"
#include "tests/fuzz/networks.h"

static int read(struct tmap_network *net, const char *text, struct tmap_error *err)
{
	struct tmap_json doc;
	int status;

	if (tmap_json_parse(&doc, text, strlen(text), "fuzz", err) < 0)
		return -1;
	status = tmap_topograph_get(net, &doc, err);
	tmap_json_fini(&doc);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tree(data, size, read);
}
