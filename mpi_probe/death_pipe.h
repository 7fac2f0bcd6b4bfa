/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * death_pipe.h - a last sentence for a process that a library may end.
 *
 * MPI_Init does not return where it fails: by default its errors are fatal, and before it
 * nothing can change that. Open MPI ends the process with _exit(), so no handler runs, and
 * may lose its own messages. So a child waits at a pipe; when the pipe closes without a
 * word, the parent is gone, and the child prints the sentence.
 */
#ifndef TMAP_MPI_PROBE_DEATH_PIPE_H
#define TMAP_MPI_PROBE_DEATH_PIPE_H

#include <sys/types.h>

struct tmap_death_pipe {
	int pipe; /**< the end that closes with this process; -1: there is no child */
	pid_t child;
};

/** From now on, @p sentence comes on standard error if this process ends. Where the system
 *  refuses a pipe or a child nothing is printed. Call before MPI_Init: not every library allows a
 *  fork after it. */
void tmap_death_pipe_begin(struct tmap_death_pipe *death_pipe, const char *sentence);

/** No longer. The child is gone when this returns. */
void tmap_death_pipe_end(struct tmap_death_pipe *death_pipe);

#endif
