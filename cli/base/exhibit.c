#include "cli/base/exhibit.h"

#include "formats/report/baseline/text_accesses.h"
#include "formats/text/text_edges.h"
#include "formats/report/baseline/text_versus.h"

int tm_exhibit_init(struct tm_exhibit *exhibit, const struct tm_exhibit_args *args, int root,
		    const char *title, struct tm_error *err)
{
	if (tm_job_init(&exhibit->job, &args->job, root, err) < 0)
		return -1;
	exhibit->args = args;
	exhibit->view = (struct tm_view){
		.placement = &exhibit->job.placement, .title = title,
		.scale = tm_job_view_scale(&exhibit->job, &args->job), .note = exhibit->job.note,
		.world = exhibit->job.world };
	return 0;
}

void tm_exhibit_fini(struct tm_exhibit *exhibit)
{
	tm_against_fini(&exhibit->against);
	tm_job_fini(&exhibit->job);
}

int tm_exhibit_account(struct tm_exhibit *exhibit, const char *name, const struct tm_tree *tree,
		       const struct tm_ring *ring, struct tm_error *err)
{
	const struct tm_exhibit_args *args = exhibit->args;

	if (!args->against.count && args->job.bytes == TM_NONE && !args->accesses)
		return 0;
	return tm_against_init(&exhibit->against, &exhibit->job, &args->job, name, tree, ring,
			       &args->against, err);
}

struct tm_report tm_exhibit_report(const struct tm_exhibit *exhibit)
{
	const struct tm_versus *versus = &exhibit->against.versus;

	return (struct tm_report){
		.scale = tm_job_scale_name(&exhibit->job, &exhibit->args->job),
		.world = exhibit->job.world, .versus = versus->count ? versus : NULL,
		.has_accesses = exhibit->args->accesses, .note = exhibit->view.note };
}

int tm_exhibit_write_tables(FILE *out, const struct tm_exhibit *exhibit, int root,
			    struct tm_error *err)
{
	if (!exhibit->args->against.count)
		return 0;
	if (tm_text_write_title(out, &exhibit->view, root, err) < 0 ||
	    tm_text_write_versus(out, &exhibit->view, &exhibit->against.versus, err) < 0)
		return -1;
	return 1;
}

int tm_exhibit_write_rest(FILE *out, const struct tm_exhibit *exhibit, struct tm_error *err)
{
	const struct tm_exhibit_args *args = exhibit->args;
	const struct tm_versus *versus = &exhibit->against.versus;

	if (!args->against.count && args->job.bytes != TM_NONE &&
	    tm_text_write_costs(out, versus, err) < 0)
		return -1;
	return args->accesses ?
	       tm_text_write_accesses(out, &versus->row[0].account.accesses,
				      exhibit->job.placement.machine, err) : 0;
}

int tm_exhibit_count_pictures(const struct tm_exhibit *exhibit, const char *thing,
			      struct tm_error *err)
{
	int count = exhibit->against.versus.count;

	if (count > 2)
		return tm_fail(err, TM_USAGE, "a picture shows one other %s, and --against names "
			       "%d", thing, count - 1);
	return count ? count : 1;
}

int tm_exhibit_show(struct tm_exhibit *exhibit, const struct tm_show *show, const void *subject,
		    struct tm_error *err)
{
	const struct tm_exhibit_args *args = exhibit->args;

	if (tm_view_choose(&exhibit->view, (enum tm_folding)args->fold, args->format, err) < 0)
		return -1;
	return tm_show(show, args->format, args->output, subject, err);
}
