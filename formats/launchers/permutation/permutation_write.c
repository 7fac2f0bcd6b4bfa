/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/launchers/permutation/permutation.h"

#include "core/base/mem.h"
#include "formats/json/json_write.h"
#include "formats/launchers/common/shell.h"

#include <stdlib.h>

int tmap_permutation_write(FILE *out, const struct tmap_launch *job, int number,
			   struct tmap_error *err)
{
	(void)number;
	if (tmap_launch_check_permutation(job, err) < 0)
		return -1;
	if (!out)
		return 0;
	fputs("# rank 0, 1, ... takes the place that this rank has now\n", out);
	for (int r = 0; r < job->p->size; r++)
		fprintf(out, "%d\n", job->place_of[r]);
	return 0;
}

int tmap_permutation_write_json(FILE *out, const struct tmap_launch *job, int number,
				struct tmap_error *err)
{
	struct tmap_json_writer w;

	(void)number;
	if (tmap_launch_check_permutation(job, err) < 0)
		return -1;
	if (!out)
		return 0;
	tmap_json_begin(&w, out, "permutation");
	tmap_json_put_int(&w, "size", job->p->size);
	tmap_json_put_ints(&w, "place_of", job->place_of, job->p->size);
	return tmap_json_end(&w, err);
}

int tmap_permutation_command(struct tmap_str *line, const struct tmap_launch *job,
			     struct tmap_error *err)
{
	(void)err;
	tmap_str_add(line, "topomap place MACHINE OPTIONS --permutation ");
	tmap_shell_add_file(line, job->name);
	return 0;
}

int tmap_permutation_note(struct tmap_str *text, const struct tmap_launch *job,
			  struct tmap_error *err)
{
	(void)job;
	(void)err;
	tmap_str_add(text,
		     "a permutation starts nothing, it is for programs of your own; topomap place "
		     "applies it to the job as it was");
	return 0;
}

static void ranks_write_c(FILE *out, const int *new_rank, int size)
{
	fprintf(out, "static const int topomap_new_rank[%d] = {", size);
	for (int q = 0; q < size; q++)
		fprintf(out, "%s%d,", q % 16 ? " " : "\n\t", new_rank[q]);
	fputs("\n};\n", out);
}

int tmap_c_write(FILE *out, const struct tmap_launch *job, int number, struct tmap_error *err)
{
	int *new_rank, size = job->p->size;

	(void)number;
	if (tmap_launch_check_permutation(job, err) < 0)
		return -1;
	if (!out)
		return 0;
	new_rank = tmap_rank_list_invert(job->place_of, size, err);
	if (!new_rank)
		return -1;
	fputs("/* Call topomap_reorder(&comm) after MPI_Init, by all ranks, and use comm where\n"
	      " * MPI_COMM_WORLD was used. In a job of another size nothing changes. */\n"
	      "#ifndef TOPOMAP_REORDER_H\n#define TOPOMAP_REORDER_H\n\n#include <mpi.h>\n\n"
	      "/* the number that each rank of MPI_COMM_WORLD gets */\n",
	      out);
	ranks_write_c(out, new_rank, size);
	fprintf(out,
		"\nstatic inline int topomap_reorder(MPI_Comm *comm)\n"
		"{\n"
		"\tint rank, size;\n\n"
		"\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
		"\tMPI_Comm_size(MPI_COMM_WORLD, &size);\n"
		"\treturn MPI_Comm_split(MPI_COMM_WORLD, 0,\n"
		"\t\t\t      size == %d ? topomap_new_rank[rank] : rank, comm);\n"
		"}\n\n#endif\n",
		size);
	free(new_rank);
	return 0;
}

int tmap_c_command(struct tmap_str *line, const struct tmap_launch *job, struct tmap_error *err)
{
	(void)err;
	tmap_str_add(line, "mpicc -include ");
	tmap_shell_add_file(line, job->name);
	tmap_str_add(line, " PROGRAM.c");
	return 0;
}

int tmap_c_note(struct tmap_str *text, const struct tmap_launch *job, struct tmap_error *err)
{
	(void)job;
	(void)err;
	tmap_str_add(text,
		     "the program must call topomap_reorder(&comm) after MPI_Init and use comm in "
		     "place of MPI_COMM_WORLD; it is launched as before");
	return 0;
}
