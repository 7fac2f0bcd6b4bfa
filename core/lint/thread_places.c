/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lint/thread_places.h"

#include "core/base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words of OMP_PLACES, and of the granularity of KMP_AFFINITY. */
static const struct unit {
	const char *name;
	enum tmap_type type;
} units[] = {
	{ "threads", TMAP_PU },  { "cores", TMAP_CORE },       { "ll_caches", TMAP_L3 },
	{ "numa_domains", TMAP_NUMA }, { "sockets", TMAP_PACKAGE },
}, granularities[] = {
	{ "fine", TMAP_PU },      { "thread", TMAP_PU },	  { "core", TMAP_CORE },
	{ "ll_cache", TMAP_L3 },  { "numa", TMAP_NUMA },	  { "numa_domain", TMAP_NUMA },
	{ "socket", TMAP_PACKAGE }, { "package", TMAP_PACKAGE },
};

enum {
	UNITS = sizeof units / sizeof units[0],
	GRANULARITIES = sizeof granularities / sizeof granularities[0]
};

/* The PUs that a rank may run on. */
struct mask {
	const struct tmap_topology *topo;
	int count;
	int *pu;  /* [count]: logical */
	bool *in; /* [pu_count] */
};

static int mask_init(struct mask *mask, const struct tmap_topology *topo,
		     const struct tmap_idset *pus, struct tmap_error *err)
{
	*mask = (struct mask){ .topo = topo };
	mask->pu = tmap_alloc((size_t)topo->pu_count, sizeof *mask->pu, err);
	mask->in = tmap_alloc((size_t)topo->pu_count, sizeof *mask->in, err);
	if (!mask->pu || !mask->in)
		return -1;
	for (int i = 0; i < topo->pu_count; i++)
		if (pus ? tmap_idset_contains(pus, topo->pu[i].os) : topo->pu[i].allowed) {
			mask->in[i] = true;
			mask->pu[mask->count++] = i;
		}
	return 0;
}

static void mask_fini(struct mask *mask)
{
	free(mask->pu);
	free(mask->in);
}

/* The object of a type that a PU is in; TMAP_NONE for all that are in none. */
static int object_of(const struct tmap_topology *topo, int pu, enum tmap_type type)
{
	int object = topo->pu[pu].object;

	if (type == TMAP_PU)
		return object;
	if (tmap_topology_ancestor(topo, object, type) == TMAP_NONE && type == TMAP_CORE)
		return object;
	return tmap_topology_ancestor(topo, object, type);
}

/* Room for so many places with so many PUs in all. */
static int places_reserve(struct tmap_thread_places *places, int most, int pus,
			  struct tmap_error *err)
{
	places->first = tmap_alloc((size_t)most, sizeof *places->first, err);
	places->end = tmap_alloc((size_t)most, sizeof *places->end, err);
	places->pu = tmap_alloc((size_t)pus, sizeof *places->pu, err);
	return places->first && places->end && places->pu ? 0 : -1;
}

static const char *skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* A whole number that the text begins with, up to the most that a number of a PU is; TMAP_NONE: there is
 * none. */
static int number_at(const char **at)
{
	int number = 0;

	*at = skip_blanks(*at);
	if (!isdigit((unsigned char)**at))
		return TMAP_NONE;
	for (; isdigit((unsigned char)**at); ++*at) {
		number = 10 * number + (**at - '0');
		if (number > TMAP_MOST_THREADS)
			return TMAP_NONE;
	}
	*at = skip_blanks(*at);
	return number;
}

static bool sign_is_next(const char **at, char sign)
{
	*at = skip_blanks(*at);
	if (**at != sign)
		return false;
	++*at;
	return true;
}

/* Places with numbers of PUs. Those that the rank may not run on are left out. */
struct list {
	const struct mask *mask;
	struct tmap_thread_places *places;
	int pus;   /* that the places have */
	int begun; /* those before the place at hand */
	int steps; /* that are left: a few bytes may stand for a billion */
};

/* The next number of a place; false: they are too many. */
static bool list_add(struct list *list, int64_t os)
{
	const struct tmap_topology *topo = list->mask->topo;
	int low = 0, high = topo->pu_count;

	if (list->steps-- <= 0)
		return false;
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (topo->pu[topo->by_os[middle]].os < os)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < topo->pu_count && topo->pu[topo->by_os[low]].os == os &&
	    list->mask->in[topo->by_os[low]])
		list->places->pu[list->pus++] = topo->by_os[low];
	return true;
}

/* What was added is a place, unless it is nothing. */
static void list_end_place(struct list *list)
{
	struct tmap_thread_places *places = list->places;

	if (list->pus == list->begun)
		return;
	places->first[places->count] = list->begun;
	places->end[places->count++] = list->pus;
	list->begun = list->pus;
}

/* "0", "0-3:2", and where @p counts "0:4:2", which is so many; all @p shift further. Each is a place where
 * @p apart. */
static bool list_add_range(struct list *list, const char **at, bool counts, int64_t shift,
			   bool apart)
{
	int first = number_at(at), count = 1, step = 1;

	if (first == TMAP_NONE)
		return false;
	if (sign_is_next(at, '-')) {
		int last = number_at(at);

		step = sign_is_next(at, ':') ? number_at(at) : 1;
		count = last >= first && step > 0 ? (last - first) / step + 1 : 0;
	} else if (counts && sign_is_next(at, ':')) {
		count = number_at(at);
		step = sign_is_next(at, ':') ? number_at(at) : 1;
	}
	if (count < 1 || step < 1)
		return false;
	for (int i = 0; i < count; i++) {
		if (!list_add(list, first + shift + (int64_t)i * step))
			return false;
		if (apart)
			list_end_place(list);
	}
	return true;
}

/* What is in braces; false: it is not that. */
static bool list_add_set(struct list *list, const char **at, int64_t shift)
{
	do
		if (!list_add_range(list, at, true, shift, false))
			return false;
	while (sign_is_next(at, ','));
	list_end_place(list);
	return sign_is_next(at, '}');
}

/* "{0,1},{2,3}", "{0:4}:8:4": places of OMP_PLACES. */
static bool list_parse_places(struct list *list, const char *at)
{
	do {
		const char *set;
		int count = 1, step = 1;

		if (!sign_is_next(&at, '{'))
			return false;
		set = at;
		at += strcspn(at, "}");
		if (!sign_is_next(&at, '}'))
			return false;
		if (sign_is_next(&at, ':')) {
			count = number_at(&at);
			step = sign_is_next(&at, ':') ? number_at(&at) : 1;
		}
		if (count < 1 || step < 0)
			return false;
		for (int i = 0; i < count; i++) {
			const char *again = set;

			if (!list_add_set(list, &again, (int64_t)i * step))
				return false;
		}
	} while (sign_is_next(&at, ','));
	return !*skip_blanks(at);
}

/* "0 3 1-2 4-15:2" of GOMP_CPU_AFFINITY, "0,{2,3},4-7" of KMP_AFFINITY's proclist, up to "]". */
static bool list_parse_pus(struct list *list, const char *at)
{
	for (at = skip_blanks(at); *at && *at != ']';) {
		if (sign_is_next(&at, '{') ? !list_add_set(list, &at, 0) :
					     !list_add_range(list, &at, false, 0, true))
			return false;
		(void)sign_is_next(&at, ',');
		at = skip_blanks(at);
	}
	return true;
}

static int places_parse(struct tmap_thread_places *places, const struct mask *mask,
			bool (*parse)(struct list *, const char *), const char *text,
			struct tmap_error *err)
{
	struct list list = { .mask = mask, .places = places, .steps = 8 * mask->topo->pu_count };

	if (places_reserve(places, list.steps, list.steps, err) < 0)
		return -1;
	places->is_list = true;
	if (!parse(&list, text))
		places->count = 0;
	return 0;
}

/* The objects of a type that the rank may run on, at most so many. */
static int places_find(struct tmap_thread_places *places, const struct mask *mask,
		       enum tmap_type type, int most, struct tmap_error *err)
{
	int last = TMAP_NONE;

	if (places_reserve(places, mask->count, mask->count, err) < 0)
		return -1;
	for (int i = 0; i < mask->count; i++) {
		int object = object_of(mask->topo, mask->pu[i], type);

		if (i == 0 || object != last) {
			if (places->count == most)
				break;
			places->first[places->count++] = i;
		}
		places->pu[i] = mask->pu[i];
		places->end[places->count - 1] = i + 1;
		last = object;
	}
	return 0;
}

/* The value begins with the word, and nothing of it follows. */
static bool word_is(const char *value, const char *word)
{
	size_t length = strlen(word);

	value = skip_blanks(value);
	return strncasecmp(value, word, length) == 0 && !isalnum((unsigned char)value[length]) &&
		value[length] != '_';
}

/* The first of a list, one for each level; false: it binds nothing, or is not known. */
static bool policy_parse(enum tmap_thread_policy *policy, const char *value)
{
	static const struct {
		const char *name;
		enum tmap_thread_policy policy;
	} names[] = {
		{ "true", TMAP_THREAD_CLOSE },      { "close", TMAP_THREAD_CLOSE },
		{ "spread", TMAP_THREAD_SPREAD },   { "master", TMAP_THREAD_PRIMARY },
		{ "primary", TMAP_THREAD_PRIMARY },
	};

	*policy = TMAP_THREAD_CLOSE;
	for (size_t i = 0; value && i < sizeof names / sizeof names[0]; i++)
		if (word_is(value, names[i].name)) {
			*policy = names[i].policy;
			return true;
		}
	return !value;
}

/* "cores", "cores(8)", or a list. */
static int places_from_omp(struct tmap_thread_places *places, const struct mask *mask,
			   const char *value, struct tmap_error *err)
{
	const char *at = skip_blanks(value);
	int most = mask->count;

	if (*at == '{')
		return places_parse(places, mask, list_parse_places, at, err);
	for (int i = 0; i < UNITS; i++) {
		if (!word_is(at, units[i].name))
			continue;
		at += strlen(units[i].name);
		if (sign_is_next(&at, '('))
			most = number_at(&at);
		places->is_packed = units[i].type == TMAP_PU && places->policy == TMAP_THREAD_CLOSE;
		return most > 0 ? places_find(places, mask, units[i].type, most, err) : 0;
	}
	return 0;
}

/* What KMP_AFFINITY says. */
struct kmp {
	enum kmp_type { KMP_NONE, KMP_COMPACT, KMP_SCATTER, KMP_BALANCED, KMP_EXPLICIT } type;
	enum tmap_type granularity;
	bool norespect;
	int number[2]; /* permute, offset; -1: too large */
	const char *list;
};

static void kmp_parse(struct kmp *kmp, const char *at)
{
	static const char *const types[] = { "none", "compact", "scatter", "balanced", "explicit" };
	static const char granularity[] = "granularity=", list[] = "proclist=[";
	int numbers = 0;

	*kmp = (struct kmp){ .granularity = TMAP_CORE };
	for (;; at++) {
		at = skip_blanks(at);
		for (enum kmp_type i = KMP_NONE; i <= KMP_EXPLICIT; i++)
			if (word_is(at, types[i]))
				kmp->type = i;
		kmp->norespect = kmp->norespect || word_is(at, "norespect");
		if (strncasecmp(at, granularity, strlen(granularity)) == 0) {
			at += strlen(granularity);
			for (int i = 0; i < GRANULARITIES; i++)
				if (word_is(at, granularities[i].name))
					kmp->granularity = granularities[i].type;
		}
		if (strncasecmp(at, list, strlen(list)) == 0) {
			at += strlen(list);
			kmp->list = at;
			at += strcspn(at, "]");
		}
		if (isdigit((unsigned char)*at) && numbers < 2)
			kmp->number[numbers++] = number_at(&at);
		at += strcspn(at, ",");
		if (!*at)
			return;
	}
}

/* Of package, core and PU scatter reverses the order, and permute turns it further. */
static int kmp_turns(const struct kmp *kmp)
{
	return kmp->type == KMP_SCATTER ? 2 - kmp->number[0] : kmp->number[0];
}

/* A PU by the numbers of its core's hardware threads, of its package's cores. */
struct turn {
	int thread, core, index;
};

static int turns_compare(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread > y->thread ? 1 : -1;
	if (x->core != y->core)
		return x->core > y->core ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

/* PU after PU, or, where @p turns, the first of each core before the second; and where it is 2 the first
 * core of each package before the second. */
static void turns_sort(struct turn *turn, const struct mask *mask, int turns)
{
	int core = TMAP_NONE, package = TMAP_NONE;

	for (int i = 0; i < mask->count; i++) {
		int its_core = object_of(mask->topo, mask->pu[i], TMAP_CORE);
		int its_package = object_of(mask->topo, mask->pu[i], TMAP_PACKAGE);
		const struct turn *last = &turn[i - (i > 0)];
		bool same_core = i > 0 && its_core == core;
		bool same_package = i > 0 && its_package == package;

		turn[i] = (struct turn){ same_core ? last->thread + 1 : 0,
					 same_package ? last->core + !same_core : 0, i };
		core = its_core;
		package = its_package;
	}
	for (int i = 0; i < mask->count; i++) {
		turn[i].thread = turns > 0 ? turn[i].thread : 0;
		turn[i].core = turns > 1 ? turn[i].core : 0;
	}
	qsort(turn, (size_t)mask->count, sizeof *turn, turns_compare);
}

/* Each PU, in that order, stands for the object of @p type that it is in. */
static int places_sort(struct tmap_thread_places *places, const struct mask *mask,
		       enum tmap_type type, int turns, int offset, struct tmap_error *err)
{
	struct turn *turn = tmap_alloc((size_t)mask->count, sizeof *turn, err);

	if (!turn || places_reserve(places, mask->count, mask->count, err) < 0) {
		free(turn);
		return -1;
	}
	turns_sort(turn, mask, turns);
	places->count = mask->count;
	for (int i = 0; i < mask->count; i++) {
		int at = turn[(i + (int64_t)offset) % mask->count].index, first = at, end = at + 1;
		int object = object_of(mask->topo, mask->pu[at], type);

		while (first > 0 && object_of(mask->topo, mask->pu[first - 1], type) == object)
			first--;
		while (end < mask->count && object_of(mask->topo, mask->pu[end], type) == object)
			end++;
		places->pu[i] = mask->pu[i];
		places->first[i] = first;
		places->end[i] = end;
	}
	free(turn);
	return 0;
}

static int places_from_kmp(struct tmap_thread_places *places, const struct mask *mask,
			   const struct kmp *kmp, struct tmap_error *err)
{
	int turns = kmp_turns(kmp);

	places->is_foreign = kmp->norespect;
	places->policy = TMAP_THREAD_ROUND;
	if (kmp->type == KMP_EXPLICIT)
		return kmp->list ? places_parse(places, mask, list_parse_pus, kmp->list, err) : 0;
	if (kmp->type == KMP_BALANCED) {
		places->policy = TMAP_THREAD_CLOSE;
		return places_find(places, mask, TMAP_CORE, mask->count, err);
	}
	places->is_packed = turns <= 0;
	if (kmp->number[0] < 0 || kmp->number[1] < 0)
		return 0;
	return places_sort(places, mask, kmp->granularity, turns, kmp->number[1], err);
}

/* "1t", "2s,8c,1t": so many packages, cores of each and PUs of a core. */
struct subset {
	int most[3];
};

/* False: it is more than that. */
static bool subset_parse(struct subset *subset, const char *at)
{
	static const char letters[] = "sct";

	*subset = (struct subset){ { TMAP_MOST_THREADS, TMAP_MOST_THREADS, TMAP_MOST_THREADS } };
	if (!at)
		return true;
	do {
		int most = number_at(&at);
		const char *letter = *at ? strchr(letters, tolower((unsigned char)*at)) : NULL;

		if (most < 1 || !letter)
			return false;
		subset->most[letter - letters] = most;
		at++;
	} while (sign_is_next(&at, ',') || sign_is_next(&at, 'x'));
	return !*skip_blanks(at);
}

static void mask_reduce(struct mask *mask, const struct subset *subset)
{
	int last[2] = { TMAP_NONE, TMAP_NONE }, number[3] = { 0 }, count = 0;
	const int *most = subset->most;

	for (int i = 0; i < mask->count; i++) {
		int pu = mask->pu[i];
		int package = object_of(mask->topo, pu, TMAP_PACKAGE);
		int core = object_of(mask->topo, pu, TMAP_CORE);

		if (i > 0 && package != last[0]) {
			number[0]++;
			number[1] = number[2] = 0;
		} else if (i > 0 && core != last[1]) {
			number[1]++;
			number[2] = 0;
		} else if (i > 0) {
			number[2]++;
		}
		last[0] = package;
		last[1] = core;
		mask->in[pu] = number[0] < most[0] && number[1] < most[1] && number[2] < most[2];
		if (mask->in[pu])
			mask->pu[count++] = pu;
	}
	mask->count = count;
}

/* OMP_PLACES and OMP_PROC_BIND are every OpenMP's. Intel's and LLVM's read KMP_AFFINITY first, GNU's
 * does not: with both, ranks begin at the same PUs. */
static int places_choose(struct tmap_thread_places *places, const struct mask *mask,
			 const struct tmap_setting *setting, const struct kmp *kmp,
			 struct tmap_error *err)
{
	const char *omp = setting->variable[TMAP_OMP_PLACES];
	const char *bind = setting->variable[TMAP_OMP_PROC_BIND];
	const char *gomp = setting->variable[TMAP_GOMP_CPU_AFFINITY];
	bool binds = policy_parse(&places->policy, bind);

	if (binds && omp) {
		places->variable = TMAP_OMP_PLACES;
		return places_from_omp(places, mask, omp, err);
	}
	if (kmp->type != KMP_NONE && !(binds && bind)) {
		places->variable = TMAP_KMP_AFFINITY;
		return places_from_kmp(places, mask, kmp, err);
	}
	if (binds && gomp) {
		struct mask all;
		int status = mask_init(&all, mask->topo, NULL, err);

		places->variable = TMAP_GOMP_CPU_AFFINITY;
		places->is_foreign =
			true; /* libgomp asks for no PU whether the rank may run there */
		if (status == 0)
			status = places_parse(places, &all, list_parse_pus, gomp, err);
		mask_fini(&all);
		return status;
	}
	if (binds && bind) {
		/* to PUs (GNU) or to cores (Intel, LLVM) */
		places->variable = TMAP_OMP_PROC_BIND;
		return places_find(places, mask, TMAP_CORE, mask->count, err);
	}
	return 0;
}

int tmap_thread_places_init(struct tmap_thread_places *places, const struct tmap_setting *setting,
			    const struct tmap_topology *topo, const struct tmap_idset *pus,
			    struct tmap_error *err)
{
	const char *threads = setting->variable[TMAP_OMP_NUM_THREADS];
	struct subset subset;
	struct tmap_thread_places made = { 0 };
	struct kmp kmp = { 0 };
	struct mask mask;
	int status;

	if (setting->variable[TMAP_KMP_AFFINITY])
		kmp_parse(&kmp, setting->variable[TMAP_KMP_AFFINITY]);
	status = mask_init(&mask, topo, kmp.norespect ? NULL : pus, err);
	/* threads of threads are not followed */
	if (status == 0 && !(threads && strchr(threads, ',')) &&
	    subset_parse(&subset, setting->variable[TMAP_KMP_HW_SUBSET])) {
		mask_reduce(&mask, &subset);
		status = places_choose(&made, &mask, setting, &kmp, err);
	}
	mask_fini(&mask);
	if (status < 0)
		tmap_thread_places_fini(&made);
	else
		*places = made;
	return status;
}

void tmap_thread_places_fini(struct tmap_thread_places *places)
{
	free(places->first);
	free(places->end);
	free(places->pu);
	*places = (struct tmap_thread_places){ 0 };
}

int tmap_thread_places_of(const struct tmap_thread_places *places, int thread, int threads)
{
	int count = places->count, each, rest;

	if (places->policy == TMAP_THREAD_PRIMARY)
		return 0;
	if (places->policy == TMAP_THREAD_ROUND)
		return thread % count;
	if (threads > count) {
		each = threads / count;
		rest = threads % count;
		if (thread < rest * (each + 1))
			return thread / (each + 1);
		return rest + (thread - rest * (each + 1)) / each;
	}
	if (places->policy == TMAP_THREAD_CLOSE)
		return thread;
	each = count / threads;
	rest = count % threads;
	return thread * each + (thread < rest ? thread : rest);
}

enum tmap_variable tmap_thread_packing(const struct tmap_setting *setting, int *each)
{
	const char *omp = setting->variable[TMAP_OMP_PLACES];
	const char *bind = setting->variable[TMAP_OMP_PROC_BIND];
	enum tmap_thread_policy policy;
	bool binds = policy_parse(&policy, bind), is_packed = false;
	struct subset subset;
	struct kmp kmp = { 0 };

	if (!subset_parse(&subset, setting->variable[TMAP_KMP_HW_SUBSET]))
		return TMAP_VARIABLE_COUNT;
	*each = subset.most[2];
	if (binds && omp)
		return word_is(omp, units[0].name) && policy == TMAP_THREAD_CLOSE ?
			TMAP_OMP_PLACES :
			TMAP_VARIABLE_COUNT;
	if (setting->variable[TMAP_KMP_AFFINITY])
		kmp_parse(&kmp, setting->variable[TMAP_KMP_AFFINITY]);
	is_packed = (kmp.type == KMP_COMPACT || kmp.type == KMP_SCATTER) && kmp_turns(&kmp) <= 0 &&
		kmp.number[0] >= 0 && (kmp.granularity == TMAP_PU || kmp.granularity == TMAP_CORE);
	return is_packed && !(binds && bind) ? TMAP_KMP_AFFINITY : TMAP_VARIABLE_COUNT;
}

const char *tmap_thread_unpack(enum tmap_variable variable)
{
	return variable == TMAP_KMP_AFFINITY ? "KMP_AFFINITY=granularity=fine,compact,1,0" :
					       "OMP_PLACES=cores";
}
