/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a list of --map-by seq: refused, or hosts without blanks in them. */
#include "formats/launchers/openmpi/sequence.h"
#include "tests/fuzz/networks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_hostlist hosts = TMAP_HOSTLIST_INIT;
	struct tmap_error err = { 0 };
	char *text = fuzz_text(data, size);
	int line = 0;

	if (tmap_openmpi_sequence_parse(&hosts, text, TMAP_NONE, &line, &err) == 0) {
		for (size_t i = 0; i < hosts.count; i++)
			if (!*tmap_hostlist_name(&hosts, i) ||
			    strpbrk(tmap_hostlist_name(&hosts, i), " \t\r\n"))
				abort();
		if (hosts.count == 0)
			abort();
	} else if (err.kind != TMAP_INPUT || !*err.text) {
		abort();
	}
	tmap_hostlist_fini(&hosts);
	free(text);
	return 0;
}
