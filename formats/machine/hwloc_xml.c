/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc_xml.h"

#include <ctype.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

enum { BUILT_WITH = HWLOC_API_VERSION >> 16 };

/* What an hwloc refuses of another one's, and who writes it so that it is read. */
static const struct {
	int hwloc, xml;
	const char *cure;
} strangers[] = {
	{ 2, 3, "export it again with hwloc 3's lstopo --export-xml-flags 2 FILE" },
	{ 3, 1, "let lstopo of hwloc 2 convert it: lstopo -i OLD.xml NEW.xml" },
};

/* What stands behind the words; NULL: they are nowhere between @p at and @p end. */
static const char *xml_find(const char *at, const char *end, const char *words)
{
	size_t length = strlen(words);
	const char *found = at < end ? memmem(at, (size_t)(end - at), words, length) : NULL;

	return found ? found + length : NULL;
}

int tmap_hwloc_xml_major(const char *xml, size_t length)
{
	const char *at = xml_find(xml, xml + length, "<topology"), *end;
	int major = 0;

	if (!at)
		return 0;
	end = memchr(at, '>', (size_t)(xml + length - at));
	at = end ? xml_find(at, end, " version=\"") : NULL;
	if (!at)
		return end ? 1 : 0;
	for (; at < end && isdigit((unsigned char)*at) && major < 100; at++)
		major = major * 10 + (*at - '0');
	return major;
}

int tmap_hwloc_refuse_xml(const char *xml, size_t length, const char *reason,
			  struct tmap_error *err)
{
	int major = tmap_hwloc_xml_major(xml, length);

	for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
		if (strangers[i].hwloc == BUILT_WITH && strangers[i].xml == major)
			return tmap_fail(err, TMAP_INPUT, "hwloc %s reads no XML of hwloc %d: %s",
					 HWLOC_VERSION, major, strangers[i].cure);
	return tmap_fail(err, TMAP_INPUT, "hwloc %s refuses it: %s", HWLOC_VERSION, reason);
}
