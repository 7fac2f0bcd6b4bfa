/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/report/inspection/text_verdict.h"

#include "core/base/mem.h"
#include "core/base/string.h"
#include "core/lint/lint_room.h"
#include "formats/base/wrap.h"
#include "formats/report/inspection/verdict_command.h"
#include "formats/report/inspection/verdict_order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINES = 10,
	BOUND_LINES = 2,
	MOST_SHOWN = LINES,
	MOST_IGNORED = 3,
	MOST_RANGES = 3,   /* of ranks of a finding */
	MOST_LISTED = 512, /* ranks in a table */
	FIX_COLUMN = 7,
	FIX_LINES = 3, /* in the words of many launchers it is longer */
};

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* The lines that the text takes. */
static int count_lines(int column, const char *text)
{
	int lines = 1;

	while (text[tmap_text_fit(column, text, lines)])
		lines++;
	return lines;
}

/* The text, which it takes, or as many of its words as fit on so many lines with "..." behind them. */
static char *cut_take(char *text, int column, int lines, struct tmap_error *err)
{
	size_t length = text ? tmap_text_fit(column, text, lines) : 0;
	char *shorter = NULL;

	if (!text || !text[length])
		return text;
	for (;;) {
		while (length > 0 && text[length - 1] == ' ')
			length--;
		shorter = tmap_format(err, "%.*s%s...", (int)length, text, length ? " " : "");
		if (!shorter || !length || !shorter[tmap_text_fit(column, shorter, lines)])
			break;
		free(shorter);
		while (length > 0 && text[length - 1] != ' ')
			length--;
	}
	free(text);
	return shorter;
}

/* The fix, or the first of its clauses as far as they fit on so many lines: what is said first does by
 * itself. NULL without error: not even one does. */
static int fix_cut(char **fix, const char *text, int lines, struct tmap_error *err)
{
	static const char *const ends[] = { ", or ", "; ", ": " };
	size_t fits = lines > 0 ? tmap_text_fit(FIX_COLUMN, text, lines) : 0, length = 0, words = 0;
	int depth = 0;

	*fix = NULL;
	for (size_t i = 0; text[fits] && i <= fits; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		for (size_t e = 0; depth == 0 && e < sizeof ends / sizeof ends[0]; e++)
			if (strncmp(text + i, ends[e], strlen(ends[e])) == 0)
				length = i;
		if (!words && strncmp(text + i, " with ", 6) == 0)
			words = i;
	}
	length = text[fits] ? length ? length : words : fits;
	if (length)
		*fix = tmap_format(err, "%.*s", (int)length, text);
	return length && !*fix ? -1 : 0;
}

static const char *article(const char *binding)
{
	return *binding >= '0' && *binding <= '9' ? "" : *binding == 'L' ? "an " : "a ";
}

/* Have all ranks of each node, several of them, the same PUs, which are not the whole node? No launcher
 * binds ranks one by one so. */
static bool has_one_set(const struct tmap_inspection *it)
{
	const struct tmap_placement *p = it->placement;

	for (int n = 0; n < p->machine->node_count; n++) {
		int first = it->fold.first[n], end = it->fold.first[n + 1];

		if (end - first == 1)
			return false;
		for (int i = first + 1; i < end; i++)
			if (p->place[it->fold.rank[i]] != p->place[it->fold.rank[first]])
				return false;
	}
	return it->binding[0].binding.bound;
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
		if (has_one_set(it))
			tmap_str_addf(
				str, "all of a node to the same %s%s", text,
				it->placement->origin.request ? "" : ", maybe inherited (taskset)");
		else
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

/* Are cores that ranks have idle by a finding, as threads are all on others? */
static bool has_idle_finding(const struct tmap_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		for (int f = 0; lint->finding[i].rule->figure[f]; f++)
			if (strcmp(lint->finding[i].rule->figure[f], "idle_cores") == 0 &&
			    lint->finding[i].figure[f] > 0)
				return true;
	return false;
}

/* "; no core is idle" needs as many threads as cores: a rank may have several to run on. */
static void add_busy(struct tmap_str *str, const struct tmap_verdict *verdict)
{
	const struct tmap_placement *p = verdict->inspection->placement;
	int64_t cores = verdict->cores.objects, threads = verdict->threads;

	if (threads < cores && (threads > p->size || tmap_room_threads(p)))
		tmap_str_addf(str, "; %" PRId64 " thread%s on %" PRId64 " cores", threads,
			      plural(threads), cores);
	else if (has_idle_finding(verdict->lint))
		return;
	else if (threads < cores && !p->others) /* of which only the cores are known */
		tmap_str_addf(str,
			      "; each core is in some rank's binding: %d rank%s for %" PRId64
			      " cores",
			      p->size, plural(p->size), cores);
	else
		tmap_str_addf(str, "; no core is idle%s",
			      verdict->inspection->order.used_nodes < p->machine->node_count ?
				      " there" :
				      "");
}

/* "; up to 2 ranks a core; 32 of 64 cores idle, 4 of 8 packages entirely idle" */
static void add_use(struct tmap_str *str, const struct tmap_verdict *verdict)
{
	const struct tmap_verdict_use *cores = &verdict->cores, *whole = &verdict->packages;
	const struct tmap_inspection *it = verdict->inspection;
	const char *name = "package";

	if (tmap_inspection_is_of_part(it)) {
		tmap_str_add(str, "; what other ranks of the job leave idle is not known");
		return;
	}
	if (!verdict->is_counted) {
		tmap_str_add(str, "; idle cores were not counted, the job is too large");
		return;
	}
	if (!whole->idle) {
		whole = &verdict->numas;
		name = "NUMA node";
	}
	if (verdict->ranks_per_core > 1)
		tmap_str_addf(str,
			      verdict->ranks_per_core < 100 ? "; %s%.3g ranks a core" :
							      "; %s%.0f ranks a core",
			      it->fold.class_count > 1 ? "up to " : "", verdict->ranks_per_core);
	else if (it->crowding_core)
		tmap_str_addf(str, "; %d ranks share cores", it->crowding_core);
	if (verdict->unbound) /* they may run on each */
		return;
	if (cores->idle)
		tmap_str_addf(str, "; %" PRId64 " of %" PRId64 " cores idle", cores->idle,
			      cores->objects);
	else
		add_busy(str, verdict);
	if (whole->idle)
		tmap_str_addf(str, ". %" PRId64 " of %" PRId64 " %ss %s no rank", whole->idle,
			      whole->objects, name, whole->idle == 1 ? "has" : "have");
}

/* " (left out: unbound)": the rules of bindings that were not asked. */
static void add_ignored(struct tmap_str *str, const struct tmap_lint *lint)
{
	int count = 0;

	for (int row = 0; tmap_lint_rule_at(row); row++) {
		if (!(lint->ignored & TMAP_KEYWORDS_BIT(row)) ||
		    tmap_verdict_is_of_order(tmap_lint_rule_at(row)))
			continue;
		if (count++ < MOST_IGNORED)
			tmap_str_addf(str, "%s%s", count == 1 ? " (left out: " : ", ",
				      tmap_lint_rule_at(row)->word.name);
	}
	if (count > MOST_IGNORED)
		tmap_str_addf(str, " and %d more", count - MOST_IGNORED);
	tmap_str_add(str, count ? ")" : "");
}

/* NULL: memory was refused. */
static char *print_binding(const struct tmap_verdict *verdict, struct tmap_error *err)
{
	const struct tmap_order *order = &verdict->inspection->order;
	const struct tmap_placement *p = verdict->inspection->placement;
	int nodes = p->machine->node_count;
	struct tmap_str str = TMAP_STR_INIT;

	/* what is not bound is not bound well, but may be as well */
	tmap_str_add(&str,
		     !verdict->is_bound_well  ? "Not bound well" :
			     verdict->unbound ? "Placed well" :
						"Bound well");
	if (verdict->is_bound_well)
		add_ignored(&str, verdict->lint);
	tmap_str_addf(&str, ": %d rank%s on %d", p->size, plural(p->size), order->used_nodes);
	if (order->used_nodes < nodes)
		tmap_str_addf(&str, " of %d", nodes);
	tmap_str_addf(&str, " node%s, ", plural(nodes));
	add_bindings(&str, verdict);
	add_use(&str, verdict);
	tmap_str_add(&str, ".");
	return cut_take(tmap_str_take(&str, err), 0, BOUND_LINES, err);
}

/* Errors and warnings; the order has sentences of its own. */
static bool is_shown(const struct tmap_finding *finding)
{
	return finding->severity >= TMAP_SEVERITY_WARNING && !finding->rule->is_advice;
}

static bool has_shown(const struct tmap_lint *lint)
{
	for (int i = 0; i < lint->count; i++)
		if (is_shown(&lint->finding[i]))
			return true;
	return false;
}

/* "all ranks", "ranks 0-3, 8", "rank 5", or of many "70 ranks" */
static void add_ranks(struct tmap_str *str, const struct tmap_finding *finding, int size)
{
	const struct tmap_idset *ranks = &finding->ranks;
	int count = (int)tmap_idset_size(ranks);

	if (count == size && size > 1) {
		tmap_str_add(str, "all ranks");
		return;
	}
	if (ranks->count > MOST_RANGES) {
		tmap_str_addf(str, "%d ranks", count);
		return;
	}
	tmap_str_addf(str, "rank%s ", plural(count));
	for (int i = 0; i < ranks->count; i++) {
		tmap_str_addf(str, "%s%d", i ? ", " : "", ranks->range[i].first);
		if (ranks->range[i].last > ranks->range[i].first)
			tmap_str_addf(str, "-%d", ranks->range[i].last);
	}
}

/* "error many-threads (ranks 0-3): 8 threads on 4 PUs": the reason, without why that matters */
static char *print_finding(const struct tmap_finding *finding, int size, struct tmap_error *err)
{
	struct tmap_str str = TMAP_STR_INIT;

	tmap_str_addf(&str, "%s %s (", tmap_keywords_at(&tmap_severities, finding->severity)->name,
		      finding->rule->word.name);
	add_ranks(&str, finding, size);
	tmap_str_addf(&str, "): %.*s", finding->what, finding->reason);
	return tmap_str_take(&str, err);
}

/* What is said of the findings, the worst first, and what that takes. */
struct block {
	int count, shown;
	char *text[MOST_SHOWN]; /* [shown] */
	int lines[MOST_SHOWN];  /* [shown] that each gets */
	char *fix;              /* of the first one; NULL: there is no room for it */
};

static void block_fini(struct block *block)
{
	for (int i = 0; i < block->shown; i++)
		free(block->text[i]);
	free(block->fix);
}

/* A line for each; what remains is for the fix of the first one, and then for the rest of them in turn:
 * what decides stands first in each. */
static int block_init(struct block *block, const struct tmap_verdict *verdict, int lines,
		      struct tmap_error *err)
{
	const struct tmap_lint *lint = verdict->lint;
	int size = verdict->inspection->placement->size, spare, needed;
	const char *fix = NULL;

	*block = (struct block){ .count = 0 };
	for (int i = 0; i < lint->count; i++) {
		const struct tmap_finding *finding = &lint->finding[i];

		if (!is_shown(finding) || block->count++ >= lines || block->shown >= MOST_SHOWN)
			continue;
		fix = block->shown ? fix : finding->fix;
		block->text[block->shown] = print_finding(finding, size, err);
		if (!block->text[block->shown]) {
			block_fini(block);
			return -1;
		}
		block->shown++;
	}
	spare = lines - block->shown;
	/* its first clause and the whole finding rather than the whole fix */
	needed = block->shown ? spare - count_lines(0, block->text[0]) + 1 : 0;
	needed = needed < FIX_LINES - 1 ? spare : needed;
	if (fix && fix_cut(&block->fix, fix, needed < FIX_LINES ? needed : FIX_LINES, err) < 0) {
		block_fini(block);
		return -1;
	}
	spare -= block->fix ? count_lines(FIX_COLUMN, block->fix) : 0;
	for (int i = 0; i < block->shown; i++) {
		needed = count_lines(0, block->text[i]);
		block->lines[i] = 1 + (needed - 1 < spare ? needed - 1 : spare);
		spare -= block->lines[i] - 1;
	}
	return 0;
}

static int block_write(FILE *out, struct block *block, struct tmap_error *err)
{
	for (int i = 0; i < block->shown; i++) {
		block->text[i] = cut_take(block->text[i], 0, block->lines[i], err);
		if (!block->text[i])
			return -1;
		tmap_text_write_wrapped(out, 0, "", block->text[i]);
		if (i == 0 && block->fix)
			tmap_text_write_wrapped(out, FIX_COLUMN, "  fix: ", block->fix);
	}
	return 0;
}

/* "reasons and fixes; 1 more warning, 2 hints"; "a hint: idle-l3" */
static void print_remark(char *remark, size_t room, const struct tmap_lint *lint, int more)
{
	int hints = lint->count - tmap_lint_count(lint, TMAP_SEVERITY_WARNING);
	int length = 0;

	if (hints == lint->count && hints == 1) {
		snprintf(remark, room, "a hint: %s", lint->finding[0].rule->word.name);
		return;
	}
	if (hints < lint->count)
		length = snprintf(remark, room, "reasons and fixes");
	if (more)
		length += snprintf(remark + length, room - (size_t)length, "; %d more finding%s",
				   more, plural(more));
	if (hints)
		snprintf(remark + length, room - (size_t)length, "%s%d hint%s", length ? ", " : "",
			 hints, plural(hints));
}

/* The reasons; where there are none the table of ranks, if that is a screen or a few, else of the first
 * ones. "": that follows by itself. */
static char *print_command(const struct tmap_verdict *verdict, int more, bool lists_ranks,
			   struct tmap_error *err)
{
	const struct tmap_job_words *words = verdict->inspection->words;
	const struct tmap_lint *lint = verdict->lint;
	int size = verdict->inspection->placement->size;
	char remark[64] = "";

	if (!lint->count && lists_ranks)
		return tmap_strdup("", err);
	if (!lint->count)
		return tmap_verdict_command_print(size <= MOST_LISTED ? "inspect --table" :
									"inspect --ranks 0-63",
						  words, NULL, err);
	print_remark(remark, sizeof remark, lint, more);
	return tmap_verdict_command_print("inspect --lint", words, remark, err);
}

/* All of it, the findings in the lines that are left. */
static int write_all(FILE *out, const struct tmap_verdict *verdict, const char *binding,
		     struct tmap_verdict_order *order, bool lists_ranks, struct tmap_error *err)
{
	int lines = LINES - (verdict->inspection->placement->world != NULL) -
		count_lines(0, binding) - 1 - (order->command != NULL);
	struct block block;
	char *command;
	int status = -1;

	if (order->text) {
		order->text = cut_take(order->text, 0, lines - has_shown(verdict->lint), err);
		if (!order->text)
			return -1;
		lines -= count_lines(0, order->text);
	}
	if (block_init(&block, verdict, lines, err) < 0)
		return -1;
	command = print_command(verdict, block.count - block.shown, lists_ranks, err);
	if (command) {
		tmap_text_write_wrapped(out, 0, "", binding);
		status = block_write(out, &block, err);
		fputs(command, out);
		fputs(*command ? "\n" : "", out);
		if (order->text)
			tmap_text_write_wrapped(out, 0, "", order->text);
		if (order->command)
			fprintf(out, "%s\n", order->command);
	}
	block_fini(&block);
	free(command);
	return status;
}

int tmap_text_write_verdict(FILE *out, const struct tmap_verdict *verdict, bool lists_ranks,
			    struct tmap_error *err)
{
	struct tmap_verdict_order order = { NULL, NULL };
	char *binding = print_binding(verdict, err);
	int status = -1;

	if (binding && tmap_verdict_order_init(&order, verdict, err) == 0)
		status = write_all(out, verdict, binding, &order, lists_ranks, err);
	tmap_verdict_order_fini(&order);
	free(binding);
	return status;
}
