#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# options.t - what follows from the rows of options (src/base/cmdline.h): --help of every subcommand, other names, what a
# mistake in a command line says, and the completion in bash, zsh and fish.
. "${srcdir:-.}/tests/tap.sh"
m=$CTASCOPE
subcommands=$(sed -nE '/^.SH SYNOPSIS/,/^.SH DESCRIPTION/s/^\.B ctascope ([a-z]+).*/\1/p' "${srcdir:-.}/man/ctascope.1.in" | sort -u)

# ---- help
is "ctascope --help has the subcommands of the SYNOPSIS of ctascope(1)" "$(echo $subcommands)" \
	"$("$m" --help | sed -nE 's/^   or: ctascope ([a-z]+).*/\1/p' | sort -u | xargs)"
for c in $subcommands; do
	is "$c --help" "$("$m" "$c" --help | sed -n '1s/^\(Usage: ctascope [a-z]*\).*/\1/p')" "Usage: ctascope $c"
	is "$c -h is the same" "$("$m" "$c" -h)" "$("$m" "$c" --help)"
	like "ctascope --help names $c" "$("$m" --help)" "^   or: ctascope $c( |\$)"
done
for c in '' $subcommands; do
	is "no line of the options of 'ctascope $c' is wider than 79 columns or ends in a blank" \
		"$("$m" $c --help | sed '/^Examples/q' | grep '^  ' | grep -E '^.{80}| $')" ""
done
is "a policy, a scheduler of the tables in it" "$("$m" --help | grep -cE 'such as [a-z]|scheduler: [a-z]+, ')" 2

# ---- mistakes: what, expected what, where the help is
says() { # status-and-message, arguments
	says=$1
	shift
	"$m" "$@" >out 2>err </dev/null
	is "$*" "$? $(sed 1q err)" "$says"
}
cd "$tmp" || exit 99
says "2 ctascope: unknown option '--verson'; did you mean --version?" --verson
is "the second line" "$(sed -n 2p err)" "Try 'ctascope --help' for more information."
says "2 ctascope: sweep: unknown option '--jbos'; did you mean --jobs?" sweep --jbos=3
is "the second line of a subcommand" "$(sed -n 2p err)" "Try 'ctascope sweep --help' for more information."
says "2 ctascope: unknown option '-Z'" -Z
says "2 ctascope: -o needs an argument: KEY=VALUE" -o
says "2 ctascope: -s needs an argument: KEY=VALUE" -s
says "2 ctascope: --policy needs an argument: STACK" --policy
says "2 ctascope: --batch takes no argument" --batch=yes
says "2 ctascope: sweep: '--s' is ambiguous: --size or --shard" sweep --s
says "2 ctascope: --tui maybe: expected auto, always or never" --tui=maybe
says "2 ctascope: record: --on-oob maybe: expected error, warn or ignore" record --on-oob maybe -o x -- true
says "2 ctascope: record: --shared -1: expected a number from 0 to 1048576" record --ptx x --shared -1
says "2 ctascope: sweep: -j 0: expected a number from 1 to 4096" sweep -j 0 x
says "2 ctascope: sweep: --shard 3/2: expected I/N, such as 2/8" sweep --shard 3/2 x
says "2 ctascope: convert: unknown option '-x'" convert -x y
says "2 ctascope: trace: dump: 'x' is not a number" trace dump y x
says "2 ctascope: cache: expected list, clear or nothing, found 'more'" cache list more
says "2 ctascope: app: expected a program after --" app -b
says "2 ctascope: no theme 'nope'; there are: $(ls "$srcdir/themes" | sed -n 's/\.theme$//p' | sort | paste -s -d' ' | sed 's/ /, /g')" \
	--theme=nope -b phase
is "and compare looks at its name, too" "$("$m" compare -b --theme nope a.csv b.csv 2>&1 | cut -d';' -f1)" "ctascope: no theme 'nope'"

# ---- a start of a name will do, and other names
is "--pol" "$("$m" --list-options --pol static:n=3 | sed -n 's/^static.n *\([0-9]*\).*/\1/p')" 3
is "-s is -o, --set is --option, --machine and -m are -c" \
	"$("$m" -n -s run.sample=90 --print-config -m mesh56 --set static.n=2 | grep -E 'machine|run.sample|static.n')" \
	"$("$m" -n -o run.sample=90 --print-config -c mesh56 --option static.n=2 | grep -E 'machine|run.sample|static.n')"
is "and do what they say" "$("$m" -n -s run.sample=90 --print-config --machine mesh56 | grep -cE '^set (machine mesh56|run.sample 90)$')" 2
is "--colour is --color" "$("$m" --colour=auto -V)" "$("$m" -V)"
is "of a recording, too" "$("$m" record -m nowhere -o x.ctr -- true 2>&1 | sed 1q)" \
	"$("$m" record -c nowhere -o x.ctr -- true 2>&1 | sed '1s/-c /-m /;1q')"

# ---- completion in bash
if command -v bash >/dev/null; then
	offered() { # word...: what is offered for the last
		bash -c '. "$0"; COMP_WORDS=("$CTASCOPE" "$@"); COMP_CWORD=$#; _ctascope 2>/dev/null; echo "${COMPREPLY[*]}"' \
			"$builddir/tools/ctascope" "$@"
	}
	for c in '' $subcommands; do
		is "options of 'ctascope $c'" "$(offered $c --he)" "--help"
	done
	is "an option of a program's recording" "$(offered record --skip)" "--skip-kernel"
	is "a subcommand" "$(offered swe)" "sweep"
	is "a machine" "$(offered --machine = mesh5)" "mesh56"
	is "a machine of a recording" "$(offered record -m mesh5)" "mesh56"
	is "a policy in a stack" "$(offered -p rr+dynct)" "rr+dyncta"
	is "an option of the model" "$(offered --set run.max_cy)" "run.max_cycles="
	is "one of some words" "$(offered --color = al)" "always"
	is "one of a recording's" "$(offered record --on-oob w)" "warn"
	is "of an argument that may be missing, behind =" "$(offered --tui = nev)" "never"
	is "not without" "$(offered --tui nev)" ""
	is "a verb of trace" "$(offered trace ch)" "check"
	is "a sweep" "$(offered sweep mesh)" "mesh"
	touch "a table.csv"
	is "a file" "$(offered sweep mesh -o "a tab")" "a table.csv"
	is "nothing for a number" "$(offered sweep -j '')" ""
else
	skip "completion" "no bash here"
fi

# ---- completion in zsh; compadd, _files and compset of zsh are replaced by what prints the choices
if command -v zsh >/dev/null; then
	cat >"$tmp/zsh" <<-'X'
		compadd() {
			local head=''
			while [[ $1 != -- ]]; do
				case $1 in -p) head=$2 && shift 2 ;; -S) shift 2 ;; esac
			done
			shift
			for m; do [[ $head$m != $PREFIX* ]] || print -r -- $head$m; done
		}
		compset() { :; }
		_files() { print files; }
		words=("$CTASCOPE" "$@") CURRENT=$(($# + 1)) PREFIX=${@[-1]}
		source "$builddir/tools/_ctascope"
	X
	offered() { zsh -f "$tmp/zsh" "$@" | tr '\n' ' '; }
	is "zsh: options" "$(offered record --skip)" "--skip-kernel "
	is "zsh: a subcommand" "$(offered swe)" "sweep files "
	is "zsh: a machine" "$(offered --machine=mesh5)" "--machine=mesh56 files "
	is "zsh: a policy in a stack" "$(offered -p rr+dynct)" "rr+dyncta files "
	is "zsh: an option of the model" "$(offered --set run.max_cy)" "run.max_cycles= "
	is "zsh: a size" "$(offered km:on)" "km:onac "
	is "zsh: one of some words" "$(offered --color al)" "always "
	is "zsh: of an argument that may be missing" "$(offered --tui=nev)" "--tui=never "
	is "zsh: a verb of trace" "$(offered trace ch)" "check "
else
	skip "completion in zsh" "no zsh here"
fi

# ---- completion in fish
if command -v fish >/dev/null; then
	PATH=$builddir:$PATH
	export PATH
	offered() { fish --no-config -c 'source $builddir/tools/ctascope.fish; complete -C $argv[1]' "$1" | cut -f 1 | tr '\n' ' '; }
	is "fish: options" "$(offered "ctascope record --skip")" "--skip-kernel "
	is "fish: a subcommand" "$(offered "ctascope swee")" "sweep "
	is "fish: a machine" "$(offered "ctascope --machine mesh5")" "mesh56 "
	is "fish: a policy in a stack" "$(offered "ctascope -p rr+dynct")" "rr+dyncta "
	is "fish: an option of the model" "$(offered "ctascope --set run.max_cy")" "run.max_cycles= "
	is "fish: a size" "$(offered "ctascope km:on")" "km:onac "
	is "fish: one of some words" "$(offered "ctascope --color al")" "always "
	is "fish: a verb of trace" "$(offered "ctascope trace ch")" "check "
else
	skip "completion in fish" "no fish here"
fi
done_testing
