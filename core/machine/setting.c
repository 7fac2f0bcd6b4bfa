/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/machine/setting.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct tmap_keyword tmap_variables[] = {
	[TMAP_OMP_NUM_THREADS] = { "OMP_NUM_THREADS", "threads of OpenMP" },
	[TMAP_OMP_THREAD_LIMIT] = { "OMP_THREAD_LIMIT", "the most threads of OpenMP" },
	[TMAP_OMP_MAX_ACTIVE_LEVELS] = { "OMP_MAX_ACTIVE_LEVELS",
					 "how deep regions of OpenMP nest" },
	[TMAP_OMP_NESTED] = { "OMP_NESTED", "do regions of OpenMP nest? (before OpenMP 5)" },
	[TMAP_OMP_DYNAMIC] = { "OMP_DYNAMIC", "may OpenMP take fewer threads?" },
	[TMAP_OMP_PLACES] = { "OMP_PLACES", "where threads of OpenMP may run" },
	[TMAP_OMP_PROC_BIND] = { "OMP_PROC_BIND", "are threads of OpenMP bound, and in which way" },
	[TMAP_GOMP_CPU_AFFINITY] = { "GOMP_CPU_AFFINITY", "PUs of the threads of GNU's OpenMP" },
	[TMAP_KMP_AFFINITY] = { "KMP_AFFINITY", "where threads of Intel's and LLVM's OpenMP run" },
	[TMAP_KMP_HW_SUBSET] = { "KMP_HW_SUBSET", "which cores and PUs these use" },
	[TMAP_MKL_NUM_THREADS] = { "MKL_NUM_THREADS", "threads of MKL" },
	[TMAP_OPENBLAS_NUM_THREADS] = { "OPENBLAS_NUM_THREADS", "threads of OpenBLAS" },
	[TMAP_BLIS_NUM_THREADS] = { "BLIS_NUM_THREADS", "threads of BLIS" },
	[TMAP_SLURM_CPUS_PER_TASK] = { "SLURM_CPUS_PER_TASK", "PUs that were asked for a rank" },
	[TMAP_SRUN_CPUS_PER_TASK] = { "SRUN_CPUS_PER_TASK", "the same, as srun reads it" },
	[TMAP_I_MPI_PIN] = { "I_MPI_PIN", "does Intel MPI bind its ranks?" },
	[TMAP_VARIABLE_COUNT] = { NULL, NULL },
};

/* Those that ask for threads. */
static const enum tmap_variable numbers[] = {
	TMAP_OMP_NUM_THREADS,
	TMAP_MKL_NUM_THREADS,
	TMAP_OPENBLAS_NUM_THREADS,
	TMAP_BLIS_NUM_THREADS,
};

void tmap_setting_fini(struct tmap_setting *setting)
{
	free(setting->program);
	for (int i = 0; i < TMAP_VARIABLE_COUNT; i++)
		free(setting->variable[i]);
	*setting = (struct tmap_setting)TMAP_SETTING_INIT;
}

static int text_copy(char **copy, const char *text, struct tmap_error *err)
{
	*copy = text ? tmap_strdup(text, err) : NULL;
	return text && !*copy ? -1 : 0;
}

int tmap_setting_copy(struct tmap_setting *copy, const struct tmap_setting *setting,
		      struct tmap_error *err)
{
	struct tmap_setting made = { .part = setting->part,
				     .threads = setting->threads,
				     .environment = setting->environment };
	int status = text_copy(&made.program, setting->program, err);

	for (int i = 0; i < TMAP_VARIABLE_COUNT && status == 0; i++)
		status = text_copy(&made.variable[i], setting->variable[i], err);
	if (status < 0)
		tmap_setting_fini(&made);
	else
		*copy = made;
	return status;
}

static int ints_compare(int a, int b)
{
	return (a > b) - (a < b);
}

/* None comes before every text. */
static int texts_compare(const char *a, const char *b)
{
	if (!a || !b)
		return ints_compare(a != NULL, b != NULL);
	return strcmp(a, b);
}

char *tmap_setting_text(const char *text, size_t most, struct tmap_error *err)
{
	char *copy = tmap_strndup(text, strnlen(text, most), err);

	for (char *at = copy; at && *at; at++)
		if ((unsigned char)*at < ' ' || *at == '\x7f')
			*at = '_';
	return copy;
}

int tmap_setting_compare(const struct tmap_setting *a, const struct tmap_setting *b)
{
	int order = ints_compare(a->part, b->part);

	if (!order)
		order = texts_compare(a->program, b->program);
	if (!order)
		order = ints_compare(a->threads, b->threads);
	if (!order)
		order = ints_compare(a->environment, b->environment);
	for (int i = 0; i < TMAP_VARIABLE_COUNT && !order; i++)
		order = texts_compare(a->variable[i], b->variable[i]);
	return order;
}

/* The whole number that the text at *at begins with, behind which *at is left; 0: there is none. */
static int number_read(const char **at)
{
	int number = 0;

	while (isspace((unsigned char)**at))
		++*at;
	for (; isdigit((unsigned char)**at); ++*at) {
		number = 10 * number + (**at - '0');
		if (number > TMAP_MOST_THREADS)
			return 0;
	}
	while (isspace((unsigned char)**at))
		++*at;
	return number;
}

int tmap_setting_number(const char *value)
{
	return value ? number_read(&value) : 0;
}

/* How deep parallel regions nest: as deep as the list of their threads, where nothing else is said.
 * OpenMP 5.2, 21.1.5 and 2.4. */
static int active_levels(const struct tmap_setting *setting)
{
	const char *most = setting->variable[TMAP_OMP_MAX_ACTIVE_LEVELS];
	const char *nested = setting->variable[TMAP_OMP_NESTED];

	if (most && isdigit((unsigned char)most[strspn(most, " \t")]))
		return tmap_setting_number(most);
	return nested && strcasecmp(nested, "false") == 0 ? 1 : INT_MAX;
}

/* "4,2": four threads, each with two of its own. */
int tmap_setting_asked_threads(const struct tmap_setting *setting)
{
	const char *at = setting->variable[TMAP_OMP_NUM_THREADS];
	int threads = at ? number_read(&at) : 0, levels = active_levels(setting);

	if (threads && !levels)
		return 1;
	for (int level = 1; threads && level < levels && *at == ','; level++) {
		int each;

		at++;
		each = number_read(&at);
		if (each > TMAP_MOST_THREADS / threads)
			return TMAP_MOST_THREADS;
		threads *= each ? each : 1;
	}
	return threads;
}

static int omp_threads(const struct tmap_setting *setting)
{
	int limit = tmap_setting_number(setting->variable[TMAP_OMP_THREAD_LIMIT]);
	int threads = tmap_setting_asked_threads(setting);

	return limit && limit < threads ? limit : threads;
}

int tmap_setting_threads(const struct tmap_setting *setting, const char **why)
{
	const char *unused;
	int most = 0;

	why = why ? why : &unused;
	*why = NULL;
	if (setting->threads)
		return setting->threads;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		int count = numbers[i] == TMAP_OMP_NUM_THREADS ?
			omp_threads(setting) :
			tmap_setting_number(setting->variable[numbers[i]]);

		if (count <= most)
			continue;
		most = count;
		*why = tmap_variables[numbers[i]].name;
	}
	return most;
}

int tmap_setting_cpus(const struct tmap_setting *setting, const char **why)
{
	int asked = tmap_setting_number(setting->variable[TMAP_SLURM_CPUS_PER_TASK]);
	int read = tmap_setting_number(setting->variable[TMAP_SRUN_CPUS_PER_TASK]);

	*why = tmap_variables[read > asked ? TMAP_SRUN_CPUS_PER_TASK : TMAP_SLURM_CPUS_PER_TASK]
		       .name;
	return read > asked ? read : asked;
}

bool tmap_setting_is_unpinned(const struct tmap_setting *setting)
{
	static const char *const words[] = { "0", "off", "no", "disable" };
	const char *value = setting->variable[TMAP_I_MPI_PIN];

	for (size_t i = 0; value && i < sizeof words / sizeof words[0]; i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return false;
}

/* Is it one of the words of "a,b"? */
static bool has_word(const char *list, const char *word)
{
	while (list) {
		size_t length = strcspn(list, ", ");

		if (length == strlen(word) && strncasecmp(list, word, length) == 0)
			return true;
		list = list[length] ? list + length + 1 : NULL;
	}
	return false;
}

enum tmap_variable tmap_setting_looses_threads(const struct tmap_setting *setting)
{
	const char *kmp = setting->variable[TMAP_KMP_AFFINITY];
	const char *bind = setting->variable[TMAP_OMP_PROC_BIND];
	bool is_false = has_word(bind, "false");

	/* GNU's runtime does not read KMP_AFFINITY: where the others bind threads, it does */
	if (kmp && (has_word(kmp, "none") || has_word(kmp, "disabled")) &&
	    (is_false || !(bind || setting->variable[TMAP_OMP_PLACES])))
		return TMAP_KMP_AFFINITY;
	if (!kmp && is_false)
		return TMAP_OMP_PROC_BIND;
	return TMAP_VARIABLE_COUNT;
}

bool tmap_setting_binds_threads(const struct tmap_setting *setting)
{
	return tmap_setting_looses_threads(setting) == TMAP_VARIABLE_COUNT &&
		(setting->variable[TMAP_OMP_PLACES] || setting->variable[TMAP_OMP_PROC_BIND] ||
		 setting->variable[TMAP_GOMP_CPU_AFFINITY] || setting->variable[TMAP_KMP_AFFINITY]);
}
