/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - who sends how much to whom inside of Open MPI, also within collectives.
 *
 * Open MPI's own component for this (pml_monitoring) is unloaded too early in all of 4.1. But
 * every message of it goes by a table of functions, mca_pml, that components share: three
 * of them, the sends that wait, that do not, and that are started later, are replaced here by
 * some that count first. Their places in the table are those of 2.0 to 5.0, and tried out.
 */
#ifndef TMAP_TESTS_MPI_TRAFFIC_H
#define TMAP_TESTS_MPI_TRAFFIC_H

/** Messages and bytes to each rank of MPI_COMM_WORLD, over whatever communicator of its ranks,
 *  since they were last set to 0. [size] each. */
extern long *traffic_messages, *traffic_bytes;
extern long *traffic_empty; /**< those of the messages that carry nothing */

/** Begin to count; collective. NULL, or why it cannot be done. */
const char *traffic_start(int size);

#endif
