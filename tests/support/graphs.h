/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graphs.h - communication of kinds that programs have, generated: for tests and benchmarks of
 * mappings.
 *
 *     8x8x4               a grid, each rank and its next neighbours
 *     torus:8x8           the same, round
 *     moore:8x8           and the diagonal ones
 *     multigrid:32x32     a grid, and on it grids of every second rank, every fourth one, ...
 *     amg:10x10x10        the same with diagonal neighbours, lighter from grid to grid
 *     transpose:8x8       all to all in each row and each column, as an FFT has it
 *     allreduce:8x8x4     a grid, and recursive doubling over all ranks
 *     rgg:1000            points in a square and those that are near them
 *     rmat:1024           few with many partners, many with few
 *     shuffled:SEED:...   any of these with other numbers for the ranks
 */
#ifndef TMAP_TESTS_SUPPORT_GRAPHS_H
#define TMAP_TESTS_SUPPORT_GRAPHS_H

#include "core/pattern/pattern.h"

/** The pattern of a name as above; 1 where it is none. */
int graph_generate(struct tmap_pattern *pattern, const char *name, struct tmap_error *err);

/** The same ranks with other numbers; seed 0 leaves them. The pattern is replaced. */
int graph_shuffle(struct tmap_pattern *pattern, uint64_t seed, struct tmap_error *err);

#endif
