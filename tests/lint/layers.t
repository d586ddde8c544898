#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# layers.t - who may include whom. A file uses contracts (include/ctascope), its own folder, base,
# and the facades of folders further left; those in braces never see each other.
. "${srcdir:-.}/tests/tap.sh"
lint=$(cd "$srcdir/tests/lint" && pwd) || exit 99
order='compat base decl event eval trace cache {ldst wsched noc mem cta power} core sim record/divert record/ptx record/cuda {record/runtime record/blas}
	source debug export timeline plot lab line workload session teach prompt tui cli batch main'
order=$(echo $order)
# decl's facade is the contract ctascope/decl.h; decl/params.h is its second one, for policy stacks, and
# cuda_api.h that of record/cuda, ptx_record.h that of record/ptx, which writes traces; export/lifetimes.h and export/overtime.h read what
# tables are made of, export/compare.h the
# tables of two runs, teach/quiz.h teach/handin.h questions about a run.
facades='decl/params.h session/reference.h teach/quiz.h teach/handin.h export/compare.h export/overtime.h export/lifetimes.h record/cuda/cuda_api.h record/divert/image.h record/ptx/ptx_record.h record/ptx/ptx.h'
# The recorder sees nothing of the model but the traces it makes.
only='record/divert=base,compat record/ptx=base,compat,decl,trace record/cuda=base,compat,decl,trace,record/divert,record/ptx record/runtime=base,record/cuda record/blas=base,record/cuda'

layers() { # folder: the broken rules
	(cd "$1" && find include src -name '*.[ch]' | sort |
		xargs "${AWK:-awk}" -v ORDER="$order" -v READLINE="$(tr '\n' ' ' <"$lint/readline-files")" \
			-v FACADES="$facades" -v ONLY="$only" -f "$lint/layers.awk")
}
is "every include follows the layers" "$(layers "$srcdir")" ""

# The check itself: one planted fault of each kind is found, and what is right is left alone.
mkdir -p "$tmp/src/core" "$tmp/src/cta" "$tmp/src/mem" "$tmp/src/tui" "$tmp/src/record/ptx/alu" "$tmp/include/ctascope"
echo '#include "core/core.h"' >"$tmp/include/ctascope/a.h"
printf '#include "%s"\n' tui/tui.h cta/cta.h cta/cta_rr.h cta/cta.def core/x.h base/arena.h x.h config.h \
	>"$tmp/src/core/a.c"
echo '#include "mem/mem.h"' >"$tmp/src/cta/a.c"
echo '#include <readline/readline.h>' >"$tmp/src/mem/a.c"
echo '#include <curses.h>' >"$tmp/src/tui/b.c"
printf '#include <%s>\n' curses.h termios.h >"$tmp/src/tui/term_curses.c"
printf '#include <%s>\n' csv.h cairo.h >"$tmp/src/main.c"
printf '#include "%s"\n' record/ptx/mem/mem.h trace/trace.h sim/sim.h record/cuda/driver.h \
	>"$tmp/src/record/ptx/alu/a.c"
echo '#include "record/ptx/ptx.h"' >"$tmp/src/core/b.c"
is "planted faults are found" "$(layers "$tmp" | cut -d: -f1,2 | tr '\n' ' ')" \
	"include/ctascope/a.h:1 src/core/a.c:1 src/core/a.c:3 src/core/a.c:7 src/core/a.c:8 src/core/b.c:1 src/cta/a.c:1 src/main.c:1 src/main.c:2 src/mem/a.c:1 src/record/ptx/alu/a.c:3 src/record/ptx/alu/a.c:4 src/tui/b.c:1 "
done_testing
