/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as a set, a host list, a size and a number: no crash, and what was read is printed
 * and read back to the same; and as a series, which rises. */
#include "core/base/hostlist.h"
#include "core/base/idset.h"
#include "core/base/series.h"
#include "core/base/units.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool true_thing)
{
	if (!true_thing)
		abort();
}

static void check_set(const char *text, struct tmap_error *err)
{
	struct tmap_idset set = { 0 }, back = { 0 };
	char *printed;

	if (tmap_idset_parse(&set, text, INT_MAX, err) < 0)
		return;
	printed = tmap_idset_print(&set, err);
	must(tmap_idset_parse(&back, printed, INT_MAX, err) == 0 && tmap_idset_equal(&set, &back));
	free(printed);
	tmap_idset_fini(&set);
	tmap_idset_fini(&back);
}

static void check_series(const char *text, struct tmap_error *err)
{
	int64_t *item = NULL;
	int count;

	if (tmap_series_parse(text, 0, INT64_MAX, &item, &count, err) < 0) {
		must(!item);
		return;
	}
	must(count > 0 && item[0] >= 0);
	for (int i = 1; i < count; i++)
		must(item[i] > item[i - 1]);
	free(item);
}

static void check_hosts(const char *text, struct tmap_error *err)
{
	struct tmap_hostlist list = TMAP_HOSTLIST_INIT, back = TMAP_HOSTLIST_INIT;
	struct tmap_str printed = TMAP_STR_INIT;

	if (tmap_hostlist_parse(&list, text, err) < 0)
		return;
	tmap_hostlist_print(&list, &printed);
	must(tmap_hostlist_parse(&back, printed.text, err) == 0);
	must(list.count == back.count && list.length == back.length &&
	     memcmp(list.text, back.text, list.length) == 0);
	tmap_str_fini(&printed);
	tmap_hostlist_fini(&list);
	tmap_hostlist_fini(&back);
}

static void check_size(const char *text, struct tmap_error *err)
{
	char printed[TMAP_UNITS_ROOM];
	int64_t bytes, back;

	if (tmap_units_parse_bytes(text, &bytes, err) == 0)
		must(tmap_units_parse_bytes(tmap_units_print_bytes(bytes, printed), &back, err) ==
			     0 &&
		     back == bytes);
	if (tmap_units_parse_int(text, -1000, INT64_MAX, &bytes, err) == 0)
		must(bytes >= -1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct tmap_error err;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	/* a bracket of thousands of names is allowed, and only slow */
	if (size < 12)
		check_series(text, &err);
	check_hosts(text, &err);
	check_set(text, &err);
	check_size(text, &err);
	free(text);
	return 0;
}
