/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/record/record_account.h"

int tmap_record_account_init(struct tmap_record_account *account, const struct tmap_record *record,
			     const struct tmap_record_costs *costs, struct tmap_error *err)
{
	struct tmap_record_account *it = account;

	*it = (struct tmap_record_account){ .record = record, .costs = *costs };
	if (tmap_record_totals_find(&it->totals, record, err) == 0 &&
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
	*account = (struct tmap_record_account){ 0 };
}
