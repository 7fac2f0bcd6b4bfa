#include "mpi_probe/team.h"

#include <limits.h>
#include <unistd.h>

int tmap_team_check(struct tmap_team *team, int code, const char *call, struct tmap_error *err)
{
	char reason[MPI_MAX_ERROR_STRING] = "unknown error";
	int length = 0;

	if (code == MPI_SUCCESS)
		return 0;
	team->broken = true;
	MPI_Error_string(code, reason, &length);
	return tmap_fail(err, TMAP_SYSTEM, "%s failed: %s", call, reason);
}

static int split(struct tmap_team *team, struct tmap_error *err)
{
	int node_rank = 0;

	if (tmap_team_check(team,
			    MPI_Comm_split_type(team->world, MPI_COMM_TYPE_SHARED, team->rank,
						MPI_INFO_NULL, &team->node),
			    "MPI_Comm_split_type", err) < 0 ||
	    tmap_team_check(team, MPI_Comm_rank(team->node, &node_rank), "MPI_Comm_rank", err) < 0)
		return -1;
	team->is_leader = node_rank == 0;
	return tmap_team_check(team,
			       MPI_Comm_split(team->world, team->is_leader ? 0 : MPI_UNDEFINED,
					      team->rank, &team->leaders),
			       "MPI_Comm_split", err);
}

int tmap_team_init(struct tmap_team *team, struct tmap_error *err)
{
	*team = (struct tmap_team){ .world = MPI_COMM_WORLD,
				    .node = MPI_COMM_NULL,
				    .leaders = MPI_COMM_NULL };
	/* communicators made from it inherit the handler */
	if (tmap_team_check(team, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
			    "MPI_Comm_set_errhandler", err) < 0 ||
	    tmap_team_check(team, MPI_Comm_rank(team->world, &team->rank), "MPI_Comm_rank", err) <
		    0 ||
	    tmap_team_check(team, MPI_Comm_size(team->world, &team->size), "MPI_Comm_size", err) <
		    0)
		return -1;
	return split(team, err);
}

void tmap_team_fini(struct tmap_team *team)
{
	if (team->broken)
		return;
	if (team->leaders != MPI_COMM_NULL)
		MPI_Comm_free(&team->leaders);
	if (team->node != MPI_COMM_NULL)
		MPI_Comm_free(&team->node);
}

static int spread(struct tmap_team *team, int from, struct tmap_error *err)
{
	struct tmap_error told = *err;
	int kind = (int)told.kind;

	if (tmap_team_check(team, MPI_Bcast(&kind, 1, MPI_INT, from, team->world), "MPI_Bcast",
			    err) < 0 ||
	    tmap_team_check(team,
			    MPI_Bcast(told.text, sizeof told.text, MPI_CHAR, from, team->world),
			    "MPI_Bcast", err) < 0)
		return -1;
	told.kind = (enum tmap_error_kind)kind;
	*err = told;
	return -1;
}

static void blame_this_rank(const struct tmap_team *team, struct tmap_error *err)
{
	char host[256] = "";

	gethostname(host, sizeof host - 1);
	tmap_wrap(err, "rank %d on '%s'", team->rank, host);
}

int tmap_team_agree(struct tmap_team *team, int status, struct tmap_error *err)
{
	int mine = status < 0 ? team->rank : INT_MAX, first = INT_MAX;

	if (team->broken)
		return -1;
	if (tmap_team_check(team, MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, team->world),
			    "MPI_Allreduce", err) < 0)
		return -1;
	if (first == INT_MAX)
		return 0;
	if (first == team->rank && first != 0)
		blame_this_rank(team, err);
	return spread(team, first, err);
}

int tmap_team_follow(struct tmap_team *team, MPI_Comm comm, int status, struct tmap_error *err)
{
	if (team->broken ||
	    tmap_team_check(team, MPI_Bcast(&status, 1, MPI_INT, 0, comm), "MPI_Bcast", err) < 0)
		return -1;
	return status;
}
