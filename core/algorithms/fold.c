#include "core/algorithms/fold.h"

#include "core/emit.h"

struct tm_fold tm_fold(int p, int stays)
{
	int q = 1 << tm_log2_floor(p);

	return (struct tm_fold){ q, p - q, stays };
}

int tm_fold_rank(const struct tm_fold *fold, int v)
{
	return v < fold->rest ? 2 * v + fold->stays : v + fold->rest;
}
