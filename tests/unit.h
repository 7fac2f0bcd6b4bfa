/*
 * unit.h - what every unit test file has: one suite, which tests/main.c runs.
 *
 * A file tests/<room>/test_<module>.c becomes one program; no list names it.
 */
#ifndef TM_TESTS_UNIT_H
#define TM_TESTS_UNIT_H

#include <check.h>

/** The suite of the file. */
Suite *test_suite(void);

#endif
