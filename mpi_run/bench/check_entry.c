/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_run/bench/check_entry.h"

#include "core/base/mem.h"

#include <math.h>
#include <string.h>

/* Times that differ by no more are the same: a simulation's, as no machine is so even. */
static const double even_part = 2e-3;

int tmap_check_entry_add(void *data, struct tmap_error *err)
{
	const struct tmap_check_addition *it = data;
	struct tmap_check_entry *entry = it->entry;
	size_t more = (size_t)it->experiment->repetitions;

	if (tmap_grow(&entry->time, &entry->capacity, entry->count + more, sizeof *entry->time,
		      err) < 0)
		return -1;
	memcpy(entry->time + entry->count, it->experiment->raw, more * sizeof *entry->time);
	entry->count += more;
	entry->median[entry->rounds++] = it->experiment->seconds.median;
	entry->is_wrong = entry->is_wrong || !it->experiment->is_correct;
	return 0;
}

struct tmap_call tmap_check_entry_call(const struct tmap_check_entry *entry,
				       const struct tmap_check *check,
				       const struct tmap_session *session)
{
	const struct tmap_check_case *of = &check->item[entry->item];
	const struct tmap_collective_row *row = &tmap_collective_rows[of->collective];
	struct tmap_call call = { .choice = entry->candidate.choice,
				  .size = session->times.placement.size,
				  .bytes = of->bytes,
				  .metric = &session->metric };

	if (row->reduces && row->cuts_vector)
		call.element = tmap_library_element(of->collective, of->bytes);
	return call;
}

bool tmap_check_entry_is_even(const struct tmap_check_entry *entry)
{
	for (size_t k = 1; k < entry->count; k++)
		if (fabs(entry->time[k] - entry->time[0]) > even_part * entry->time[0])
			return false;
	return true;
}

int tmap_check_entry_keep(const struct tmap_check_entry *entry, const struct tmap_check *check,
			  struct tmap_session *session, struct tmap_error *err)
{
	const struct tmap_check_case *of = &check->item[entry->item];
	struct tmap_experiment all = { .collective = of->collective,
				       .mode = TMAP_BLOCKING,
				       .bytes = of->bytes,
				       .repetitions = (int64_t)entry->count,
				       .is_correct = !entry->is_wrong,
				       .run_count = 1 };
	int status = 0;

	all.algorithm = tmap_strdup(entry->candidate.name, err);
	all.run = all.algorithm ? tmap_alloc_raw(1, sizeof *all.run, err) : NULL;
	if (!all.run ||
	    tmap_sample_statistics_init(&all.seconds, entry->time, entry->count, err) < 0)
		status = -1;
	if (status == 0) {
		all.run[0] = all.seconds.median;
		status = tmap_times_add_take(&session->times, &all, err);
	}
	tmap_experiment_fini(&all);
	return status;
}

double tmap_check_entry_drift(const struct tmap_check_entry *entry)
{
	double least = entry->median[0], most = least;

	for (int k = 1; k < entry->rounds; k++) {
		least = fmin(least, entry->median[k]);
		most = fmax(most, entry->median[k]);
	}
	return least > 0 ? most / least - 1 : 0;
}
