/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/machine/json_system.h"

#include "core/base/mem.h"
#include "formats/machine/json_topology.h"

#include <stdlib.h>

static int put_system(struct tmap_json_writer *w, const struct tmap_system *system,
		      struct tmap_error *err)
{
	int status = 0;

	tmap_json_open_line(w, NULL, '{');
	if (system->cpu_quota_thousandths)
		tmap_json_put_double(w, "cpu_quota", (double)system->cpu_quota_thousandths / 1e3);
	if (system->memory_limit_bytes)
		tmap_json_put_int(w, "memory_limit_bytes", system->memory_limit_bytes);
	if (system->isolated.count)
		status = tmap_json_put_set(w, "isolated_pus", &system->isolated, err);
	if (status == 0 && system->nohz_full.count)
		status = tmap_json_put_set(w, "nohz_full_pus", &system->nohz_full, err);
	tmap_json_close(w);
	return status;
}

int tmap_json_put_systems(struct tmap_json_writer *w, const struct tmap_machine *machine,
			  struct tmap_error *err)
{
	int status = 0;

	if (!machine->system_count)
		return 0;
	tmap_json_open(w, "systems", '[');
	for (int i = 0; i < machine->system_count && status == 0; i++)
		status = put_system(w, &machine->system[i], err);
	tmap_json_close(w);
	return status;
}

static int get_quota(const struct tmap_json *in, struct tmap_system *system, struct tmap_error *err)
{
	const double most = (double)TMAP_MOST_QUOTA / 1e3;
	struct tmap_json found;
	double quota;

	if (tmap_json_find(in, "cpu_quota", TMAP_JSON_NUMBER, &found, err) < 0)
		return -1;
	if (!found.value)
		return 0;
	quota = tmap_json_number(&found);
	if (!(quota >= 1e-3 && quota <= most))
		return tmap_json_fail(&found, err, "%g is not in 0.001-%.0f", quota, most);
	system->cpu_quota_thousandths = (int64_t)(quota * 1e3 + 0.5);
	return 0;
}

static int get_system(const struct tmap_json *in, struct tmap_system *system,
		      struct tmap_error *err)
{
	if (get_quota(in, system, err) < 0 ||
	    tmap_json_find_int64(in, "memory_limit_bytes", 1, INT64_MAX,
				 &system->memory_limit_bytes, err) < 0 ||
	    tmap_json_find_set(in, "isolated_pus", TMAP_JSON_MOST_OS, &system->isolated, err) < 0)
		return -1;
	return tmap_json_find_set(in, "nohz_full_pus", TMAP_JSON_MOST_OS, &system->nohz_full, err);
}

int *tmap_json_get_systems(const struct tmap_json *in, struct tmap_machine *machine, int *count,
			   struct tmap_error *err)
{
	struct tmap_json array, element;
	int *number;

	if (tmap_json_find(in, "systems", TMAP_JSON_ARRAY, &array, err) < 0)
		return NULL;
	*count = tmap_json_count(&array);
	number = tmap_alloc_raw((size_t)*count, sizeof *number, err);
	for (int i = 0; number && i < *count; i++) {
		struct tmap_system system = { 0 };

		number[i] = TMAP_NONE;
		if (tmap_json_element(&array, i, TMAP_JSON_OBJECT, &element, err) == 0 &&
		    get_system(&element, &system, err) == 0)
			number[i] = tmap_machine_add_system(machine, &system, err);
		tmap_system_fini(&system);
		if (number[i] != TMAP_NONE)
			continue;
		free(number);
		return NULL;
	}
	return number;
}
