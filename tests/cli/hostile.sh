#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every string of a placement, in turn, with characters that steer a terminal, deceive its reader or end
# a text where it is quoted: nothing that people read has them raw, pictures are XML, graphs are
# Graphviz's, JSON is JSON. So with names of files and words of command lines. Oracle: the bytes.
cd "$(dirname "$0")/../.." || exit 3
top=$PWD
PATH=$top/${BUILD:-build}:$PATH
export LC_ALL=C
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
source=$top/tests/cli/cases/inspect-irregular/job.json
cd "$work" || exit 3

# escape, C1's escape [, a right-to-left override, a zero-width space, a newline; a second line of ours
# would begin with FORGED
raw=$'\033[31m\302\233\342\200\256\342\200\213\nFORGED'
json='\\u001b[31m\\u009b\\u202e\\u200b\\nFORGED'"'"'<\&>\\"\\\\`$(x)--]]>'
# what no output has: C0 but newline, delete, C1, the ones above
hidden=$'[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\213-\217\250-\256]|\342\201[\240-\257]'

# no_hidden FILE WHAT
no_hidden()
{
	if grep -a -E -q "$hidden" "$1" || grep -a -q '^FORGED' "$1"; then
		bad=$((bad + 1))
		echo "$2:"
		grep -a -E "$hidden|^FORGED" "$1" | head -n 2 | cat -v | cut -c 1-200
	fi
}

# well_formed COMMAND: what it printed, by those who read it
well_formed()
{
	case $1 in
	*" svg "*) [ -z "$(command -v xmllint)" ] || xmllint --noout out 2>log ;;
	*" dot "*) [ -z "$(command -v dot)" ] || dot -Tdot out >/dev/null 2>log ;;
	*" json "*) topomap inspect out >/dev/null 2>log || ! grep -q 'kind.*placement' out ;;
	esac || { bad=$((bad + 1)); echo "$1: not well formed"; head -n 2 log; }
}

commands="inspect FILE
inspect --table FILE
inspect --lint FILE
inspect -f csv FILE
inspect -f json FILE
inspect -f svg FILE
tree FILE
tree -f dot FILE
ring FILE
ring -f dot FILE
hierarchy FILE
hierarchy -f dot FILE
hierarchy -f c FILE
lanes FILE
lanes -f dot FILE
score -c bcast -b 1k FILE
compare FILE $source
suggest-rankfile -m cyclic FILE
suggest-rankfile -m cyclic -f svg FILE
schedule -c bcast -a binomial_far -b 1k -f dot FILE
guidelines -b 1k -c bcast FILE
place FILE"

# try NAME FILE: every command
try()
{
	bad=0
	while read -r -a words; do
		timeout 60 topomap "${words[@]/FILE/$2}" >out 2>err </dev/null
		status=$?
		if [ $status -gt 4 ]; then
			bad=$((bad + 1))
			echo "$1: ${words[*]}: status $status"
		fi
		no_hidden out "$1: ${words[*]}"
		no_hidden err "$1: ${words[*]}: its messages"
		[ $status -ne 0 ] || well_formed "${words[*]}"
	done <<<"$commands"
	if [ $bad -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED  $1"
	fi
}

# the k-th string of line n, unless it is a number, a mask or chosen among a few words
while read -r n k; do
	sed "${n}s/: \"\([^\"]*\)\"/: \"\1$json\"/$k" "$source" >job.json
	cmp -s job.json "$source" || try "line $n, string $k" job.json
done < <(awk '{ k = 0; line = $0
	while (match(line, /"[a-z_]*": "[^"]*"/)) {
		k++
		if (substr(line, RSTART, RLENGTH) !~ /^"(kind|type|mask|pus|allowed|order)"/) print NR, k
		line = substr(line, RSTART + RLENGTH)
	} }' "$source")
cp "$source" "odd $raw'\"\$(x)\`.json"
try "the name of a file" "odd $raw'\"\$(x)\`.json"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
