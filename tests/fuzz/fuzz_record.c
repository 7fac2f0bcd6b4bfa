/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a record: refused as bad input, or what was read is in order, is written, read again and
 * written as the same; and small ones become traffic and
 * are accounted for. */
#include "core/library/library.h"
#include "core/record/record_account.h"
#include "core/record/record_traffic.h"
#include "core/record/recorded_lanes.h"
#include "formats/report/record/record_json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_text(const struct tmap_record *record, size_t *length)
{
	struct tmap_error err;
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	if (!out || tmap_record_write_json(out, record, &err) < 0)
		abort();
	fclose(out);
	return text;
}

static void check(const struct tmap_record *record)
{
	int ranks = record->placement.size;

	for (int way = 0; way < TMAP_WAYS; way++)
		for (int r = 0; record->sent[way].count && r < ranks; r++) {
			const struct tmap_record_row *row =
				tmap_record_row_of(record, (enum tmap_way)way, r);

			for (int i = 0; i < row->peers; i++)
				if (row->offset[i] < 0 || row->offset[i] >= ranks ||
				    row->messages[i] < 1)
					abort();
		}
	for (int i = 0; i < record->call_count; i++) {
		const struct tmap_recorded_call *it = &record->call[i];

		if (it->root >= record->communicator[it->communicator].size || it->calls < 1)
			abort();
	}
}

static void account_for(const struct tmap_record *record)
{
	struct tmap_record_account account;
	struct tmap_levels levels = { 0 };
	struct tmap_error err;

	if (tmap_levels_init(&levels, record->placement.machine, &err) < 0)
		return;
	const struct tmap_record_costs costs = { tmap_record_library(TMAP_NONE, record,
								     &record->placement),
						 tmap_profile_at(0), &levels };

	if (tmap_record_account_init(&account, record, &costs, &err) == 0) {
		if (account.structure.share < 0 || account.structure.share > 1 + 1e-9)
			abort();
		tmap_record_account_fini(&account);
	} else if (err.kind != TMAP_INPUT) {
		abort();
	}
	tmap_levels_fini(&levels);
}

static void compare_with_lanes(const struct tmap_record *record)
{
	const struct tmap_recorded_lanes_request request = {
		.collective = TMAP_NONE,
		.lanes = TMAP_NONE,
		.adapters = TMAP_NONE,
		.library = tmap_record_library(TMAP_NONE, record, &record->placement),
		.profile = tmap_profile_at(0),
	};
	struct tmap_recorded_lanes lanes;
	struct tmap_error err;

	if (tmap_recorded_lanes_init(&lanes, record, &request, &err) == 0) {
		if (lanes.gaining > lanes.count || lanes.lane_s > lanes.own_s)
			abort();
		tmap_recorded_lanes_fini(&lanes);
	} else if (err.kind != TMAP_INPUT) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tmap_record record = { 0 }, again = { 0 };
	struct tmap_record_traffic traffic;
	struct tmap_error err;
	size_t length, other_length;
	char *text, *other;

	if (tmap_record_parse_json(&record, (const char *)data, size, "fuzz", &err) < 0) {
		if (err.kind != TMAP_INPUT)
			abort();
		return 0;
	}
	check(&record);
	text = write_text(&record, &length);
	if (tmap_record_parse_json(&again, text, length, "again", &err) < 0)
		abort();
	other = write_text(&again, &other_length);
	if (strcmp(text, other) != 0)
		abort();
	if (record.placement.size <= 64) {
		if (tmap_record_traffic_init(&traffic, &record, 0, &err) == 0)
			tmap_record_traffic_fini(&traffic);
		else if (err.kind != TMAP_INPUT)
			abort();
	}
	if (record.placement.size <= 64) {
		account_for(&record);
		compare_with_lanes(&record);
	}
	free(text);
	free(other);
	tmap_record_fini(&record);
	tmap_record_fini(&again);
	return 0;
}
