#include "cli/base/structure.h"

#include "formats/report/baseline/accesses_report.h"
#include "formats/text/text_edges.h"

int tmap_structure_init(struct tmap_structure *exhibit, const struct tmap_structure_args *args,
			int root, const char *title, struct tmap_error *err)
{
	if (tmap_subject_init(&exhibit->job, &args->job, root, err) < 0)
		return -1;
	exhibit->args = args;
	exhibit->view = (struct tmap_view){ .placement = &exhibit->job.placement,
					    .title = title,
					    .scale = (int)exhibit->job.scale,
					    .note = exhibit->job.note,
					    .world = exhibit->job.placement.world };
	return 0;
}

void tmap_structure_fini(struct tmap_structure *exhibit)
{
	tmap_baseline_options_fini(&exhibit->against);
	tmap_subject_fini(&exhibit->job);
}

int tmap_structure_account(struct tmap_structure *exhibit, const char *name,
			   const struct tmap_tree *tree, const struct tmap_ring *ring,
			   struct tmap_error *err)
{
	const struct tmap_structure_args *args = exhibit->args;

	if (!args->against.count && args->job.bytes == TMAP_NONE && !args->accesses)
		return 0;
	return tmap_baseline_options_init(&exhibit->against, &exhibit->job, &args->job, name, tree,
					  ring, &args->against, err);
}

struct tmap_report tmap_structure_report(const struct tmap_structure *exhibit)
{
	const struct tmap_baselines *versus = &exhibit->against.versus;

	return (struct tmap_report){ .scale = tmap_scale_rows[exhibit->job.scale].word.name,
				     .world = exhibit->job.placement.world,
				     .placement = &exhibit->job.placement,
				     .versus = versus->count ? versus : NULL,
				     .has_accesses = exhibit->args->accesses,
				     .note = exhibit->view.note };
}

int tmap_structure_write_tables(FILE *out, const struct tmap_structure *exhibit, int root,
				struct tmap_error *err)
{
	if (!exhibit->args->against.count)
		return 0;
	if (tmap_text_write_title(out, &exhibit->view, root, err) < 0 ||
	    tmap_text_write_baselines(out, &exhibit->view, &exhibit->against.versus, err) < 0)
		return -1;
	return 1;
}

int tmap_structure_write_rest(FILE *out, const struct tmap_structure *exhibit,
			      struct tmap_error *err)
{
	const struct tmap_structure_args *args = exhibit->args;
	const struct tmap_baselines *versus = &exhibit->against.versus;

	if (!args->against.count && args->job.bytes != TMAP_NONE &&
	    tmap_text_write_costs(out, versus, err) < 0)
		return -1;
	return args->accesses ? tmap_text_write_accesses(out, &versus->row[0].account.accesses,
							 exhibit->job.placement.machine, err) :
				0;
}

int tmap_structure_count_pictures(const struct tmap_structure *exhibit, const char *thing,
				  struct tmap_error *err)
{
	int count = exhibit->against.versus.count;

	if (count > 2)
		return tmap_fail(err, TMAP_USAGE,
				 "a picture shows one other %s, and --against names "
				 "%d",
				 thing, count - 1);
	return count ? count : 1;
}

int tmap_structure_show(struct tmap_structure *exhibit, const struct tmap_writers *show,
			const void *subject, struct tmap_error *err)
{
	const struct tmap_structure_args *args = exhibit->args;

	if (tmap_view_choose(&exhibit->view, (enum tmap_folding)args->fold, args->format, err) < 0)
		return -1;
	return tmap_writers(show, args->format, args->output, subject, err);
}
