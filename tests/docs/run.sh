#!/bin/bash
# The documents: the manual's pages are clean mdoc, help fits a terminal, the
# completions parse, every example of a command table runs, and README, manual and
# command list name the same commands.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=$PWD/${BUILD:-build}
export PATH=$build:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
export LC_ALL=C   # the texts draw lines where the locale has them
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# mandoc looks for pages only where they are installed; ours must be in the tree.
lint()
{
	mandoc -T lint -W style "$1" 2>&1 |
		grep -v 'STYLE: referenced manual not found\|outdated mandoc.db' >"$work/lint"
	sed -n 's/^\.Xr \(topomap[^ ]*\) \([0-9]\).*/\1.\2/p' "$1" | while read -r page; do
		[ -f "man/$page" ] || [ -f "$build/man/$page" ] || echo "$1: no page $page"
	done >>"$work/lint"
	sed -n '/^\.Sh SEE ALSO/,$s/^\.Xr \([^ ]* .\).*/\1/p' "$1" | sort | uniq -d |
		sed "s/^/$(basename "$1"): refers twice to /" >>"$work/lint"
	cat "$work/lint"
	[ ! -s "$work/lint" ]
}

# expect WHAT COMMAND...: the command succeeds; its output is shown if not
expect()
{
	local what=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		pass
	else
		fail "$what"
		cat "$work/log"
	fi
}

check_manual()
{
	local page
	if ! command -v mandoc >/dev/null; then
		skip "mandoc is not installed, the manual's pages were not checked"
		return
	fi
	for page in man/*.[1-9] "$build"/man/*.1; do
		[ -f "$page" ] && expect "mandoc $page" lint "$page"
	done
}

# check_help_of NAME PROGRAM...
check_help_of()
{
	local name=$1
	shift
	"$@" --help >"$work/help" 2>"$work/err" || fail "$name --help"
	[ ! -s "$work/err" ] || fail "$name --help writes on standard error"
	# what nobody can break, such as an example's command line, may be longer
	if grep -v '^  [a-z].*topomap\|^  topomap\|^  HWLOC\|^ .*|' "$work/help" | grep '.\{81\}'; then
		fail "$name --help is wider than 80 columns"
	else
		pass
	fi
}

check_help()
{
	local command
	for command in $commands; do
		check_help_of "$command" topomap "$command"
	done
	[ ! -x "$build/topomap-probe" ] || check_help_of probe topomap-probe
}

# complete WORD...: what bash offers for the last word of this line, sorted, on one line
complete_line()
{
	bash -c '
		compopt() { :; }
		. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		_topomap
		printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd " "' \
		"$build/completions/topomap.bash" "$@"
}

check_completions()
{
	local shell command options
	for shell in bash zsh fish; do
		if command -v $shell >/dev/null; then
			expect "$shell completion" $shell -n "$build/completions/topomap.$shell"
		else
			skip "$shell is not installed, its completion was not parsed"
		fi
	done
	same "commands that bash completes" "$(complete_line topomap '')" \
		"$(printf '%s\n' --help --version $commands | sort | paste -sd ' ')"
	same "a command's first letters" "$(complete_line topomap hel)" help
	same "the operand of help" "$(complete_line topomap help '')" \
		"$(printf '%s\n' $commands | sort | paste -sd ' ')"
	if command -v fish >/dev/null; then
		same "the operand of help in fish" "$(fish_line 'topomap help ')" \
			"$(printf '%s\n' $commands | sort | paste -sd ' ')"
	fi
	for command in $commands; do
		options=$(topomap help "$command" |
			sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort | paste -sd ' ')
		same "bash completes the options of $command" \
			"$(complete_line topomap "$command" --)" "$options"
		if command -v fish >/dev/null; then
			same "fish completes the options of $command" \
				"$(fish_line "topomap $command --")" "$options"
		fi
	done
}

# The same in fish, for a whole line.
fish_line()
{
	fish --no-config -c "source '$build/completions/topomap.fish'; complete -C '$1'" |
		cut -f 1 | sort | paste -sd ' '
}

# same WHAT FOUND EXPECTED
same()
{
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1"
		diff <(printf '%s\n' "$2") <(printf '%s\n' "$3")
	fi
}

# The commands that topomap.1 and README.md list are those of the table, in its order.
check_lists()
{
	same "commands in man/topomap.1" \
		"$(sed -n 's/^\.It Xr topomap-\([a-z-]*\) 1$/\1/p' man/topomap.1)" "$commands"
	same "commands in README.md" \
		"$(sed -n 's/^| `topomap \([a-z-]*\)` |.*/\1/p' README.md)" "$commands"
	same "summaries in README.md" "$(sed -n 's/^| `topomap [a-z-]*` | \(.*\) |$/\1/p' README.md)" \
		"$(for c in $commands; do topomap --generate summary "$c"; done)"
	same "the exit statuses of man/topomap.1" "$(exit_status man/topomap.1)" \
		"$(exit_status "$build/man/topomap-help.1")"
}

exit_status() { sed -n '/^\.Sh EXIT STATUS/,/^\.El/p' "$1"; }

# The ```console blocks of README.md: each line after "$ " is executed in one shell, in the
# job's directory; what follows it is its output, "..." standing for any lines.
check_readme()
{
	awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/blocks"
	if [ ! -s "$work/blocks" ]; then
		fail "README.md shows no session"
		return
	fi
	local line= command= want=
	while IFS= read -r line; do
		case $line in
		'$ '*)
			run_shown "$command" "$want"
			command=${line#'$ '} want= ;;
		*)
			want+=$line$'\n' ;;
		esac
	done <"$work/blocks"
	run_shown "$command" "$want"
}

# run_shown COMMAND WANTED-OUTPUT
run_shown()
{
	[ -n "$1" ] || return
	case $1 in
	*mpirun*)
		if ! command -v mpirun >/dev/null || [ ! -x "$build/topomap-probe" ]; then
			skip "no MPI here, README.md's '$1' was not run"
			return
		fi ;;
	esac
	if ! (cd "$work/job" && bash -o pipefail -ec "$1") >"$work/out" 2>"$work/err"; then
		fail "README.md: $1"
		cat "$work/err"
	elif ! matches "$2" "$work/out"; then
		fail "README.md: $1 prints something else"
		diff <(printf '%s' "$2") "$work/out"
	else
		pass
	fi
}

# The wanted lines in their order and nothing between them; a line "..." stands for any.
matches()
{
	printf '%s' "$1" | awk -v found="$2" '
	{ want[++n] = $0 }
	END {
		while ((getline line < found) > 0) have[++m] = line
		print match_from(1, 1) ? "yes" : "no"
	}
	function match_from(i, j,    k) {
		if (i > n) return j > m
		if (want[i] == "...") {
			for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1
			return 0
		}
		return j <= m && have[j] == want[i] && match_from(i + 1, j + 1)
	}' | grep -q yes
}

check_examples()
{
	local command line
	for command in $commands; do
		topomap --generate examples "$command" >"$work/examples"
		while IFS= read -r line; do
			expect "example of $command: $line" bash -o pipefail -ec "cd '$work/job'; $line"
		done <"$work/examples"
	done
}

# What examples may use: see options/command.h.
make_job()
{
	mkdir "$work/job"
	cp tests/data/job.json tests/data/traffic.csv "$work/job"
	cp tests/data/2package-4core.xml "$work/job/node.xml"
}

commands=$(topomap --generate commands)
check_manual
check_help
check_completions
check_lists
make_job
check_examples
check_readme
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
