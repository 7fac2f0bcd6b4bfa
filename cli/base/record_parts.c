/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/record_parts.h"

#include "cli/base/other_file.h"
#include "core/record/record_sum.h"
#include "formats/base/amount.h"
#include "formats/base/input.h"

#include <string.h>

/* One record, in the phases that are asked for. */
static int record_read(struct tmap_record *record, const char *path, const char *phase,
		       const char *option, struct tmap_error *err)
{
	if (tmap_record_operand(record, path, err) < 0)
		return -1;
	if (option && !tmap_record_is_there(record)) {
		tmap_fail(err, TMAP_USAGE,
			  "it is no record, which says what a program communicated");
		tmap_at(err, tmap_input_name(path), 0);
		return tmap_wrap(err, "%s", option);
	}
	if (phase && tmap_record_choose_phases(record, phase, err) < 0) {
		tmap_at(err, tmap_input_name(path), 0);
		return tmap_wrap(err, "--phase");
	}
	return 0;
}

int tmap_record_parts_read(struct tmap_record *record, const char *path,
			   const struct tmap_record_parts_args *args, struct tmap_error *err)
{
	const char *option = args->added.count ? "--add" : args->phase ? "--phase" : NULL;

	if (record_read(record, path, args->phase, option, err) < 0)
		return -1;
	for (size_t i = 0; i < args->added.count; i++) {
		struct tmap_record other = { 0 };
		const char *from = args->added.items[i];
		int status = record_read(&other, from, args->phase, "--add", err);

		if (status == 0 && tmap_record_add(record, &other, err) < 0) {
			tmap_at(err, tmap_input_name(from), 0);
			status = tmap_wrap(err, "--add");
		}
		tmap_record_fini(&other);
		if (status < 0)
			return -1;
	}
	return 0;
}

void tmap_record_parts_write(FILE *out, const char *serves,
			     const struct tmap_record_parts_args *args,
			     const struct tmap_record *record)
{
	char seconds[TMAP_SECONDS_ROOM];

	if (!record->chosen && !args->added.count)
		return;
	fprintf(out, "%s ", serves);
	if (record->chosen)
		fprintf(out, "phase%s %s of ", strpbrk(record->chosen, ",-") ? "s" : "",
			record->chosen);
	if (args->added.count)
		fprintf(out, "%zu records, ", 1 + args->added.count);
	else
		fputs("the record, ", out);
	fprintf(out, "%s of the program's time.\n", tmap_seconds_print(record->seconds, seconds));
}
