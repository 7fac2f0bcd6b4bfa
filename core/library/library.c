#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct row {
	struct tmap_keyword word;
	const char *version; /* the beginning of its version string; NULL: it has none */
	struct tmap_library_choice (*ask)(const struct tmap_library_call *question);
};

struct tmap_library_choice tmap_answer(const char *algorithm, const char *how, int number)
{
	struct tmap_library_choice answer = { .how = how, .number = number };

	snprintf(answer.algorithm, sizeof answer.algorithm, "%s", algorithm ? algorithm : "");
	return answer;
}

/* Its trees have radices of its own, its rings go by host and socket, hosts by a hash. */
struct tmap_library_choice tmap_ucc_choose(const struct tmap_library_call *question)
{
	(void)question;
	return tmap_answer(NULL, "k-nomial if small, else by ranks a node", 0);
}

/* coll/basic and MPICH's "nb": all sends and receives at once. */
static struct tmap_library_choice ask_neighbors(bool is_ucc)
{
	if (is_ucc)
		return tmap_answer(NULL, "it has no neighborhood collectives", 0);
	return tmap_answer("linear", "all neighbors at once", 0);
}

static const struct row rows[] = {
	{ { "openmpi4", "Open MPI 4.1" }, "Open MPI v4.1.", tmap_openmpi4_choose },
	{ { "openmpi5", "Open MPI 5.0" }, "Open MPI v5.0.", tmap_openmpi5_choose },
	{ { "mpich", "MPICH 4" }, "MPICH 4.", tmap_mpich_choose },
	{ { "ucc", "UCC" }, NULL, tmap_ucc_choose },
	{ { NULL, NULL }, NULL, NULL },
};

const struct tmap_keywords tmap_libraries = TMAP_KEYWORDS("library", rows);

int tmap_library_of(const char *version)
{
	for (int i = 0; rows[i].word.name; i++)
		if (rows[i].version &&
		    strncmp(version, rows[i].version, strlen(rows[i].version)) == 0)
			return i;
	return TMAP_NONE;
}

struct tmap_library_choice tmap_library_choose(int index, const struct tmap_library_call *question)
{
	if (question->size == 1)
		return tmap_answer(NULL, "one rank sends nothing", 0);
	if (tmap_collective_rows[question->collective].has_neighbors)
		return ask_neighbors(rows[index].ask == tmap_ucc_choose);
	return rows[index].ask(question);
}

struct tmap_library_whole tmap_library_whole(enum tmap_collective collective,
					     const struct tmap_order *order)
{
	return (struct tmap_library_whole){ .openmpi = tmap_has_han(collective, order) ?
						    "--mca coll_han_priority 0" :
						    NULL,
					    .mpich = tmap_mpich_whole(collective, order) };
}
