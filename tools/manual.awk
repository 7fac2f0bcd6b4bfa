# SPDX-License-Identifier: BSD-3-Clause
# manual.awk - a manual page from its template:
#
#     awk -v version=V -v date=D -f tools/manual.awk include/topomap/topomap.h man/PAGE.in
#
# @VERSION@ and @DATE@ are filled in. @SYNOPSIS@ becomes the prototypes of the header's functions
# that the page lists under NAME, in the header's order, and @struct NAME@ (or enum) that type
# as the header has it, without comments. Lines from ```c or ```console to ``` are shown as typed; what else stands behind
# the backquotes, a file's name, is for the tests.
function literal(line)
{
	gsub(/\\/, "\\e", line)
	return (line ~ /^[.']/ ? "\\&" : "") line
}

# "struct x *" "f" "(int a, ...)" of the text of a declaration
function declare(text,    begin, name, args, count, i, depth, c, arg)
{
	gsub(/[ \t]+/, " ", text)
	sub(/^ /, "", text)
	if (!match(text, /topomap_[a-z_]+\(/))
		return
	begin = RSTART
	name = substr(text, RSTART, RLENGTH - 1)
	args = substr(text, RSTART + RLENGTH)
	sub(/\) ?$/, "", args)
	prototype[name] = ".Ft \"" substr(text, 1, begin - 1) "\"\n.Fo " name "\n"
	sub(/ "\n/, "\"\n", prototype[name])
	for (i = 1; i <= length(args); i++) {
		c = substr(args, i, 1)
		depth += (c == "(") - (c == ")")
		if (c == "," && !depth) {
			prototype[name] = prototype[name] ".Fa \"" arg "\"\n"
			arg = ""
			i++
		} else {
			arg = arg c
		}
	}
	prototype[name] = prototype[name] ".Fa \"" arg "\"\n.Fc\n"
	names[++name_count] = name
}

NR == FNR {
	line = $0
	while (match(line, /\/\*.*\*\//))
		line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
	if (is_comment) {
		is_comment = line !~ /\*\//
		next
	}
	if (line ~ /\/\*/) {
		is_comment = 1
		sub(/\/\*.*/, "", line)
	}
	sub(/[ \t]+$/, "", line)
	if ($1 ~ /^(struct|enum)$/ && $3 == "{")
		type = $1 " " $2
	if (type && line)
		members[type] = members[type] literal(line) "\n"
	if (type || is_macro || line ~ /^#/ || line ~ /[{}]/) {
		is_macro = (is_macro || line ~ /^#/) && line ~ /\\$/
		if (line ~ /^}/)
			type = text = ""
		next
	}
	text = text " " line
	if (line ~ /;$/) {
		sub(/;$/, "", text)
		declare(text)
		text = ""
	}
	next
}
shown {
	if ($0 == "```") {
		print ".Ed"
		shown = 0
	} else {
		print literal($0)
	}
	next
}
/^```c/ {
	print ".Bd -literal"
	shown = 1
	next
}
/^\.Sh / { is_name = $2 == "NAME" }
is_name && /^\.Nm topomap_/ { lists[$2] = 1 }
$0 == "@SYNOPSIS@" {
	print ".Sh SYNOPSIS\n.In topomap/topomap.h"
	for (i = 1; i <= name_count; i++)
		if (names[i] in lists)
			printf "%s", prototype[names[i]]
	next
}
/^@(struct|enum) [a-z_]*@$/ {
	gsub(/@/, "")
	printf ".Bd -literal\n%s.Ed\n", members[$0]
	next
}
{
	gsub(/@VERSION@/, version)
	gsub(/@DATE@/, date)
	print
}
