/* Any text as a set, a host list, a size and a number: no crash, and what was read is printed
 * and read back to the same. */
#include "core/base/hostlist.h"
#include "core/base/idset.h"
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

static void check_set(const char *text, struct tm_error *err)
{
	struct tm_idset set = { 0 }, back = { 0 };
	char *printed;

	if (tm_idset_parse(&set, text, INT_MAX, err) < 0)
		return;
	printed = tm_idset_print(&set, err);
	must(tm_idset_parse(&back, printed, INT_MAX, err) == 0 && tm_idset_equal(&set, &back));
	free(printed);
	tm_idset_fini(&set);
	tm_idset_fini(&back);
}

static void check_hosts(const char *text, struct tm_error *err)
{
	struct tm_hostlist list = TM_HOSTLIST_INIT, back = TM_HOSTLIST_INIT;
	struct tm_str printed = TM_STR_INIT;

	if (tm_hostlist_parse(&list, text, err) < 0)
		return;
	tm_hostlist_print(&list, &printed);
	must(tm_hostlist_parse(&back, printed.text, err) == 0);
	must(list.count == back.count && list.length == back.length &&
	     memcmp(list.text, back.text, list.length) == 0);
	tm_str_fini(&printed);
	tm_hostlist_fini(&list);
	tm_hostlist_fini(&back);
}

static void check_size(const char *text, struct tm_error *err)
{
	char printed[TM_UNITS_ROOM];
	int64_t bytes, back;

	if (tm_units_parse_bytes(text, &bytes, err) == 0)
		must(tm_units_parse_bytes(tm_units_print_bytes(bytes, printed), &back, err) == 0 &&
		     back == bytes);
	if (tm_units_parse_int(text, -1000, INT64_MAX, &bytes, err) == 0)
		must(bytes >= -1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct tm_error err;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	/* a bracket of thousands of names is allowed, and only slow */
	if (size < 12)
		check_hosts(text, &err);
	check_set(text, &err);
	check_size(text, &err);
	free(text);
	return 0;
}
