/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * imitated_root.h - files of /proc and /sys in a folder of the test's own.
 */
#ifndef TMAP_TESTS_SUPPORT_IMITATED_ROOT_H
#define TMAP_TESTS_SUPPORT_IMITATED_ROOT_H

/** The folder, of which each process of a test has one. */
extern char imitated_root[64];

void imitated_root_make(void);
void imitated_root_remove(void);

/** Write a file below it, and the folders that it is in: imitated_root_put("/sys/a/b", "1\n"). */
void imitated_root_put(const char *path, const char *text);

#endif
