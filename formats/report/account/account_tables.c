/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/account/account_tables.h"

#include "core/base/units.h"

#include <stdio.h>
#include <string.h>

void tmap_account_tables_init(struct tmap_account_tables *tables,
			      const struct tmap_record_account *account)
{
	*tables = (struct tmap_account_tables){ .account = account };
	tables->room = tables->text[0];
	tables->label = tables->text[1];
	for (int i = 0; i < account->levels.count; i++) {
		tables->bytes += account->levels.level[i].bytes;
		tables->all_bytes += account->levels.level[i].all_bytes;
	}
	for (int i = 0; i < TMAP_RECORD_SIZES; i++) {
		if (!account->totals.sizes[i])
			continue;
		tables->messages += (double)account->totals.sizes[i];
		tables->size_class[tables->size_rows++] = i;
	}
}

/* by level */

enum { IN, LEVEL, BYTES, SHARE, ALL, ALL_SHARE };

static const struct tmap_column level_columns[] = {
	[IN] = { NULL, NULL, "bytes between ranks", TMAP_COLUMN_STRING },
	[LEVEL] = { "level", NULL, NULL, TMAP_COLUMN_STRING },
	[BYTES] = { "bytes", NULL, "messages", TMAP_COLUMN_BYTES, .is_real = true },
	[SHARE] = { "share", NULL, "share", TMAP_COLUMN_SHARE },
	[ALL] = { "bytes_with_collectives", NULL, "with collectives", TMAP_COLUMN_BYTES,
		  .is_real = true, .is_optional = true },
	[ALL_SHARE] = { "share_with_collectives", NULL, "share", TMAP_COLUMN_SHARE,
			.is_optional = true },
};

static int level_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_account_tables *tables = subject;
	const struct tmap_record_levels *levels = &tables->account->levels;
	const struct tmap_record_level *it = &levels->level[row];

	(void)err;
	if (it->name)
		snprintf(tables->room, TMAP_ACCOUNT_CELL_ROOM, "in a %s", it->name);
	cell[IN].string = it->name ? tables->room : "beyond";
	cell[LEVEL].string = it->name;
	cell[LEVEL].is_empty = !it->name;
	cell[BYTES].number = it->bytes;
	cell[SHARE].number = tables->bytes > 0 ? it->bytes / tables->bytes : 0;
	cell[SHARE].is_empty = tables->bytes <= 0;
	cell[ALL].number = it->all_bytes;
	cell[ALL_SHARE].number = tables->all_bytes > 0 ? it->all_bytes / tables->all_bytes : 0;
	cell[ALL].is_empty = !levels->has_calls;
	cell[ALL_SHARE].is_empty = !levels->has_calls || tables->all_bytes <= 0;
	return 0;
}

struct tmap_table tmap_account_levels_table(const struct tmap_account_tables *tables)
{
	const struct tmap_record_levels *levels = &tables->account->levels;

	return (struct tmap_table){ .column = level_columns,
				    .columns = TMAP_COLUMNS(level_columns),
				    .rows = levels->is_counted ? levels->count : 0,
				    .row = level_row,
				    .subject = tables };
}

/* by phase */

enum {
	PHASE,
	PHASE_SECONDS,
	PHASE_MESSAGES,
	PHASE_BYTES,
	PHASE_CALLS,
	PHASE_CALL_BYTES,
	PHASE_SHARE
};

static const struct tmap_column phase_columns[] = {
	[PHASE] = { "phase", NULL, "phase", TMAP_COLUMN_INT },
	[PHASE_SECONDS] = { "seconds", NULL, "time", TMAP_COLUMN_SECONDS },
	[PHASE_MESSAGES] = { "messages", NULL, "sent", TMAP_COLUMN_AMOUNT },
	[PHASE_BYTES] = { "bytes", NULL, "bytes", TMAP_COLUMN_BYTES },
	[PHASE_CALLS] = { "calls", NULL, "collectives", TMAP_COLUMN_AMOUNT },
	[PHASE_CALL_BYTES] = { "call_bytes", NULL, "bytes", TMAP_COLUMN_BYTES },
	[PHASE_SHARE] = { "call_share", NULL, "in them", TMAP_COLUMN_SHARE, .is_optional = true },
};

static int phase_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_account_tables *tables = subject;
	const struct tmap_record *record = tables->account->record;
	const struct tmap_record_part *part = &record->phase[row];
	const struct tmap_record_totals *totals = &tables->account->phase[row];
	double time = part->seconds * record->placement.size;

	(void)err;
	cell[PHASE].count = part->number;
	cell[PHASE_SECONDS].number = part->seconds;
	for (int way = 0; way < TMAP_WAYS; way++)
		cell[PHASE_MESSAGES].count += totals->sent[way].messages;
	cell[PHASE_BYTES].count = totals->bytes;
	cell[PHASE_CALLS].count = totals->calls;
	cell[PHASE_CALL_BYTES].count = totals->call_bytes;
	cell[PHASE_SHARE].number = time > 0 ? totals->call_seconds / time : 0;
	cell[PHASE_SHARE].is_empty = time <= 0;
	return 0;
}

struct tmap_table tmap_account_phases_table(const struct tmap_account_tables *tables)
{
	return (struct tmap_table){ .column = phase_columns,
				    .columns = TMAP_COLUMNS(phase_columns),
				    .rows = tables->account->record->phase_count,
				    .row = phase_row,
				    .subject = tables };
}

/* by size */

enum { FROM, LEAST, MOST, MESSAGES, SIZE_SHARE };

static const struct tmap_column size_columns[] = {
	[FROM] = { NULL, NULL, "message of bytes", TMAP_COLUMN_STRING },
	[LEAST] = { "least_bytes", NULL, NULL, TMAP_COLUMN_INT },
	[MOST] = { "most_bytes", NULL, NULL, TMAP_COLUMN_INT },
	[MESSAGES] = { "messages", NULL, "messages", TMAP_COLUMN_AMOUNT },
	[SIZE_SHARE] = { "share", NULL, "share", TMAP_COLUMN_SHARE },
};

static int size_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_account_tables *tables = subject;
	int class = tables->size_class[row];
	char from[TMAP_UNITS_ROOM], to[TMAP_UNITS_ROOM];

	(void)err;
	cell[LEAST].count = class ? INT64_C(1) << (class - 1) : 0;
	cell[MOST].count = class ? cell[LEAST].count + (cell[LEAST].count - 1) : 0;
	if (class < 2)
		snprintf(tables->room, TMAP_ACCOUNT_CELL_ROOM, "%d", class);
	else if (class == TMAP_RECORD_SIZES - 1)
		snprintf(tables->room, TMAP_ACCOUNT_CELL_ROOM, "%s and more",
			 tmap_units_print_bytes(cell[LEAST].count, from));
	else
		snprintf(tables->room, TMAP_ACCOUNT_CELL_ROOM, "%s up to %s",
			 tmap_units_print_bytes(cell[LEAST].count, from),
			 tmap_units_print_bytes(cell[MOST].count + 1, to));
	cell[FROM].string = tables->room;
	cell[MESSAGES].count = tables->account->totals.sizes[class];
	cell[SIZE_SHARE].number = (double)cell[MESSAGES].count / tables->messages;
	return 0;
}

struct tmap_table tmap_account_sizes_table(const struct tmap_account_tables *tables)
{
	return (struct tmap_table){ .column = size_columns,
				    .columns = TMAP_COLUMNS(size_columns),
				    .rows = tables->size_rows,
				    .row = size_row,
				    .subject = tables };
}

/* by collective */

enum {
	LABEL,
	COLLECTIVE,
	MODE,
	ON,
	COMMUNICATOR,
	RANKS,
	ROOT,
	CALL_BYTES,
	CALLS,
	SECONDS,
	CALL_SHARE,
	ALGORITHM,
	HOW,
	PREDICTED,
	POSSIBLE,
	OTHER,
	KNOB,
	SCOPE,
	CONTESTED
};

static const struct tmap_column longest_columns[] = {
	[LABEL] = { NULL, NULL, "collective", TMAP_COLUMN_STRING },
	[COLLECTIVE] = { "collective", NULL, NULL, TMAP_COLUMN_STRING },
	[MODE] = { "mode", NULL, NULL, TMAP_COLUMN_STRING },
	[ON] = { NULL, NULL, "on", TMAP_COLUMN_STRING },
	[COMMUNICATOR] = { "communicator", NULL, NULL, TMAP_COLUMN_INT },
	[RANKS] = { "ranks", NULL, "ranks", TMAP_COLUMN_INT },
	[ROOT] = { "root", NULL, NULL, TMAP_COLUMN_INT },
	[CALL_BYTES] = { "bytes", NULL, "bytes", TMAP_COLUMN_SIZE },
	[CALLS] = { "calls", NULL, "calls", TMAP_COLUMN_AMOUNT },
	[SECONDS] = { "seconds", NULL, "slowest", TMAP_COLUMN_SECONDS, .is_optional = true },
	[CALL_SHARE] = { "share", NULL, "share", TMAP_COLUMN_SHARE, .is_optional = true },
	[ALGORITHM] = { "algorithm", NULL, "algorithm", TMAP_COLUMN_STRING },
	[HOW] = { "how", NULL, NULL, TMAP_COLUMN_STRING },
	[PREDICTED] = { "predicted_seconds", NULL, "predicted", TMAP_COLUMN_SECONDS,
			.is_optional = true },
	[POSSIBLE] = { "possible_seconds", NULL, "possible", TMAP_COLUMN_SECONDS,
		       .is_optional = true },
	[OTHER] = { "possible_algorithm", NULL, "by", TMAP_COLUMN_STRING, .is_optional = true },
	[KNOB] = { "knob", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[SCOPE] = { "knob_scope", NULL, NULL, TMAP_COLUMN_STRING, .is_optional = true },
	[CONTESTED] = { "knob_is_contested", NULL, NULL, TMAP_COLUMN_BOOL, .is_optional = true },
};

/* Its name, where that is short, or its number in the record. */
static const char *name_communicator(const struct tmap_account_tables *tables, int index)
{
	const char *name = tables->account->record->communicator[index].name;
	enum { LENGTH_MOST = 16 };

	if (name[0] && strlen(name) <= LENGTH_MOST)
		return name;
	snprintf(tables->room, TMAP_ACCOUNT_CELL_ROOM, "communicator %d", index);
	return tables->room;
}

static int longest_row(const void *subject, int row, struct tmap_cell *cell, struct tmap_error *err)
{
	const struct tmap_account_tables *tables = subject;
	const struct tmap_record *record = tables->account->record;
	const struct tmap_record_longest *it = &tables->account->longest[row];
	const struct tmap_recorded_call *call = &record->call[it->call];

	(void)err;
	snprintf(tables->label, TMAP_ACCOUNT_CELL_ROOM, "%d %s", row + 1,
		 tmap_recorded_rows[call->collective].word.name);
	cell[LABEL].string = tables->label;
	cell[COLLECTIVE].string = tmap_recorded_rows[call->collective].word.name;
	cell[MODE].string = tmap_keywords_at(&tmap_modes, (size_t)call->mode)->name;
	cell[ON].string = name_communicator(tables, call->communicator);
	cell[COMMUNICATOR].count = call->communicator;
	cell[RANKS].count = record->communicator[call->communicator].size;
	cell[ROOT].count = call->root;
	cell[CALL_BYTES].count = call->bytes;
	cell[CALLS].count = call->calls;
	cell[SECONDS].number = call->seconds_max;
	cell[CALL_SHARE].number = it->share;
	cell[SECONDS].is_empty = cell[CALL_SHARE].is_empty = call->mode != TMAP_BLOCKING;
	cell[CALL_SHARE].is_empty |= record->seconds <= 0;
	cell[ALGORITHM].string = it->algorithm;
	cell[ALGORITHM].is_empty = !it->algorithm[0];
	cell[HOW].string = it->how;
	cell[HOW].is_empty = !it->how;
	cell[PREDICTED].number = it->predicted_s;
	cell[PREDICTED].is_empty = it->predicted_s < 0;
	cell[POSSIBLE].number = it->possible_s;
	cell[POSSIBLE].is_empty = it->possible_s < 0;
	cell[OTHER].string = it->other;
	cell[KNOB].string = it->knob;
	cell[SCOPE].string = it->scope;
	cell[CONTESTED].is_true = it->is_contested;
	for (int column = OTHER; column <= CONTESTED; column++)
		cell[column].is_empty = !it->other;
	return 0;
}

struct tmap_table tmap_account_longest_table(const struct tmap_account_tables *tables)
{
	return (struct tmap_table){ .column = longest_columns,
				    .columns = TMAP_COLUMNS(longest_columns),
				    .rows = tables->account->longest_count,
				    .row = longest_row,
				    .subject = tables };
}
