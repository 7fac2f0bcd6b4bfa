/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_account.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

static int phases_find(struct tmap_record_account *it, struct tmap_error *err)
{
	const struct tmap_record *record = it->record;

	if (!record->phase_count)
		return 0;
	it->phase = tmap_alloc((size_t)record->phase_count, sizeof *it->phase, err);
	for (int i = 0; it->phase && i < record->phase_count; i++) {
		const struct tmap_record_part *part = &record->phase[i];
		/* the record as if that phase were all */
		struct tmap_record alone = *record;

		memcpy(alone.sent, part->sent, sizeof alone.sent);
		alone.call = part->call;
		alone.call_count = part->call_count;
		if (tmap_record_totals_find(&it->phase[i], &alone, err) < 0)
			return -1;
	}
	return it->phase ? 0 : -1;
}

int tmap_record_account_init(struct tmap_record_account *account, const struct tmap_record *record,
			     const struct tmap_record_costs *costs, struct tmap_error *err)
{
	struct tmap_record_account *it = account;

	*it = (struct tmap_record_account){ .record = record, .costs = *costs };
	if (tmap_record_totals_find(&it->totals, record, err) == 0 && phases_find(it, err) == 0 &&
	    tmap_record_levels_init(&it->levels, record, costs->levels, it->totals.pairs,
				    costs->library.library, err) == 0 &&
	    tmap_record_structure_find(&it->structure, record, &it->totals, err) == 0 &&
	    tmap_record_longest_find(it->longest, &it->longest_count, record, costs, err) == 0)
		return 0;
	tmap_record_account_fini(it);
	return -1;
}

void tmap_record_account_fini(struct tmap_record_account *account)
{
	tmap_record_levels_fini(&account->levels);
	for (int i = 0; i < TMAP_RECORD_LONGEST; i++)
		tmap_record_longest_fini(&account->longest[i]);
	free(account->phase);
	*account = (struct tmap_record_account){ 0 };
}
