/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/hwloc_xml.h"

#include "formats/machine/json_topology.h"

#include <ctype.h>
#include <hwloc.h>
#include <limits.h>
#include <stddef.h>
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

static int line_of(const char *xml, const char *at)
{
	int line = 1;

	while ((xml = memchr(xml, '\n', (size_t)(at - xml)))) {
		xml++;
		line++;
	}
	return line;
}

/* What hwloc itself writes names a file, in quotes, and declares nothing. */
static int check_doctype(const char *xml, const char *end, struct tmap_error *err)
{
	const char *at = xml, *entity = xml_find(xml, end, "<!ENTITY");
	char quote = '\0';

	if (entity)
		return tmap_fail_at(err, TMAP_INPUT, line_of(xml, entity), 0,
				    "entities are not read");
	while ((at = xml_find(at, end, "<!DOCTYPE")))
		for (; at < end && (quote || *at != '>'); at++) {
			if (quote || *at == '"' || *at == '\'')
				quote = !quote ? *at : *at == quote ? '\0' : quote;
			else if (*at == '[')
				return tmap_fail_at(err, TMAP_INPUT, line_of(xml, at), 0,
						    "a DOCTYPE with declarations is not read");
		}
	return 0;
}

/* The value of an attribute of the element between @p at and @p end; NULL: it has none. */
static const char *find_attribute(const char *at, const char *end, const char *name)
{
	size_t length = strlen(name);

	while ((at = xml_find(at, end, name)))
		if (isspace((unsigned char)at[-(ptrdiff_t)length - 1])) {
			while (at < end && isspace((unsigned char)*at))
				at++;
			if (at == end || *at++ != '=')
				continue;
			while (at < end && isspace((unsigned char)*at))
				at++;
			if (at < end && (*at == '"' || *at == '\''))
				return at + 1;
		}
	return NULL;
}

/* hwloc's sets have a bit for every index up to the largest. */
static int check_indexes(const char *xml, const char *end, struct tmap_error *err)
{
	const char *at = xml;

	while ((at = xml_find(at, end, "<object"))) {
		const char *tag = memchr(at, '>', (size_t)(end - at));
		const char *type = tag ? find_attribute(at, tag, "type") : NULL;
		const char *index = tag ? find_attribute(at, tag, "os_index") : NULL;
		long value = 0;

		if (!type || !index ||
		    (strncmp(type, "PU", 2) != 0 && strncmp(type, "NUMANode", 8) != 0))
			continue;
		if (*index == '-')
			value = -1;
		for (; isdigit((unsigned char)*index) && value <= TMAP_JSON_MOST_OS; index++)
			value = 10 * value + (*index - '0');
		if (value < 0 || value > TMAP_JSON_MOST_OS)
			return tmap_fail_at(err, TMAP_INPUT, line_of(xml, index), 0,
					    "the os_index of a PU or NUMA node is not in 0-%d",
					    TMAP_JSON_MOST_OS);
	}
	return 0;
}

int tmap_hwloc_check_xml(const char *xml, size_t length, struct tmap_error *err)
{
	/* a buffer may end in one */
	const char *zero = memchr(xml, '\0', length && !xml[length - 1] ? length - 1 : length);

	if (length >= INT_MAX)
		return tmap_fail(err, TMAP_INPUT, "XML of %zu bytes is too long for hwloc", length);
	if (zero)
		return tmap_fail_at(err, TMAP_INPUT, line_of(xml, zero), 0,
				    "a zero byte: this is no text, or none in UTF-8");
	return check_doctype(xml, xml + length, err) < 0 ? -1 :
							   check_indexes(xml, xml + length, err);
}

int tmap_hwloc_check_major(int major, struct tmap_error *err)
{
	for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
		if (strangers[i].hwloc == BUILT_WITH && strangers[i].xml == major)
			return tmap_fail(err, TMAP_INPUT, "hwloc %s reads no XML of hwloc %d: %s",
					 HWLOC_VERSION, major, strangers[i].cure);
	return 0;
}

int tmap_hwloc_refuse_xml(const char *xml, size_t length, const char *reason,
			  struct tmap_error *err)
{
	if (tmap_hwloc_check_major(tmap_hwloc_xml_major(xml, length), err) < 0)
		return -1;
	return tmap_fail(err, TMAP_INPUT, "hwloc %s refuses it: %s", HWLOC_VERSION, reason);
}
