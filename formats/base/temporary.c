/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/temporary.h"

#include "core/base/mem.h"
#include "formats/base/signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the handler knows; temporary.h says why there is such a variable. */
static struct {
	struct tmap_temporary *volatile first;
	volatile pid_t process, thread; /* whose these files are; 0: there were none yet */
} pending;

enum { NAMES_MOST = 1000 };

static pid_t thread_own(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static void signal_handle(int number)
{
	int kept = errno;

	if (pending.process == getpid()) {
		if (pending.thread != thread_own()) {
			syscall(SYS_tgkill, getpid(), pending.thread, number);
			errno = kept;
			return;
		}
		for (const struct tmap_temporary *it = pending.first; it; it = it->next)
			unlink(it->name);
	}
	tmap_signals_end(number);
	errno = kept;
}

static void pending_add(struct tmap_temporary *it)
{
	it->next = pending.first;
	pending.first = it;
}

static void pending_remove(const struct tmap_temporary *it)
{
	if (pending.first == it) {
		pending.first = it->next;
		return;
	}
	for (struct tmap_temporary *other = pending.first; other; other = other->next)
		if (other->next == it)
			other->next = it->next;
}

/* The first of a row of names that no file has. */
static char *name_make(const char *path, tmap_temporary_make *make, void *data, int *reason,
		       struct tmap_error *err)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;

	for (int i = 0; i < NAMES_MOST; i++) {
		char *name =
			tmap_format(err, "%.*s.topomap-%ld-%d", folder, path, (long)getpid(), i);

		*reason = ENOMEM;
		if (!name || make(name, data) == 0)
			return name;
		*reason = errno;
		free(name);
		if (*reason != EEXIST)
			break;
	}
	tmap_fail(err, TMAP_SYSTEM, "%s", strerror(*reason));
	return NULL;
}

int tmap_temporary_init(struct tmap_temporary *it, const char *path, tmap_temporary_make *make,
			void *data, struct tmap_error *err)
{
	sigset_t before;
	int reason;

	/* other threads pass signals on from here on, as this one is about to put them off */
	pending.thread = thread_own();
	pending.process = getpid();
	tmap_signals_catch(signal_handle);
	tmap_signals_block(&before);
	it->name = name_make(path, make, data, &reason, err);
	if (it->name)
		pending_add(it);
	tmap_signals_restore(&before);
	errno = reason;
	return it->name ? 0 : -1;
}

static void temporary_end(struct tmap_temporary *it, bool is_removed)
{
	sigset_t before;

	if (!it->name)
		return;
	tmap_signals_block(&before);
	pending_remove(it);
	if (is_removed)
		unlink(it->name);
	tmap_signals_restore(&before);
	free(it->name);
	*it = (struct tmap_temporary){ 0 };
}

void tmap_temporary_kept(struct tmap_temporary *it)
{
	temporary_end(it, false);
}

void tmap_temporary_fini(struct tmap_temporary *it)
{
	temporary_end(it, true);
}
