/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes that hwloc refused: the sentence is that of a version, or hwloc's own. What hwloc makes
 * of them is hwloc's. */
#include "formats/machine/hwloc_xml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_error err = { 0 };
	char *text = malloc(size + !size); /* a byte too many is seen */
	int major;

	if (!text)
		abort();
	memcpy(text, data, size);
	major = tmap_hwloc_xml_major(text, size);
	if (major < 0 || major > 999 || tmap_hwloc_refuse_xml(text, size, "why", &err) != -1 ||
	    err.kind != TMAP_INPUT)
		abort();
	free(text);
	return 0;
}
