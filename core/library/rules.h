/*
 * rules.h - the ways of the libraries, one function each.
 */
#ifndef TM_LIBRARY_RULES_H
#define TM_LIBRARY_RULES_H

#include "core/library/library.h"

/** Open MPI's fixed rules: the algorithm's number, 0 where there are none for the collective.
 *  The first rule whose two limits are above the question's ranks and bytes. */
int tm_tuned_number(enum tm_collective collective, int size, int64_t bytes);

/** What these rules come to, after algorithms that hand over to others. */
struct tm_tuned {
	int number;          /**< of the rule */
	const char *name;    /**< of our row; NULL where there is none */
	const char *how;
};

struct tm_tuned tm_tuned(enum tm_collective collective, int size, int64_t bytes);

/** An answer of an algorithm, NULL where none is known. */
struct tm_library_answer tm_answer(const char *algorithm, const char *how, int number);

struct tm_library_answer tm_ask_openmpi4(const struct tm_library_question *question);
struct tm_library_answer tm_ask_openmpi5(const struct tm_library_question *question);
struct tm_library_answer tm_ask_mpich(const struct tm_library_question *question);
struct tm_library_answer tm_ask_ucc(const struct tm_library_question *question);

/** Does coll/han of Open MPI 5 take the calls of these ranks? */
bool tm_has_han(enum tm_collective collective, const struct tm_order *order);

/** The variable that lets MPICH take a call as a whole where ranks share nodes; NULL: it does. */
const char *tm_mpich_whole(enum tm_collective collective, const struct tm_order *order);

#endif
