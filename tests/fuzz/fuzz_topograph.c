/* Any bytes: the instances of a topograph document, or a refusal with a sentence. */
#include "formats/network/topograph.h"
#include "tests/fuzz/networks.h"

static int read(struct tm_network *net, const char *text, struct tm_error *err)
{
	struct tm_json doc;
	int status;

	if (tm_json_parse(&doc, text, strlen(text), "fuzz", err) < 0)
		return -1;
	status = tm_topograph_get(net, &doc, err);
	tm_json_fini(&doc);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tree(data, size, read);
}
