#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The documents: the manual's pages are clean mdoc, help fits a terminal, the completions
# parse, every example of a command table runs, sessions in README and manual print what they
# show, what they name exists, each function of the library is in one page, and README, manual and command list name the same commands.
# UPDATE=1 writes what sessions print instead of comparing; "..." in one is left to you.
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

# refuses WHAT COMMAND...: a check that must find what is wrong
refuses()
{
	local what=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		fail "the check does not see $what"
	else
		pass
	fi
}

# mandoc looks for pages only where they are installed; ours must be in the tree.
lint()
{
	mandoc -T lint -W style "$1" 2>&1 |
		grep -v 'STYLE: referenced manual not found\|outdated mandoc.db' >"$work/lint"
	sed -n 's/^\.Xr \(topomap[^ ]*\) \([0-9]\).*/\1.\2/p' "$1" | while read -r page; do
		[ -f "$build/man/$page" ] || [ -f "man/$page.in" ] || echo "$1: no page $page"
	done >>"$work/lint"
	sed -n '/^\.Sh SEE ALSO/,$s/^\.Xr \([^ ]* .\).*/\1/p' "$1" | sort | uniq -d |
		sed "s/^/$(basename "$1"): refers twice to /" >>"$work/lint"
	cat "$work/lint"
	[ ! -s "$work/lint" ]
}

check_manual()
{
	local page
	if ! command -v mandoc >/dev/null; then
		skip "mandoc is not installed, the manual's pages were not checked"
		return
	fi
	for page in "$build"/man/*.[1-9]; do
		grep -q '^\.so ' "$page" && continue # see check_library
		expect "mandoc $page" lint "$page"
	done
}

# help_has_form FILE: usage, at most ten lines of text, options, examples; 80 columns
help_has_form()
{
	! grep '.\{81\}' "$1" || return 1
	sed -n '1p' "$1" | grep -q '^Usage: ' || { echo "no usage"; return 1; }
	[ "$(sed -n '2,/^Op[a-z]*:$/p' "$1" | grep -c '^[^ ]')" -le 11 ] ||
		{ echo "more than ten lines of text before the options"; return 1; }
	grep '^[A-Z][a-z]*:$' "$1" | grep -v '^Operands' | paste -sd ' ' |
		grep -x 'Options: Examples:'
}

# The options of a command, as help lists them.
options_of()
{
	"$@" --help | sed -n '/^Options:$/,/^Examples:$/s/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' |
		sort
}

# help_names_options FILE: those that the text of a help screen names are in its list
help_names_options()
{
	local name missing=
	for name in $(sed '/^Op[a-z]*:$/,$d' "$1" | grep -o -e '--[a-z][a-z0-9-]*'); do
		grep -q "^  \(-., \|    \)$name\b" "$1" || { echo "$name is not an option"; missing=yes; }
	done
	[ -z "$missing" ]
}

# help_endings_are_formats FILE: the endings of files that choose a format are formats of it
help_endings_are_formats()
{
	local text formats ending missing=
	text=$(tr -s '\n ' '  ' <"$1")
	formats=$(grep -o -e '--format=FORMAT .* --output' <<<"$text")
	for ending in $(grep -o 'its ending, such as [^,]*' <<<"$text" | grep -o '\.[a-z]*'); do
		grep -qw "${ending#.}" <<<"$formats" || { echo "$ending is no format"; missing=yes; }
	done
	[ -z "$missing" ]
}

# check_help_of NAME PROGRAM...
check_help_of()
{
	local name=$1
	shift
	"$@" --help >"$work/help" 2>"$work/err" || fail "$name --help"
	[ ! -s "$work/err" ] || fail "$name --help writes on standard error"
	expect "the form of $name --help" help_has_form "$work/help"
	expect "the options that $name --help names" help_names_options "$work/help"
	expect "the endings that $name --help names" help_endings_are_formats "$work/help"
}

check_help()
{
	local command
	for command in $commands; do
		check_help_of "$command" topomap "$command"
	done
	[ ! -x "$build/topomap-probe" ] || check_help_of probe topomap-probe
	if [ -x "$build/topomap-bench" ]; then
		check_help_of bench topomap-bench
		for command in $verbs; do
			check_help_of "bench $command" topomap-bench "$command"
		done
	fi
	topomap help tree >"$work/help"
	sed '3s/^/wide wide wide wide wide wide wide wide wide wide wide wide wide wide wide wide wide/' \
		"$work/help" >"$work/bad"
	refuses "a wide line of help" help_has_form "$work/bad"
	sed '3s/^.*/1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11/' "$work/help" >"$work/bad"
	refuses "eleven more lines of help" help_has_form "$work/bad"
	sed '4s/$/ --nonsense/' "$work/help" >"$work/bad"
	refuses "an option that is not there in help" help_names_options "$work/bad"
	sed 's/such as \.svg/such as .csv/' "$work/help" >"$work/bad"
	refuses "an ending that is no format in help" help_endings_are_formats "$work/bad"
}

# page_names_options FILE PROGRAM...: each option that a page's source names with .Fl is one of
# the program's; those of other programs are written with .Ic
page_names_options()
{
	local file=$1 name options missing=
	shift
	options=$("$@" --help)
	for name in $(grep -v '^\.Fl D Ns' "$file" | grep -o '\bFl [^ ]*\( , -[^ ]*\)*' |
		sed 's/Fl //; s/ , / /g'); do
		grep -q -e "^  \(-., \|    \)-$name\b" -e "^  -$name, " <<<"$options" ||
			{ echo "$file: -$name is not an option"; missing=yes; }
	done
	[ -z "$missing" ]
}

# The launchers whose files topomap suggest-rankfile writes, as help lists them.
launchers()
{
	topomap suggest-rankfile --help | sed -n '/^  -l, --launcher=/,/^  .*--lint/p' |
		sed '$d' | paste -sd ' ' | sed 's/.*names none: //; s/,\? or / /; s/,//g; s/  */\n/g'
}

# page_has_launchers FILE: each of them is an item of the page's section LAUNCHERS
page_has_launchers()
{
	local name missing=
	launchers | grep -qx openmpi4 || { echo "help lists no launchers"; return 1; }
	for name in $(launchers); do
		sed -n '/^\.Sh LAUNCHERS/,/^\.Sh CHECKING/s/^\.It Cm //p' "$1" |
			sed 's/ , /\n/g' | grep -qx -e "$name" ||
			{ echo "$1: no item for launcher $name"; missing=yes; }
	done
	[ -z "$missing" ]
}

# datatypes: those that --datatype knows
datatypes() { sed -n 's/^\t{ "\([a-z0-9_]*\)", [0-9]* },$/\1/p' core/schedule/datatype.c; }

# page_has_datatypes FILE: each of them is in the page's list
page_has_datatypes()
{
	local name missing=
	datatypes | grep -qx double || { echo "core/schedule/datatype.c has no datatypes"; return 1; }
	for name in $(datatypes); do
		sed -n '/^\.Cm byte ,/,/^\.Cm [a-z]* \.$/s/^\.Cm \([a-z0-9_]*\) [.,]$/\1/p' "$1" |
			grep -qx "$name" || { echo "$1: no datatype $name"; missing=yes; }
	done
	[ -z "$missing" ]
}

# page_is_made COMMAND SOURCE
page_is_made() { topomap --generate man "$1" <"$2" >/dev/null; }

# A page has the names of what its program has: options, launchers, and the rules of inspect.
check_names()
{
	local command rules='s/^.*{ \.word = { "\([a-z0-9-]*\)",.*/\1/p'
	for command in $commands; do
		expect "options in topomap-$command(1)" \
			page_names_options "man/topomap-$command.1.in" topomap "$command"
	done
	if [ -x "$build/topomap-probe" ]; then
		expect "options in topomap-probe(1)" \
			page_names_options man/topomap-probe.1.in topomap-probe
	fi
	if [ -x "$build/topomap-bench" ]; then
		for command in $verbs; do
			expect "options in topomap-bench-$command(1)" \
				page_names_options "man/topomap-bench-$command.1.in" topomap-bench "$command"
		done
	fi
	sed 's/Fl -against/Fl -nonsense/' man/topomap-tree.1.in >"$work/bad"
	refuses "an option that is not there in a page" page_names_options "$work/bad" topomap tree
	expect "launchers in topomap-suggest-rankfile(1)" \
		page_has_launchers man/topomap-suggest-rankfile.1.in
	sed 's/^\.It Cm slurm , slurm23.11 , flux/.It Cm slurm , slurm23.11/' man/topomap-suggest-rankfile.1.in >"$work/bad"
	refuses "a launcher without an item" page_has_launchers "$work/bad"
	expect "datatypes in topomap-score(1)" page_has_datatypes man/topomap-score.1.in
	sed '/^\.Cm float ,/d' man/topomap-score.1.in >"$work/bad"
	refuses "a datatype that the page has not" page_has_datatypes "$work/bad"
	same "rules in topomap-inspect(1)" \
		"$(sed -n '/^.Sh FINDINGS/,/^.El/s/^\.It Cm //p' "$build/man/topomap-inspect.1")" \
		"$(sed -n "$rules" core/lint/lint_rules.c)"
	same "rules in topomap help lint" "$(topomap help lint | sed -n '5,$s/^\([a-z0-9-]*\)$/\1/p' |
		sed '/^$/d')" "$(sed -n "$rules" core/lint/lint_rules.c)"
	grep -v '^@TOPIC lint@' man/topomap-inspect.1.in >"$work/bad"
	refuses "a page without its rules" page_is_made inspect "$work/bad"
}

# complete WORD...: what bash offers for the last word of this line, sorted, on one line
complete_line()
{
	bash -c '
		compopt() { :; }
		. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		"_${1/-/_}"
		printf "%s\n" "${COMPREPLY[@]}" | sort | paste -sd " "' \
		"$build/completions/$1.bash" "$@"
}

check_completions()
{
	local shell command options
	for shell in bash zsh fish; do
		if command -v $shell >/dev/null; then
			for file in "$build"/completions/*."$shell"; do
				expect "completion in $file" $shell -n "$file"
			done
		else
			skip "$shell is not installed, its completion was not parsed"
		fi
	done
	same "commands that bash completes" "$(complete_line topomap '')" \
		"$(printf '%s\n' --help --version $commands | sort | paste -sd ' ')"
	same "a command's first letters" "$(complete_line topomap hel)" help
	same "the operand of help" "$(complete_line topomap help '')" \
		"$(printf '%s\n' $commands hostfile launchers lint logs | sort | paste -sd ' ')"
	same "rules to ignore" "$(complete_line topomap inspect --ignore far-)" \
		"far-adapter far-gpu far-memory"
	if command -v fish >/dev/null; then
		same "the operand of help in fish" "$(fish_line 'topomap help ')" \
			"$(printf '%s\n' $commands hostfile launchers lint logs | sort | paste -sd ' ')"
	fi
	for command in $commands; do
		options=$(options_of topomap "$command" | paste -sd ' ')
		same "bash completes the options of $command" \
			"$(complete_line topomap "$command" --)" "$options"
		if command -v fish >/dev/null; then
			same "fish completes the options of $command" \
				"$(fish_line "topomap $command --")" "$options"
		fi
	done
	[ -z "$verbs" ] || check_bench_completions
}

check_bench_completions()
{
	local verb options
	same "verbs that bash completes" "$(complete_line topomap-bench '')" \
		"$(printf '%s\n' --help --version $verbs | sort | paste -sd ' ')"
	same "the collectives of lanes" "$(complete_line topomap-bench lanes -c all)" \
		"$(complete_line topomap score -c all)"
	for verb in $verbs; do
		options=$(options_of topomap-bench "$verb" | paste -sd ' ')
		same "bash completes the options of topomap-bench $verb" \
			"$(complete_line topomap-bench "$verb" --)" "$options"
		! command -v fish >/dev/null ||
			same "fish completes the options of topomap-bench $verb" \
				"$(fish_line "topomap-bench $verb --")" "$options"
		! command -v zsh >/dev/null ||
			same "options of topomap-bench $verb in the completion of zsh" \
				"$(zsh_options "$verb" | sort | paste -sd ' ')" "$options"
	done
}

# zsh_options VERB: those of which the completion of zsh knows
zsh_options()
{
	awk -v verb="$1)" '$1 == verb { inside = 1; next } inside && /;;/ { last = 1 }
		inside && match($0, /--[a-z-]+=?(\[|\})/) { it = substr($0, RSTART, RLENGTH - 1); sub(/=/, "", it); print it }
		last { exit }' "$build/completions/topomap-bench.zsh"
}

# The same in fish, for a whole line.
fish_line()
{
	fish --no-config -c "source '$build/completions/${1%% *}.fish'; complete -C '$1'" |
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

# The commands that topomap.1 and README.md list are those of the table, in its order and with
# its summaries.
check_lists()
{
	same "commands in man/topomap.1.in" \
		"$(sed -n 's/^\.It Xr topomap-\([a-z-]*\) 1$/\1/p' man/topomap.1.in)" "$commands"
	same "summaries in man/topomap.1.in" \
		"$(sed -n '/^\.It Xr topomap-[a-z-]* 1$/{n;p;}' man/topomap.1.in)" "$summaries"
	same "commands in README.md" \
		"$(sed -n 's/^| `topomap \([a-z-]*\)` |.*/\1/p' README.md)" "$commands"
	same "summaries in README.md" \
		"$(sed -n 's/^| `topomap [a-z-]*` | \(.*\) |$/\1/p' README.md)" "$summaries"
	same "the exit statuses of man/topomap.1.in" "$(exit_status man/topomap.1.in)" \
		"$(exit_status "$build/man/topomap-help.1")"
	same "the sources of the manual's pages" \
		"$(printf '%s\n' man/topomap-*.1.in | sed 's/.*topomap-//; s/\.1\.in$//' | sort)" \
		"$(printf '%s\n' probe bench $(printf 'bench-%s\n' $verbs) $commands | sort)"
	same "the verbs in man/topomap-bench.1.in" \
		"$(sed -n 's/^\.It Cm //p' man/topomap-bench.1.in)" "$(printf '%s\n' $verbs)"
}

# The functions that the library exports.
functions()
{
	nm -D --defined-only "$build/libtopomap.so" | sed -n 's/.* [TW] \(topomap_[a-z_]*\)\(@.*\)*$/\1/p' |
		sort -u
}

# A page's SYNOPSIS as a reader has it before him, without what mandoc prints bold.
synopsis() { mandoc -T ascii -O width=200 "$1" | col -b | sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | sed '1d;$d'; }

# The prototypes of C text, one a line, each blank alike.
prototypes()
{
	sed 's,/\*.*\*/,,; /\/\*/,/\*\//d; /^#.*\\$/,/[^\\]$/d; /^#/d; /[{}]/d' | tr '\n' ' ' | tr ';' '\n' |
		sed -n 's/[[:space:]]\{1,\}/ /g; s/\* /*/g; s/( /(/g; s/^ *\(.*topomap_[a-z_]*(.*)\) *$/\1/p'
}

# page_is_true PAGE: its prototypes are those of the header, for the compiler as in each letter
page_is_true()
{
	synopsis "$1" | sed 's/#include.*//' >"$work/synopsis"
	{ echo '#include <topomap/topomap.h>'; cat "$work/synopsis"; } >"$work/synopsis.c"
	[ -n "$(prototypes <"$work/synopsis")" ] &&
		${CC:-cc} -Iinclude -Wall -Wextra -Werror -pedantic -fsyntax-only "$work/synopsis.c" &&
		! prototypes <"$work/synopsis" | grep -vxF -f <(prototypes <include/topomap/topomap.h)
}

# names_functions FILE...: those that they name are there
names_functions()
{
	! grep -ho '^\.\(F[no]\|Nm\|Xr\) topomap_[a-z_]*' "$@" | sed 's/.* //' | sort -u |
		grep -vxF -f <(functions; ls man | sed -n 's/\.3\.in$//p')
}

# refers_well FUNCTION: its page is the one with it in the NAME
refers_well()
{
	local page
	page=$(sed -n 's,^\.so man3/,,p' "$build/man/$1.3") && [ -n "$page" ] &&
		grep -qx "\.Nm $1\( ,\)*" "$build/man/$page" && grep -qx "\.Fo $1" "$build/man/$page"
}

check_library()
{
	local page name
	if ! command -v mandoc >/dev/null || ! command -v col >/dev/null; then
		skip "mandoc or col is not installed, the pages of the library were not checked"
		return
	fi
	: >"$work/documented"
	for page in man/*.3.in; do
		page=$(basename "${page%.in}")
		expect "the prototypes of $page" page_is_true "$build/man/$page"
		prototypes <"$work/synopsis" | sed 's/.*\(topomap_[a-z_]*\)(.*/\1/' >>"$work/documented"
	done
	same "each function is in one SYNOPSIS" "$(sort "$work/documented")" "$(functions)"
	for name in $(functions); do
		expect "the page of $name" refers_well "$name"
	done
	expect "functions that the pages name" names_functions man/*.3.in
	sed 's/int rank/long rank/' "$build/man/topomap_tree.3" >"$work/bad"
	refuses "another type of a parameter" page_is_true "$work/bad"
	sed 's/int rank/int index/' "$build/man/topomap_tree.3" >"$work/bad"
	refuses "another name of a parameter" page_is_true "$work/bad"
	sed 's/^\.Fn topomap_tree_parents/.Fn topomap_tree_uncles/' man/topomap_tree.3.in >"$work/bad"
	refuses "a function that is not there" names_functions "$work/bad"
	if command -v man >/dev/null; then
		same "man finds a function" "$(man -M "$build/man" topomap_tree_parents 2>&1 | grep -c '^TOPOMAP_TREE(3)')" 1
	fi
}

# Programs of documents see the library as installed, and every warning is an error.
make_library()
{
	mkdir -p "$work/bin"
	sed "s,@LIBDIR@,$build,; s,@INCLUDEDIR@,$top/include,; s,@VERSION@,0," lib/topomap.pc.in \
		>"$work/bin/topomap.pc"
	cat >"$work/bin/cc" <<-END
		#!/bin/sh
		PATH='$PATH' exec ${CC:-cc} -std=c99 -Wall -Wextra -Werror -pedantic "\$@"
	END
	chmod +x "$work/bin/cc"
	export PATH=$work/bin:$PATH PKG_CONFIG_PATH=$work/bin LD_LIBRARY_PATH=$build
}

exit_status() { sed -n '/^\.Sh EXIT STATUS/,/^\.El/p' "$1"; }

# check_sessions FILE: in its ```console blocks each line after "$ " is executed in one shell, in
# a job's directory; what follows it is its output, "..." standing for any lines. A block
# ```c NAME is a file of that directory.
check_sessions()
{
	local file=$1 line= command= want= is_session= name=
	make_job
	: >"$work/new"
	while IFS= read -r line; do
		case $is_session$line in
		'```c '*)
			is_session='file|'
			: >"$work/job/${line#'```c '}"
			printf '%s\n' "$line" >>"$work/new"
			name=$work/job/${line#'```c '} ;;
		'file|```')
			is_session=
			printf '%s\n' "$line" >>"$work/new" ;;
		'file|'*)
			printf '%s\n' "$line" >>"$name"
			printf '%s\n' "$line" >>"$work/new" ;;
		'```console')
			is_session=yes
			printf '%s\n' "$line" >>"$work/new" ;;
		'yes```')
			run_shown "$file" "$command" "$want"
			is_session= command= want=
			printf '%s\n' "$line" >>"$work/new" ;;
		'yes$ '*)
			run_shown "$file" "$command" "$want"
			command=${line#'$ '} want=
			printf '%s\n' "$line" >>"$work/new" ;;
		yes*)
			want+=$line$'\n' ;;
		*)
			printf '%s\n' "$line" >>"$work/new" ;;
		esac
	done <"$file"
	[ -z "$UPDATE" ] || cmp -s "$work/new" "$file" || cp "$work/new" "$file"
}

# ends_well COMMANDS: each command of them, and of their pipes, does; but a pipe may end early (head)
ends_well()
{
	local status=0
	bash -o pipefail -ec "$1" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 141 ]
}

# run_shown FILE COMMAND WANTED-OUTPUT: with UPDATE what comes takes the place of what is wanted
run_shown()
{
	[ -n "$2" ] || return
	printf '%s' "$3" >"$work/want"
	: >"$work/out"
	case $2 in
	*mpirun*)
		if ! command -v mpirun >/dev/null || [ ! -x "$build/topomap-probe" ]; then
			skip "no MPI here, '$2' of $1 was not run"
			cat "$work/want" >>"$work/new"
			return
		fi ;;
	esac
	if ! (cd "$work/job" && ends_well "$2") >"$work/out" 2>"$work/err"; then
		fail "$1: $2"
		cat "$work/err"
	elif matches "$3" "$work/out"; then
		pass
	elif [ -n "$UPDATE" ] && ! grep -qx '\.\.\.' "$work/want"; then
		pass
		cp "$work/out" "$work/want"
	else
		fail "$1: $2 prints something else"
		diff "$work/want" "$work/out"
		echo "(UPDATE=1 tests/docs/run.sh writes what came, unless \"...\" is in it)"
	fi
	cat "$work/want" >>"$work/new"
}

# shown_is_true COMMAND WANTED-OUTPUT: what run_shown() goes by, without counting
shown_is_true() { ends_well "$1" >"$work/out" 2>&1 && matches "$2" "$work/out"; }

check_documents()
{
	local file
	for file in README.md man/*.in; do
		check_sessions "$file"
	done
	grep -q '^```console$' README.md || fail "README.md shows no session"
	refuses "a wrong line of output" shown_is_true 'echo a; echo b' $'a\nc\n'
	refuses "output that is not shown" shown_is_true 'echo a; echo b' $'a\n'
	refuses "a command that fails" shown_is_true 'echo a; false' $'a\n'
	refuses "a command that fails before a pipe" shown_is_true '(echo a; false) | cat' $'a\n'
	expect "lines left out" shown_is_true 'echo a; echo b; echo c' $'a\n...\nc\n'
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
	rm -rf "$work/job"
	mkdir "$work/job"
	cp tests/data/job.json tests/data/traffic.csv tests/data/osu.txt tests/data/stream.txt "$work/job"
	cp tests/data/2package-4core.xml "$work/job/node.xml"
}

commands=$(topomap --generate commands)
verbs=$(sed -n 's/^\t{ { "\([a-z-]*\)", .*/\1/p' mpi_run/bench/verbs.c)
summaries=$(for c in $commands; do topomap --generate summary "$c"; done)
check_manual
check_help
check_names
check_completions
check_lists
check_library
make_library
make_job
check_examples
check_documents
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
