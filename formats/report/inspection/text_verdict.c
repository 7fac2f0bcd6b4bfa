/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/text_verdict.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/base/units.h"
#include "formats/base/wrap.h"
#include "formats/launchers/common/shell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is said has 2 + 2 + 1 + 4 + 1 lines, or where the order does not fit 2 + 1 + 1 + 5 + 1. */
enum {
	SCREEN = 80,
	LONGEST_WORD = 12,
	BOUND_LINES = 2,
	ORDER_LINES = 4,
	MOST_LISTED = 512,
	MOST_RANGES = 4,
	MOST_REORDERED = 4096
};

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* At most so many lines of the screen: a line loses less than a long word. */
static int write_sentence(FILE *out, struct tmap_str *str, int lines, struct tmap_error *err)
{
	size_t room = (size_t)lines * (SCREEN - LONGEST_WORD);
	char *text = tmap_str_take(str, err);

	if (!text)
		return -1;
	if (lines == 1)
		room = SCREEN;
	if (strlen(text) > room)
		memcpy(text + room - 3, "...", 4);
	tmap_text_write_wrapped(out, 0, "", text);
	free(text);
	return 0;
}

static void add_option(struct tmap_str *line, const char *option, const char *value)
{
	if (!value)
		return;
	tmap_str_addf(line, " %s ", option);
	tmap_shell_add(line, value);
}

/* "    topomap inspect --lint job.json" */
static int write_command(FILE *out, const char *command, const struct tmap_verdict_words *words,
			 const char *remark, struct tmap_error *err)
{
	struct tmap_str line = TMAP_STR_INIT;
	char *text;

	tmap_str_addf(&line, "    topomap %s", command);
	add_option(&line, "--library", words->library);
	add_option(&line, "--profile", words->profile);
	add_option(&line, "--comm", words->comm);
	tmap_str_add(&line, " ");
	tmap_shell_add_file(&line, words->job ? words->job : "-");
	if (remark && line.length + strlen("  # ") + strlen(remark) <= SCREEN)
		tmap_str_addf(&line, "  # %s", remark);
	text = tmap_str_take(&line, err);
	if (!text)
		return -1;
	fprintf(out, "%s\n", text);
	free(text);
	return 0;
}

static const char *article(const char *binding)
{
	return *binding >= '0' && *binding <= '9' ? "" : *binding == 'L' ? "an " : "a ";
}

/* "each to a core", "to core (30), 2 cores (2)" */
static void add_bindings(struct tmap_str *str, const struct tmap_verdict *verdict)
{
	const struct tmap_inspection *it = verdict->inspection;
	char text[TMAP_BINDING_ROOM];

	if (verdict->unbound == it->placement->size) {
		tmap_str_add(str, "none is bound");
		return;
	}
	if (verdict->unbound) {
		tmap_str_addf(str, "%d not bound", verdict->unbound);
		return;
	}
	if (it->binding_count == 1) {
		tmap_binding_print(it->binding[0].binding, text);
		tmap_str_addf(str, "%sto %s%s", it->placement->size > 1 ? "each " : "",
			      article(text), text);
	}
	for (int i = 0; it->binding_count > 1 && i < it->binding_count && i < 2; i++)
		tmap_str_addf(str, "%s%s (%d)", i ? ", " : "to ",
			      tmap_binding_print(it->binding[i].binding, text),
			      it->binding[i].ranks);
	if (it->binding_count > 2)
		tmap_str_addf(str, " and %d more kinds", it->binding_count - 2);
}

/* "32 of 64 cores are idle, 4 of 8 packages whole" */
static void add_use(struct tmap_str *str, const struct tmap_verdict *verdict)
{
	const struct tmap_verdict_use *cores = &verdict->cores, *whole = &verdict->packages;
	const struct tmap_inspection *it = verdict->inspection;
	const char *name = "package";

	if (!verdict->is_counted) {
		tmap_str_add(str, "; idle cores were not counted, the job is too large");
		return;
	}
	if (!whole->idle) {
		whole = &verdict->numas;
		name = "NUMA node";
	}
	if (verdict->ranks_per_core > 1)
		tmap_str_addf(str, "; %.2g ranks a core", verdict->ranks_per_core);
	else if (verdict->inspection->crowding_core)
		tmap_str_addf(str, "; %d ranks share cores", verdict->inspection->crowding_core);
	if (verdict->unbound) /* they may run on each */
		return;
	if (cores->idle)
		tmap_str_addf(str, "; %" PRId64 " of %" PRId64 " cores idle", cores->idle,
			      cores->objects);
	else
		tmap_str_addf(str, "; no core is idle%s",
			      it->order.used_nodes < it->placement->machine->node_count ? " there" :
											  "");
	if (whole->idle)
		tmap_str_addf(str, ", %" PRId64 " of %" PRId64 " %ss whole", whole->idle,
			      whole->objects, name);
}

static int write_binding(FILE *out, const struct tmap_verdict *verdict, struct tmap_error *err)
{
	const struct tmap_order *order = &verdict->inspection->order;
	const struct tmap_placement *p = verdict->inspection->placement;
	int nodes = p->machine->node_count;
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%s: %d rank%s on %d",
		      verdict->is_bound_well ? "Bound well" : "Not bound well", p->size,
		      plural(p->size), order->used_nodes);
	if (order->used_nodes < nodes)
		tmap_str_addf(&str, " of %d", nodes);
	tmap_str_addf(&str, " node%s, ", plural(nodes));
	add_bindings(&str, verdict);
	add_use(&str, verdict);
	tmap_str_add(&str, ".");
	return write_sentence(out, &str, BOUND_LINES, err);
}

static bool is_shown(const struct tmap_finding *finding, enum tmap_severity severity)
{
	/* the order has sentences of its own */
	return finding->severity == severity && strcmp(finding->rule->word.name, "slow-order") != 0;
}

/* "error shared-pu: 4 ranks are bound to the same PUs": the reason, without why that matters */
static int write_finding(FILE *out, const struct tmap_finding *finding, int lines,
			 struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;
	tmap_str_addf(&str, "%s %s: %.*s",
		      tmap_keywords_at(&tmap_severities, finding->severity)->name,
		      finding->rule->word.name, finding->what, finding->reason);
	return write_sentence(out, &str, lines, err);
}

/* Errors first, hints never, on so many lines; in *more how many there are besides. */
static int write_findings(FILE *out, const struct tmap_lint *lint, int lines, int *more,
			  struct tmap_error *err)
{
	int shown = 0, count = 0;

	for (int i = 0; i < lint->count; i++)
		count += is_shown(&lint->finding[i], TMAP_SEVERITY_ERROR) ||
			is_shown(&lint->finding[i], TMAP_SEVERITY_WARNING);
	for (int s = TMAP_SEVERITY_ERROR; s >= TMAP_SEVERITY_WARNING; s--)
		for (int i = 0; i < lint->count && shown < lines; i++) {
			const struct tmap_finding *finding = &lint->finding[i];

			if (!is_shown(finding, (enum tmap_severity)s))
				continue;
			if (write_finding(out, finding, count == 1 ? lines : 1, err) < 0)
				return -1;
			shown++;
		}
	*more = count - shown;
	return 0;
}

/* The table of ranks where that is a screen or a few, else of the first ones. */
static int write_lint_command(FILE *out, const struct tmap_verdict *verdict, int more,
			      const struct tmap_verdict_words *words, struct tmap_error *err)
{
	const struct tmap_lint *lint = verdict->lint;
	int size = verdict->inspection->placement->size;
	char remark[64] = "";

	if (more)
		snprintf(remark, sizeof remark, "%d more finding%s", more, plural(more));
	else if (lint->count == 1 && lint->finding[0].severity == TMAP_SEVERITY_HINT)
		snprintf(remark, sizeof remark, "a hint: %s", lint->finding[0].rule->word.name);
	else if (lint->count && !tmap_lint_count(lint, TMAP_SEVERITY_WARNING))
		snprintf(remark, sizeof remark, "%d hints", lint->count);
	return write_command(out,
			     lint->count                 ? "inspect --lint" :
				     size <= MOST_LISTED ? "inspect --table" :
							   "inspect --ranks 0-63",
			     words, *remark ? remark : NULL, err);
}

/* "Predicted by the published profile summit, as by all 6 others; not measured here": what another
 * profile denies is not advised. */
static void add_costs(struct tmap_str *str, const struct tmap_advice *advice, int agreeing)
{
	tmap_str_addf(str, " Predicted by the %s profile %s", tmap_profile_kind(&advice->profile),
		      advice->profile.word.name);
	if (advice->nodes)
		tmap_str_addf(str, " for %d nodes", advice->nodes);
	if (agreeing)
		tmap_str_addf(str, ", as by %d of %d other published ones", agreeing, agreeing);
	tmap_str_add(str, advice->is_measured ? "." : "; not measured here.");
}

/* What is said of the order; of one node only which library it is. */
static void add_order(struct tmap_str *str, const struct tmap_verdict *verdict, const char *library)
{
	const struct tmap_advice *advice = verdict->advice;
	char order[TMAP_ORDER_ROOM];

	tmap_order_print(&verdict->inspection->order, order);
	if (verdict->inspection->order.used_nodes < 2)
		tmap_str_addf(str, "Library: %s.", library);
	else if (advice->order != TMAP_NONE)
		tmap_str_addf(str,
			      "Order does not fit: %s, for %s; %s would be %.1f times as fast.",
			      order, library, tmap_advice_order_at(advice->order)->name,
			      advice->gain.times);
	else if (advice->disputed != TMAP_NONE)
		tmap_str_addf(str,
			      "Order: %s, for %s. No advice: %s would gain %.1f times, but lose by "
			      "%d of %d other profiles.",
			      order, library, tmap_advice_order_at(advice->disputed)->name,
			      advice->dispute.times, advice->dispute.against,
			      advice->dispute.profiles);
	else
		tmap_str_addf(str, "Order fits: %s, for %s.", order, library);
}

static void add_option_gain(struct tmap_str *str, const struct tmap_advice *advice)
{
	const struct tmap_advice_call *knob = tmap_advice_find_knob(advice);
	char text[TMAP_UNITS_ROOM];

	if (knob)
		tmap_str_addf(str,
			      " To try where %s of %s counts and small ones do not: an option, "
			      "%s, %.1f times as fast.",
			      tmap_collective_rows[knob->collective].word.name,
			      tmap_units_print_bytes(knob->bytes, text), knob->other,
			      knob->gain.times);
	else if (advice->nodes)
		tmap_str_addf(str, " Options are not weighed for more than %d ranks.",
			      TMAP_ADVICE_MOST_RANKS);
	else
		tmap_str_addf(str, " No option would gain %.0f times.", TMAP_ADVICE_OPTION_GAIN);
	add_costs(str, advice,
		  knob                               ? knob->gain.profiles :
			  advice->order != TMAP_NONE ? advice->gain.profiles :
						       0);
}

/* The call that is asked about further: that of the option, else that which the order slows down. */
static const struct tmap_advice_call *find_call(const struct tmap_advice *advice)
{
	const struct tmap_advice_call *knob = tmap_advice_find_knob(advice);

	return knob ? knob : &advice->call[0];
}

/* Another order is a file for the launcher, or a question of the calls where that would be long. */
static int write_order_command(FILE *out, const struct tmap_verdict *verdict,
			       const struct tmap_verdict_words *words, struct tmap_error *err)
{
	const struct tmap_advice_call *call = find_call(verdict->advice);
	bool is_reordered = verdict->advice->order != TMAP_NONE &&
		verdict->inspection->placement->size <= MOST_REORDERED;
	struct tmap_verdict_words known = *words;
	struct tmap_str command = TMAP_STR_INIT;
	char bytes[TMAP_UNITS_ROOM], *text;
	const char *name = tmap_collective_rows[call->collective].word.name;
	int status;

	tmap_units_print_bytes(call->bytes, bytes);
	if (is_reordered) {
		tmap_str_addf(&command, "suggest-rankfile --for %s:%s:%s", name, call->algorithm,
			      bytes);
		known.library = NULL;
	} else {
		tmap_str_addf(&command, "score -c %s -b %s", name, bytes);
	}
	text = tmap_str_take(&command, err);
	status = text ? write_command(out, text, &known, NULL, err) : -1;
	free(text);
	return status;
}

/* Programs have calls of their own: the ranks of the first one are a communicator to ask of, where
 * their list is short. */
static int write_programs(FILE *out, const struct tmap_verdict *verdict,
			  const struct tmap_verdict_words *words, struct tmap_error *err)
{
	const struct tmap_inspection *it = verdict->inspection;
	struct tmap_verdict_words of_one = *words;
	struct tmap_idset ranks = { 0 };
	char *list = NULL;
	int status = 0;

	fprintf(out, "Order: not weighed, the job has %d programs with calls of their own.\n",
		it->parts.count);
	for (int r = 0; status == 0 && r < it->placement->size; r++)
		if (tmap_mpmd_of(&it->parts, it->placement, r) == 0)
			status = tmap_idset_add(&ranks, r, err);
	if (status == 0 && ranks.count <= MOST_RANGES)
		list = tmap_idset_print(&ranks, err);
	if (ranks.count > MOST_RANGES || it->placement->world || words->comm)
		fprintf(out, "    --comm with the ranks of one of them weighs it.\n");
	else if (list) {
		of_one.comm = list;
		status = write_command(out, "inspect", &of_one, NULL, err);
	} else {
		status = -1;
	}
	tmap_idset_fini(&ranks);
	free(list);
	return status;
}

/* Nothing is known of what it runs. */
static void write_unknown(FILE *out, const struct tmap_verdict *verdict)
{
	int library = verdict->advice->library;

	fprintf(out, "Order: what %s runs by itself is not known.\n",
		library == TMAP_NONE ? "the MPI library" :
				       tmap_keywords_at(&tmap_libraries, (size_t)library)->summary);
}

static int write_order(FILE *out, const struct tmap_verdict *verdict,
		       const struct tmap_verdict_words *words, struct tmap_error *err)
{
	const struct tmap_advice *advice = verdict->advice;
	struct tmap_str str = TMAP_STR_INIT;
	char *library;

	if (verdict->inspection->placement->size < 2)
		return 0;
	if (verdict->inspection->parts.count)
		return write_programs(out, verdict, words, err);
	if (!advice->count) {
		write_unknown(out, verdict);
		return 0;
	}
	library = tmap_advice_print_library(advice, err);
	if (!library)
		return -1;
	add_order(&str, verdict, library);
	free(library);
	add_option_gain(&str, advice);
	if (write_sentence(out, &str, ORDER_LINES + (advice->order != TMAP_NONE), err) < 0)
		return -1;
	return write_order_command(out, verdict, words, err);
}

int tmap_text_write_verdict(FILE *out, const struct tmap_verdict *verdict,
			    const struct tmap_verdict_words *words, struct tmap_error *err)
{
	int more;

	if (write_binding(out, verdict, err) < 0 ||
	    write_findings(out, verdict->lint, verdict->advice->order == TMAP_NONE ? 2 : 1, &more,
			   err) < 0 ||
	    write_lint_command(out, verdict, more, words, err) < 0)
		return -1;
	return write_order(out, verdict, words, err);
}
