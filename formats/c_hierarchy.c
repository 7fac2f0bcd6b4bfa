#include "formats/c_hierarchy.h"

#include "core/hierarchy/resource.h"
#include "core/hierarchy/runs.h"
#include "core/mem.h"

#include <stdlib.h>

static const char head[] =
	"#include <mpi.h>\n"
	"\n"
	"/* count values: first + i / divide % modulo for i = 0, 1, ... */\n"
	"struct topomap_run {\n"
	"\tint count, first, divide, modulo;\n"
	"};\n"
	"\n"
	"/* A level: what a rank does there (0: nothing, 1: it gets MPI_COMM_NULL, k + 2: it gets\n"
	" * communicator k), and of each communicator the size and which of its ranks is the conduit. */\n"
	"struct topomap_level {\n"
	"\tconst struct topomap_run *comm, *size, *conduit;\n"
	"\tconst char *type; /* mpi_hw_resource_type, or NULL */\n"
	"};\n"
	"\n"
	"#if defined OPEN_MPI\n"
	"#define TOPOMAP_TYPE(openmpi, mpich, hwloc) openmpi\n"
	"#elif defined MPICH_VERSION\n"
	"#define TOPOMAP_TYPE(openmpi, mpich, hwloc) mpich\n"
	"#else\n"
	"#define TOPOMAP_TYPE(openmpi, mpich, hwloc) \"hwloc://\" hwloc\n"
	"#endif\n";

static const char body[] =
	"static int topomap_value(const struct topomap_run *run, int i)\n"
	"{\n"
	"\tfor (; i >= run->count; run++)\n"
	"\t\ti -= run->count;\n"
	"\treturn run->first + i / run->divide % run->modulo;\n"
	"}\n"
	"\n"
	"#if MPI_VERSION >= 4\n"
	"/* Has everybody in comm got communicator number wanted, or none (-1)? Frees it if not. */\n"
	"static int topomap_is_foreseen(const struct topomap_level *level, MPI_Comm comm, int wanted,\n"
	"\t\t\t       MPI_Comm *newcomm)\n"
	"{\n"
	"\tint good = (*newcomm == MPI_COMM_NULL) == (wanted < 0), all, size;\n"
	"\tint mine[2] = { wanted, -wanted }, most[2];\n"
	"\n"
	"\tif (*newcomm != MPI_COMM_NULL) {\n"
	"\t\tMPI_Comm_size(*newcomm, &size);\n"
	"\t\tMPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, *newcomm);\n"
	"\t\tgood = good && most[0] == wanted && most[1] == -wanted &&\n"
	"\t\t       size == topomap_value(level->size, wanted);\n"
	"\t}\n"
	"\tMPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, comm);\n"
	"\tif (!all && *newcomm != MPI_COMM_NULL)\n"
	"\t\tMPI_Comm_free(newcomm);\n"
	"\treturn all;\n"
	"}\n"
	"\n"
	"/* The calls of MPI 4.0; 1 if one of them gives what was foreseen. */\n"
	"static int topomap_by_hardware(const struct topomap_level *level, MPI_Comm comm, int wanted,\n"
	"\t\t\t       MPI_Comm *newcomm)\n"
	"{\n"
	"\tMPI_Info info;\n"
	"\n"
	"\tMPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, newcomm);\n"
	"\tif (topomap_is_foreseen(level, comm, wanted, newcomm))\n"
	"\t\treturn 1;\n"
	"\tif (!level->type)\n"
	"\t\treturn 0;\n"
	"\tMPI_Info_create(&info);\n"
	"\tMPI_Info_set(info, \"mpi_hw_resource_type\", level->type);\n"
	"\tMPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, 0, info, newcomm);\n"
	"\tMPI_Info_free(&info);\n"
	"\treturn topomap_is_foreseen(level, comm, wanted, newcomm);\n"
	"}\n"
	"#endif\n"
	"\n"
	"/* Splits comm, which has all ranks of the job in their order. Of each level, level[l] is the\n"
	" * communicator of this rank and conduit[l] that which it speaks in for it; MPI_COMM_NULL\n"
	" * where there is none. by_hardware[l]: a hardware split has made it. */\n"
	"int topomap_split(MPI_Comm comm, MPI_Comm level[TOPOMAP_LEVELS],\n"
	"\t\t  MPI_Comm conduit[TOPOMAP_LEVELS], int by_hardware[TOPOMAP_LEVELS]);\n"
	"\n"
	"int topomap_split(MPI_Comm comm, MPI_Comm level[TOPOMAP_LEVELS],\n"
	"\t\t  MPI_Comm conduit[TOPOMAP_LEVELS], int by_hardware[TOPOMAP_LEVELS])\n"
	"{\n"
	"\tint rank, size, l;\n"
	"\n"
	"\tMPI_Comm_rank(comm, &rank);\n"
	"\tMPI_Comm_size(comm, &size);\n"
	"\tif (size != TOPOMAP_SIZE)\n"
	"\t\treturn MPI_ERR_COMM;\n"
	"\tfor (l = 0; l < TOPOMAP_LEVELS; l++) {\n"
	"\t\tconst struct topomap_level *it = &topomap_levels[l];\n"
	"\t\tint wanted = topomap_value(it->comm, rank) - 2, colour, position;\n"
	"\n"
	"\t\tlevel[l] = conduit[l] = MPI_COMM_NULL;\n"
	"\t\tby_hardware[l] = 0;\n"
	"\t\tif (wanted == -2)\n"
	"\t\t\tcontinue;\n"
	"#if MPI_VERSION >= 4\n"
	"\t\tby_hardware[l] = topomap_by_hardware(it, comm, wanted, &level[l]);\n"
	"#endif\n"
	"\t\tcolour = wanted < 0 ? MPI_UNDEFINED : wanted;\n"
	"\t\tif (!by_hardware[l])\n"
	"\t\t\tMPI_Comm_split(comm, colour, 0, &level[l]);\n"
	"\t\tif (wanted >= 0) {\n"
	"\t\t\tMPI_Comm_rank(level[l], &position);\n"
	"\t\t\tcolour = position == topomap_value(it->conduit, wanted) ? 0 : MPI_UNDEFINED;\n"
	"\t\t}\n"
	"\t\tMPI_Comm_split(comm, colour, 0, &conduit[l]);\n"
	"\t\tif (wanted >= 0)\n"
	"\t\t\tcomm = level[l];\n"
	"\t}\n"
	"\treturn MPI_SUCCESS;\n"
	"}\n";

/* What shows that the communicators are these: cc -DTOPOMAP_MAIN. */
static const char program[] =
	"\n"
	"#ifdef TOPOMAP_MAIN\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"\n"
	"/* Rank 0 of a communicator says who is in it. */\n"
	"static void show(const char *what, int l, const char *how, MPI_Comm comm)\n"
	"{\n"
	"\tint rank, size, i, length;\n"
	"\tint *members;\n"
	"\tchar *line;\n"
	"\n"
	"\tif (comm == MPI_COMM_NULL)\n"
	"\t\treturn;\n"
	"\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
	"\tMPI_Comm_size(comm, &size);\n"
	"\tmembers = malloc((size_t)size * sizeof *members);\n"
	"\tline = malloc((size_t)size * 12 + 64);\n"
	"\tif (!members || !line)\n"
	"\t\tMPI_Abort(MPI_COMM_WORLD, 1);\n"
	"\tMPI_Gather(&rank, 1, MPI_INT, members, 1, MPI_INT, 0, comm);\n"
	"\tMPI_Comm_rank(comm, &rank);\n"
	"\tlength = sprintf(line, \"%s %d%s:\", what, l, how);\n"
	"\tfor (i = 0; rank == 0 && i < size; i++)\n"
	"\t\tlength += sprintf(line + length, \" %d\", members[i]);\n"
	"\tif (rank == 0)\n"
	"\t\tputs(line);\n"
	"\tfree(line);\n"
	"\tfree(members);\n"
	"}\n"
	"\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"\tMPI_Comm level[TOPOMAP_LEVELS], conduit[TOPOMAP_LEVELS];\n"
	"\tint by_hardware[TOPOMAP_LEVELS], l, status;\n"
	"\n"
	"\tMPI_Init(&argc, &argv);\n"
	"\tstatus = topomap_split(MPI_COMM_WORLD, level, conduit, by_hardware);\n"
	"\tfor (l = 0; status == MPI_SUCCESS && l < TOPOMAP_LEVELS; l++) {\n"
	"\t\tshow(\"level\", l, by_hardware[l] ? \" by hardware\" : \"\", level[l]);\n"
	"\t\tshow(\"conduits\", l, \"\", conduit[l]);\n"
	"\t}\n"
	"\tMPI_Finalize();\n"
	"\treturn status != MPI_SUCCESS;\n"
	"}\n"
	"#endif\n";

static int write_runs(FILE *out, const char *what, int l, const int *value, int count,
		      struct tm_error *err)
{
	size_t runs;
	struct tm_value_run *run = tm_value_runs(value, count, &runs, err);

	if (!run)
		return -1;
	fprintf(out, "static const struct topomap_run topomap_%s_%d[] = {\n", what, l);
	for (size_t i = 0; i < runs; i++)
		fprintf(out, "\t{ %d, %d, %d, %d },\n", run[i].count, run[i].first, run[i].divide,
			run[i].modulo);
	fputs("};\n", out);
	free(run);
	return 0;
}

/* What each rank does at a level. */
static int write_comms(FILE *out, const struct tm_hierarchy *h, int l, struct tm_error *err)
{
	int *value = tm_alloc_raw((size_t)h->size, sizeof *value, err), status;

	if (!value)
		return -1;
	for (int r = 0; r < h->size; r++)
		value[r] = tm_hierarchy_has(h, l, r) ?
			   h->level[l].comm[r] - h->level[l].first + 2 :
			   h->split[tm_hierarchy_above(h, l, r)] == l;
	status = write_runs(out, "comm", l, value, h->size, err);
	free(value);
	return status;
}

static int position_of_conduit(const struct tm_hierarchy *h, int comm)
{
	const int *member = h->member + h->member_first[comm];
	int at = 0;

	while (member[at] != h->conduit[comm])
		at++;
	return at;
}

/* The sizes and the conduits of the communicators of a level. */
static int write_facts(FILE *out, const struct tm_hierarchy *h, int l, struct tm_error *err)
{
	int first = h->level[l].first, count = h->level[l].end - first, status;
	int *value = tm_alloc_raw((size_t)count, sizeof *value, err);

	if (!value)
		return -1;
	for (int i = 0; i < count; i++)
		value[i] = tm_comm_size(h, first + i);
	status = write_runs(out, "size", l, value, count, err);
	for (int i = 0; i < count && status == 0; i++)
		value[i] = position_of_conduit(h, first + i);
	if (status == 0)
		status = write_runs(out, "conduit", l, value, count, err);
	free(value);
	return status;
}

static void write_level(FILE *out, const struct tm_hierarchy *h, int l)
{
	const struct tm_resource *type = tm_resource_find(h->level[l].name);

	fprintf(out, "\t{ topomap_comm_%d, topomap_size_%d, topomap_conduit_%d, ", l, l, l);
	if (type && type->openmpi5 && type->mpich)
		fprintf(out, "TOPOMAP_TYPE(\"%s\", \"%s\", \"%s\")", type->openmpi5, type->mpich,
			type->hwloc);
	else
		fputs("NULL", out);
	fprintf(out, " }, /* %d */\n", l);
}

static int write_tables(FILE *out, const struct tm_hierarchy *h, struct tm_error *err)
{
	fprintf(out, "\n#define TOPOMAP_SIZE %d\n#define TOPOMAP_LEVELS %d\n\n", h->size,
		h->level_count);
	for (int l = 0; l < h->level_count; l++)
		if (write_comms(out, h, l, err) < 0 || write_facts(out, h, l, err) < 0)
			return -1;
	fputs("\nstatic const struct topomap_level topomap_levels[TOPOMAP_LEVELS] = {\n", out);
	for (int l = 0; l < h->level_count; l++)
		write_level(out, h, l);
	fputs("};\n\n", out);
	return 0;
}

/* A level of the network may be called anything; it must not end the comment. */
static void write_comment(FILE *out, const struct tm_hierarchy *h)
{
	fprintf(out, "/*\n * The communicators of the hardware for a job of %d ranks, root %d, made by "
		"topomap:\n", h->size, h->root);
	for (int l = 0; l < h->level_count; l++) {
		fprintf(out, " *   level %d: %d of ", l, h->level[l].end - h->level[l].first);
		for (const char *c = h->level[l].name; *c; c++)
			putc(*c == '*' || *c == '/' || *c == '\\' || *c == '?' ? '_' : *c, out);
		putc('\n', out);
	}
	fputs(" * The job must be placed as it was when this was made.\n */\n", out);
}

int tm_c_write_hierarchy(FILE *out, const struct tm_hierarchy_view *view, struct tm_error *err)
{
	const struct tm_hierarchy *h = view->hierarchy;

	if (!h->level_count)
		return tm_fail(err, TM_INPUT, "nothing can be split, so there are no calls to write");
	write_comment(out, h);
	fputs(head, out);
	if (write_tables(out, h, err) < 0)
		return -1;
	fputs(body, out);
	fputs(program, out);
	return ferror(out) ? tm_fail(err, TM_SYSTEM, "cannot write the source") : 0;
}
