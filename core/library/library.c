#include "core/library/rules.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct row {
	struct tm_word word;
	const char *version; /* how it begins to tell its own; NULL: it has none */
	struct tm_library_answer (*ask)(const struct tm_library_question *question);
};

struct tm_library_answer tm_answer(const char *algorithm, const char *how, int number)
{
	struct tm_library_answer answer = { .how = how, .number = number };

	snprintf(answer.algorithm, sizeof answer.algorithm, "%s", algorithm ? algorithm : "");
	return answer;
}

/* Its trees have radices of its own, its rings go by host and socket, hosts by a hash. */
struct tm_library_answer tm_ask_ucc(const struct tm_library_question *question)
{
	(void)question;
	return tm_answer(NULL, "k-nomial if small, else by ranks a node", 0);
}

/* coll/basic and MPICH's "nb": all sends and receives at once. */
static struct tm_library_answer ask_neighbors(bool is_ucc)
{
	if (is_ucc)
		return tm_answer(NULL, "it has no neighborhood collectives", 0);
	return tm_answer("linear", "all neighbours at once", 0);
}

static const struct row rows[] = {
	{ { "openmpi4", "Open MPI 4.1" }, "Open MPI v4.1.", tm_ask_openmpi4 },
	{ { "openmpi5", "Open MPI 5.0" }, "Open MPI v5.0.", tm_ask_openmpi5 },
	{ { "mpich", "MPICH 4" }, "MPICH 4.", tm_ask_mpich },
	{ { "ucc", "UCC" }, NULL, tm_ask_ucc },
	{ { NULL, NULL }, NULL, NULL },
};

const struct tm_words tm_libraries = TM_WORDS("library", rows);

int tm_library_of(const char *version)
{
	for (int i = 0; rows[i].word.name; i++)
		if (rows[i].version &&
		    strncmp(version, rows[i].version, strlen(rows[i].version)) == 0)
			return i;
	return TM_NONE;
}

struct tm_library_answer tm_library_ask(int index, const struct tm_library_question *question)
{
	if (question->size == 1)
		return tm_answer(NULL, "one rank sends nothing", 0);
	if (tm_collective_rows[question->collective].has_neighbors)
		return ask_neighbors(rows[index].ask == tm_ask_ucc);
	return rows[index].ask(question);
}

struct tm_library_whole tm_library_whole(enum tm_collective collective,
					 const struct tm_order *order)
{
	return (struct tm_library_whole){
		.openmpi = tm_has_han(collective, order) ? "--mca coll_han_priority 0" : NULL,
		.mpich = tm_mpich_whole(collective, order) };
}
