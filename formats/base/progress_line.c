/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats/base/progress_line.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Seconds: fewer are not worth a line; faster nobody reads; and by itself. */
static const double preset_wait_s = 2, pause_s = 0.2, tick_s = 1;

/* Of so little of the whole nothing can be said of the rest: 1 of so many. */
enum { TOO_LITTLE = 20 };

/* Clears from where the cursor is to the end of the line, on all terminals of today. */
static const char clear[] = "\033[K";

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void line_lock(struct tmap_progress_line *line)
{
	if (line->ticks)
		pthread_mutex_lock(&line->lock);
}

static void line_unlock(struct tmap_progress_line *line)
{
	if (line->ticks)
		pthread_mutex_unlock(&line->lock);
}

/* How much is done; nothing, before the first report. */
static void line_write_done(const struct tmap_progress_line *line)
{
	if (line->all <= 0)
		return;
	if (line->parts)
		fprintf(line->stream, "%lld of %lld %s, ", (long long)line->done,
			(long long)line->all, line->parts);
	else
		fprintf(line->stream, "%.0f %%, ", 100 * (double)line->done / (double)line->all);
}

static void line_write(struct tmap_progress_line *line, double now)
{
	const char *next = line->is_list ? line->next : line->now[0] ? line->now : NULL;
	double taken = now - line->begin_s;

	fprintf(line->stream, "%s%s: ", line->is_list ? "" : "\r", line->name);
	line_write_done(line);
	fprintf(line->stream, "%.0f s", taken);
	if (line->done > 0 && line->done < line->all && line->done >= line->all / TOO_LITTLE)
		fprintf(line->stream, ", about %.0f s more",
			taken * (double)(line->all - line->done) / (double)line->done);
	if (next)
		fprintf(line->stream, "; %s: %s", line->is_list ? "next" : "now", next);
	fputs(line->is_list ? "\n" : clear, line->stream);
	fflush(line->stream);
	line->is_shown = !line->is_list;
	line->shown_s = now;
}

/* Where it is worth it. */
static void line_write_due(struct tmap_progress_line *line)
{
	double now = now_s();

	if (line->is_list ||
	    (now - line->begin_s >= line->wait_s &&
	     (!line->is_shown || now - line->shown_s >= pause_s)))
		line_write(line, now);
}

static void line_report(struct tmap_progress *progress, int64_t done, int64_t all,
			const char *parts)
{
	struct tmap_progress_line *line = (struct tmap_progress_line *)progress;

	if (!line->stream || all <= 0)
		return;
	line_lock(line);
	line->done = done < all ? done : all;
	line->all = all;
	line->parts = parts;
	line_write_due(line);
	line_unlock(line);
}

static void line_begin(struct tmap_progress *progress, const char *what)
{
	struct tmap_progress_line *line = (struct tmap_progress_line *)progress;

	line_lock(line);
	snprintf(line->now, sizeof line->now, "%s", what);
	line_unlock(line);
}

void tmap_progress_line_init(struct tmap_progress_line *line, const char *name, FILE *stream)
{
	*line = (struct tmap_progress_line){ .progress = { line_report, line_begin },
					     .name = name,
					     .stream = isatty(fileno(stream)) ? stream : NULL,
					     .wait_s = preset_wait_s,
					     .begin_s = now_s() };
}

void tmap_progress_line_init_list(struct tmap_progress_line *line, const char *name, FILE *stream)
{
	*line = (struct tmap_progress_line){ .progress = { line_report, NULL },
					     .name = name,
					     .stream = stream,
					     .is_list = true,
					     .begin_s = now_s() };
}

/* When the line that ticks is to be written again. */
static struct timespec tick_time(const struct tmap_progress_line *line)
{
	double at = now_s() + tick_s, first = line->begin_s + line->wait_s;
	time_t whole;

	if (!line->is_shown && first > now_s() && first < at)
		at = first;
	whole = (time_t)at;
	return (struct timespec){ whole, (long)((at - (double)whole) * 1e9) };
}

static void *line_run(void *context)
{
	struct tmap_progress_line *line = context;

	pthread_mutex_lock(&line->lock);
	while (!line->is_over) {
		struct timespec until = tick_time(line);

		pthread_cond_timedwait(&line->over, &line->lock, &until);
		if (!line->is_over)
			line_write_due(line);
	}
	pthread_mutex_unlock(&line->lock);
	return NULL;
}

/* A thread that leaves signals to the others. */
static bool line_start(struct tmap_progress_line *line)
{
	sigset_t all, before;
	bool runs;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	runs = pthread_create(&line->ticker, NULL, line_run, line) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return runs;
}

void tmap_progress_line_restart(struct tmap_progress_line *line)
{
	line->begin_s = now_s();
	line->done = line->all = 0;
}

void tmap_progress_line_tick(struct tmap_progress_line *line)
{
	pthread_condattr_t by;

	if (!line->stream || line->is_list || line->ticks || pthread_condattr_init(&by) != 0)
		return;
	pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
	pthread_cond_init(&line->over, &by);
	pthread_condattr_destroy(&by);
	pthread_mutex_init(&line->lock, NULL);
	pthread_mutex_lock(&line->lock);
	line->ticks = line_start(line);
	pthread_mutex_unlock(&line->lock);
	if (line->ticks)
		return;
	pthread_mutex_destroy(&line->lock);
	pthread_cond_destroy(&line->over);
}

void tmap_progress_line_start(struct tmap_progress_line *line, const char *name)
{
	tmap_progress_line_init(line, name, stderr);
	tmap_progress_line_tick(line);
	tmap_progress_begin(&line->progress, "reading");
}

static void line_stop(struct tmap_progress_line *line)
{
	if (!line->ticks)
		return;
	pthread_mutex_lock(&line->lock);
	line->is_over = true;
	pthread_cond_signal(&line->over);
	pthread_mutex_unlock(&line->lock);
	pthread_join(line->ticker, NULL);
	pthread_mutex_destroy(&line->lock);
	pthread_cond_destroy(&line->over);
	line->ticks = false;
}

void tmap_progress_line_hide(struct tmap_progress_line *line)
{
	line_lock(line);
	if (line->is_shown) {
		fprintf(line->stream, "\r%s", clear);
		fflush(line->stream);
	}
	line->is_shown = false;
	line_unlock(line);
}

void tmap_progress_line_leave(struct tmap_progress_line *line, const char *path)
{
	if (strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
		tmap_progress_line_fini(line);
	else
		tmap_progress_begin(&line->progress, "writing");
}

void tmap_progress_line_fini(struct tmap_progress_line *line)
{
	line_stop(line);
	tmap_progress_line_hide(line);
	*line = (struct tmap_progress_line){ 0 };
}
