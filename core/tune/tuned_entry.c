/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/tune/tuned_entry.h"

#include "core/base/mem.h"
#include "core/library/mpich_algorithms.h"
#include "core/library/ucc_algorithms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_RADIX = 4, WORD = 100 };

/* The next "--mca NAME VALUE" of a knob; false: there are no more, or it is something else. */
static bool knob_next(const char **knob, char name[WORD], int64_t *value)
{
	int length = 0;

	if (sscanf(*knob, " --mca %99s %" SCNd64 "%n", name, value, &length) != 2 || !length)
		return false;
	*knob += length;
	return true;
}

/* Of a variable of coll/tuned: what stands behind "coll_tuned_COLLECTIVE_algorithm". */
static const char *variable_end(const char *name, const char *collective)
{
	char start[WORD];
	int length = snprintf(start, sizeof start, "coll_tuned_%s_algorithm", collective);

	return length > 0 && strncmp(name, start, (size_t)length) == 0 ? name + length : NULL;
}

/* One that a selection file can name. */
static int entry_of_selection(struct tmap_rule *rule, bool *has, int library,
			      enum tmap_collective collective, const struct tmap_spec *choice,
			      struct tmap_error *err)
{
	struct tmap_mpich_choice made;

	if (tmap_mpich_choice_of(&made, collective, choice, tmap_library_releases(library).first,
				 err) < 0)
		return -1;
	*has = made.algorithm > 0;
	*rule = (struct tmap_rule){ .algorithm = made.algorithm,
				    .fan = made.k,
				    .requests = TMAP_NONE };
	return 0;
}

/* One that UCC_TL_UCP_TUNE can name, with nothing else set. */
static int entry_of_ucc(struct tmap_rule *rule, bool *has, enum tmap_collective collective,
			const struct tmap_spec *choice, struct tmap_error *err)
{
	const struct tmap_ucc_collective *row =
		tmap_ucc_collective_of(tmap_rule_collective_number(collective));
	struct tmap_knobs knobs;
	const struct tmap_library_whole alone = { NULL, NULL };
	char name[WORD];
	int length = 0;

	if (tmap_library_algorithm_knobs(&knobs, choice, &alone, err) < 0)
		return -1;
	*rule = (struct tmap_rule){ .requests = TMAP_NONE };
	if (row && knobs.ucc &&
	    sscanf(knobs.ucc, " UCC_TL_UCP_TUNE=%*[a-z_]:@%99[a-z_]%n", name, &length) == 1 &&
	    !knobs.ucc[length])
		rule->algorithm = tmap_ucc_algorithm_find(row, name, strlen(name));
	*has = rule->algorithm > 0;
	tmap_library_knobs_fini(&knobs);
	return 0;
}

int tmap_tuned_entry_of(struct tmap_rule *rule, bool *has, int library,
			enum tmap_collective collective, const struct tmap_spec *choice,
			struct tmap_error *err)
{
	struct tmap_knobs knobs = { 0 };
	struct tmap_rule made = { .requests = TMAP_NONE };
	const struct tmap_library_whole alone = { NULL, NULL };
	const char *knob, *end;
	char name[WORD];
	int64_t value;
	bool is_said = true;

	if (tmap_library_selects(library))
		return entry_of_selection(rule, has, library, collective, choice, err);
	if (tmap_library_is_ucc(library))
		return entry_of_ucc(rule, has, collective, choice, err);
	if (tmap_library_algorithm_knobs(&knobs, choice, &alone, err) < 0)
		return -1;
	knob = tmap_library_knob(library, &knobs, choice);
	while (is_said && knob && knob_next(&knob, name, &value)) {
		end = variable_end(name, tmap_collective_rows[collective].word.name);
		if (strcmp(name, "coll_tuned_use_dynamic_rules") == 0)
			continue;
		if (end && !*end)
			made.algorithm = value;
		else if (end && strcmp(end, "_segmentsize") == 0)
			made.segment = value;
		else if (end && strcmp(end, "_chain_fanout") == 0)
			made.fan = value;
		else
			is_said = end && strcmp(end, "_knomial_radix") == 0 && value == OWN_RADIX;
	}
	*has = knob && is_said && made.algorithm > 0 && !knob[strspn(knob, " ")];
	*rule = made;
	tmap_library_knobs_fini(&knobs);
	return 0;
}

/* Has the row called so a parameter of that name? */
static bool name_takes(enum tmap_collective collective, const char *name, const char *key)
{
	struct tmap_call call = { .size = 2 };
	struct tmap_error ignored;

	if (tmap_call_parse(&call, collective, name, &ignored) < 0)
		return false;
	for (int i = 0; call.choice.row->params && call.choice.row->params[i].key; i++)
		if (strcmp(call.choice.row->params[i].key, key) == 0)
			return true;
	return false;
}

/* What a selection file names. */
static int name_of_selection(char **name, const struct tmap_rule *rule,
			     const struct tmap_library_call *call, struct tmap_error *err)
{
	const struct tmap_mpich_choice choice = { (int)rule->algorithm, (int)rule->fan };
	int row = tmap_mpich_collective_of(call->collective);
	const char *ours = row == TMAP_NONE ? NULL :
					      tmap_mpich_choice_ours(row, &choice, call->size);

	*name = ours ? tmap_strdup(ours, err) : NULL;
	return ours && !*name ? -1 : 0;
}

/* What UCC names: one of ours that is named so there. */
static int name_of_ucc(char **name, const struct tmap_rule *rule,
		       const struct tmap_library_call *call, struct tmap_error *err)
{
	const struct tmap_keywords *words = tmap_algorithms(call->collective);
	int tried = tmap_algorithms_tried(call->collective);

	*name = NULL;
	for (int i = 0; i < tried; i++) {
		struct tmap_spec spec = tmap_spec_preset(words, i);
		struct tmap_rule its;
		bool has;

		if (!tmap_spec_fit(&spec, spec.row->knobs.ucc, 0))
			continue;
		if (entry_of_ucc(&its, &has, call->collective, &spec, err) < 0)
			return -1;
		if (!has || its.algorithm != rule->algorithm)
			continue;
		*name = tmap_spec_print(&spec, err);
		return *name ? 0 : -1;
	}
	return 0;
}

int tmap_tuned_entry_name(char **name, int library, const struct tmap_rule *rule,
			  const struct tmap_library_call *call, struct tmap_error *err)
{
	const struct tmap_library_choice choice =
		tmap_library_tuned_choice(call, rule->algorithm, rule->fan);
	char segment[WORD] = "", fan[WORD] = "";

	if (tmap_library_selects(library))
		return name_of_selection(name, rule, call, err);
	if (tmap_library_is_ucc(library))
		return name_of_ucc(name, rule, call, err);
	*name = NULL;
	if (!choice.algorithm[0])
		return 0;
	if (rule->segment && name_takes(call->collective, choice.algorithm, "segment"))
		snprintf(segment, sizeof segment, ",segment=%" PRId64, rule->segment);
	if (rule->fan && name_takes(call->collective, choice.algorithm, "fanout"))
		snprintf(fan, sizeof fan, ",fanout=%" PRId64, rule->fan);
	*name = tmap_format(err, "%s%s%s", choice.algorithm, fan, segment);
	return *name ? 0 : -1;
}
