/* Any bytes: a fabric whose tree can be made, or a refusal with a sentence. */
#include "formats/network/ibnetdiscover.h"
#include "tests/fuzz/networks.h"

static int apply(struct tm_machine *machine, const char *text, struct tm_error *err)
{
	struct tm_fabric fabric = { 0 };
	struct tm_network net = { 0 };
	int status = tm_ibnetdiscover_read(&fabric, text, err);

	if (status == 0)
		status = tm_fabric_reduce(&fabric, machine, &net, err);
	if (status == 0)
		status = tm_network_apply(&net, machine, err);
	tm_network_fini(&net);
	tm_fabric_fini(&fabric);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_tiers(data, size, apply);
}
