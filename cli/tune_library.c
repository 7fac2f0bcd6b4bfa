/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_library.h"

#include "core/record/record_traffic.h"

#include <string.h>

int tmap_tune_library_pick(int *library, const struct tmap_tune_library *names,
			   struct tmap_error *err)
{
	static const char *const whose[] = {
		[TMAP_LIBRARY_NAMED] = "the times are of",
		[TMAP_LIBRARY_OF_RECORD] = "the record is of",
		[TMAP_LIBRARY_OF_JOB] = "the placement was probed under",
	};
	int measured = names->measured ? tmap_library_of(names->measured) : TMAP_NONE;
	int wanted = names->wanted == TMAP_NONE ? measured : names->wanted;
	struct tmap_library_pick pick = names->record && tmap_record_is_there(names->record) ?
		tmap_record_library(wanted, names->record, names->placement) :
		tmap_library_pick(wanted, names->placement);
	const char *version = NULL;

	if (pick.why == TMAP_LIBRARY_OF_JOB)
		version = names->placement->origin.mpi;
	else if (pick.why == TMAP_LIBRARY_OF_RECORD)
		version = names->record->mpi;
	else if (pick.why == TMAP_LIBRARY_NAMED && names->wanted == TMAP_NONE)
		version = names->measured;
	if (pick.why == TMAP_LIBRARY_PRESET)
		return tmap_fail(err, TMAP_USAGE,
				 "--library is missing: the placement names no MPI library whose "
				 "rules are known");
	if (version && tmap_library_selects(pick.library)) {
		pick.library = tmap_library_selects_for(version);
		if (pick.library == TMAP_NONE)
			return tmap_fail(err, TMAP_USAGE,
					 "%s %.40s, whose selection files are not known: --library "
					 "is missing",
					 whose[pick.why], version);
	}
	*library = pick.library;
	return 0;
}
