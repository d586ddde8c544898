#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plugin.t - policies of a user's own: the shipped example as a user builds and runs it, and every
# shared object that must be refused; and policy files that are read again (src/session/cmd_policy.c,
# src/session/policy_files.c, src/sim/config_load.c).
. "${srcdir:-.}/tests/tap.sh"
c=${CTASCOPE:-${builddir:-.}/ctascope}
w=$tmp/loads.traceg
src=$(cd "$srcdir" && pwd)
example=$src/examples/policy

# A kernel of loads that all miss: memory is crowded until every second core rests.
"${AWK:-awk}" -v ctas=300 -v warps=2 -v loads=8 -v adds=10 -v apart=128 \
	-f "$srcdir/tests/loads.awk" >"$w"
cd "$tmp" || exit 99
run() { "$c" -b -n "$w" "$@" 2>&1 </dev/null; }
build() { # NAME.c: makes NAME.so with the headers of the tree
	# shellcheck disable=SC2086 # CC is a list of words
	${CC:-cc} -std=c17 -Wall -Wextra -pedantic -Werror -shared -fPIC "-I$src/include" -o "${1%.c}.so" "$1"
}

# ---- the example
cp "$example/half.c" . && ok "the example compiles without a warning" build half.c
p=./half.so:period=256,high=60+static:n=2
end=$(run -p $p -e run -e 'info digest' | tail -n 1)
like "and runs" "$end" '^[0-9a-f]{16}$'
out=$(run -p $p -e run -e 'dump csv decisions -')
like "its decisions are in the table" "$out" ',drain,[0-9]+,,,half,crowded,waiting,[0-9]+,8,300$'
like "the end of cores that rest, too" "$out" ',gate,[0-9]+,,,half,crowded,high,60,8,300$'
like "and that they work again" "$out" ',ungate,[0-9]+,,,half,easy,waiting,[0-9]+,8,300$'
like "why explains one" "$(run -p $p -e 'until drain' -e why)" \
	'^  otherwise  with waiting <= 59 \([0-9]+ less\), or high >= [0-9]+, this rule would not have applied$'
like "its numbers stand in conditions" "$(run -p $p -e 'break drain if $waiting > 60' -e run)" \
	'^stopped: drain, core [0-9]+, cycle [0-9]+: waiting [0-9]+ >= high 60 %: half of the cores$'
is "its state has paths" "$(run -p $p -e 'until drain' -e 'print policy.half.resting' -e 'print policy.half.high' | tail -n 2)" \
	"policy.half.resting = 1
policy.half.high = 60"
like "next goes to the end of its period" "$(run -p $p -e 'next 3')" '^stopped: cycle 768$'
is "in steps" "$(run -p $p -e 'step 100' -e 'step 3 event' -e next -e 'step 1' -e 'until gate' -e finish \
	-e 'info digest' | tail -n 1)" "$end"
is "without skipping idle cycles" "$(run -p $p -o run.skip=off -e run -e 'info digest' | tail -n 1)" "$end"
is "run again" "$(run -p $p -e run -e run -e 'info digest' | tail -n 1)" "$end"
is "by way of a checkpoint" "$(run -p $p -e 'advance 700' -e 'checkpoint a' -e 'step 900' -e 'restore a' -e finish \
	-e 'info digest' | tail -n 1)" "$end"
is "a checkpoint taken under another policy" "$(run -p $p -e 'advance 700' -e 'checkpoint a' -e 'set policy rr' \
	-e 'step 300' -e 'restore a' -e finish -e 'info digest' | tail -n 1)" "$end"
is "a file of another spelling is the same policy" "$(run -p "$PWD/half.so:period=256,high=60+static:n=2" -e run \
	-e 'info digest' | tail -n 1)" "$end"
is "and is loaded once" "$(run -p $p -e "set policy $PWD/half.so" -e 'show policy' -e 'set policy half+claso' \
	-e 'show policy')" "./half.so
./half.so+claso"
out=$(run -p claso -e 'step 500' -e 'set policy dyncta+half.so:period=256 + claso' -e 'show policy' -e 'until drain' \
	-e 'set policy claso' -e 'show policy' -e finish -e 'assert gpu.ctas_done == 300')
like "stacked in the middle of a run" "$out" '^dyncta\+half.so:period=256\+claso$'
like "with a hand-over" "$out" '^policy claso -> dyncta\+half.so.*half starts as at a kernel launch'
like "and back" "$out" '^policy dyncta\+half.so.* -> claso: .*lost the state of dyncta, half'
is "a stop on its numbers outlives it" "$(run -p $p -e 'break drain if $waiting > 60' -e 'set policy rr' -e 'step 10' \
	-e 'set policy half' -e run | grep -c '^stopped: drain')" 1
run -p $p -o half.high=33 --print-config >config
is "print-config keeps file and values" "$(grep -E '^set (policy|half)' config)" "set policy $p
set half.period 256
set half.high 33"
is "and -c takes them back" "$(run -c config -e 'show half.high')" "half.high = 33"
like "it is in the list of policies" "$(run -p $p --list-policies | tail -n 1)" '^half  +every second core'
like "and of options" "$(run -p $p --list-options | tail -n 1)" '^half.high +60 '
is "but not for others" "$(run --list-policies | grep -c '^half ')" 0
mkdir -p 'c++ a:b'
cp half.so 'c++ a:b/half.so'
is "folders may hold any character" "$(run -p './c++ a:b/half.so:high=50+claso' -e 'show policy')" \
	'./c++ a:b/half.so:high=50+claso'

# ---- what it may leave out
sed 's/&(struct reason){.*/0);/' half.c | sed 's/h->resting ? CORE_OFF : CORE_ACTIVE,$/h->resting ? CORE_OFF : CORE_ACTIVE,/' >mute.c
sed -i 's/.name = "half"/.name = "mute"/; s/^	return CYCLE_NEVER;$/	x->call->publish(x, EV_LIMIT, -1, 0);\n&/' mute.c
ok "a policy that gives no reasons compiles" build mute.c
out=$(run -p ./mute.so:period=256,high=60+static:n=2 -e 'until drain' -e why -e run -e 'dump csv decisions -' -e 'info digest')
is "it runs" "$?" 0
like "and its reason is unknown" "$out" ',gate,[0-9]+,,,mute,unknown,'

# ---- a policy that schedules warps: of eight CTAs a young one ends first, under gto an old one
cp "$example/youngest.c" . && ok "the example with warps compiles without a warning" build youngest.c
"${AWK:-awk}" -v ctas=300 -v warps=2 -v loads=1 -v adds=400 -v apart=128 -f "$srcdir/tests/loads.awk" >adds.traceg
first() { "$c" -b -n adds.traceg -w gto -o gpu.clusters=1 -o gpu.cores_per_cluster=1 "$@" -e 'until cta-done' </dev/null 2>&1; }
like "gto prefers the oldest" "$(first -p rr)" ': CTA [0-3] leaves'
like "the policy the youngest" "$(first -p ./youngest.so)" ': CTA [4-7] leaves'
is "asked in every cycle, whichever units are visited" "$(run -p ./youngest.so -o run.skip=off -e 'step 900' -e 'info digest')" \
	"$(run -p ./youngest.so -e 'step 900' -e 'info digest')"

# ---- a policy that chooses between kernels: the second one of pair has fewer CTAs, and goes first
cp "$example/fewest.c" . && ok "the example with kernels compiles without a warning" build fewest.c
pair() { "$c" -b -n "$srcdir/traces/pair.ctr" -o gpu.concurrent_kernels=2 "$@" </dev/null 2>&1; }
out=$(pair -p ./fewest.so -e 'until cta-issue' -e why -e 'advance 20000' -e 'print kernel.1.first_cta' \
	-e 'print kernel.2.first_cta' -e 'why not 0' -e 'info digest')
like "its rule is that of the issue" "$out" '^stopped: cta-issue, kernel 2, core 0, cycle 1: CTA 0 of the kernel with 60 CTAs left, the fewest$'
like "the policy is named" "$out" 'decided by fewest, rule fewest'
like "the second kernel begins" "$out" '^kernel.2.first_cta = 1$'
like "the first one follows" "$out" '^kernel.1.first_cta = [2-9]$'
like "why not is its refusal" "$out" 'policy fewest: there is no room for a CTA of any of 1 kernels$'
is "the same, whichever units are visited" "$(pair -p ./fewest.so -o run.skip=off -e 'advance 20000' -e 'info digest')" \
	"$(pair -p ./fewest.so -e 'advance 20000' -e 'info digest')"
is "and after going back" "$(pair -p ./fewest.so -e 'advance 20000' -e 'goto 5000' -e 'advance 20000' -e 'info digest' | tail -n 1)" \
	"$(pair -p ./fewest.so -e 'advance 20000' -e 'info digest' | tail -n 1)"
like "gpu.kernel_share no longer decides" "$(pair -p ./fewest.so -o gpu.kernel_share=spatial -e 'advance 100' -e 'print kernel.1.first_cta')" \
	'^kernel.1.first_cta = [2-9]$'
sed 's/"fewest"/"second"/' fewest.c >second.c && build second.c
like "two of them cannot be stacked" "$(pair -p ./fewest.so+./second.so)" 'both decide which kernel a CTA is taken from'
sed '/\.role/d' fewest.c >norole.c && build norole.c
like "the hook needs the role" "$(pair -p ./norole.so)" 'next_kernel\(\) needs CTA_ROLE_KERNEL'
is "one kernel at a time: it is not asked" "$("$c" -b -n "$w" -p ./fewest.so -e 'advance 3000' -e 'print gpu.ctas_done' 2>&1)" \
	"$("$c" -b -n "$w" -p rr -e 'advance 3000' -e 'print gpu.ctas_done' 2>&1)"

# ---- the other example: a gauge and a credit register are all that the pictures know of it
cp "$example/quota.c" . && ok "the example with credits compiles without a warning" build quota.c
q=./quota.so:period=2000,quota=1
like "what is spent is said by its rule, what became of it by the host" "$(run -p $q -e 'until credit')" \
	'^stopped: credit, core [0-9]+, cycle 1: credits 1 -> 0 of 1, CTA [0-9]+ granted$'
out=$(run -p $q -e 'step 600' -e 'why not 0' -e 'info credits' -e 'info policy' -e 'print credits.local.0' \
	-e 'dump csv cores -' -e next -e why -e 'dump csv gauges -' -e 'dump csv series -')
like "why not calls it a credit" "$out" \
	'^core 0 takes no CTA \(local credit\): policy quota: all 1 credits are spent for CTA [0-9]+ to wait$'
like "info credits lists the cores" "$out" '^ +0 +0 +1 +0 +local credit$'
like "info policy has its gauge" "$out" '^taken +1 +- +- +1 +CTAs +CTAs the core took in the period$'
like "its register has the path of all credits" "$out" '^credits.local.0 = 0$'
like "why tells what it weighed" "$out" '^  weighed    taken 1 CTAs, quota 1$'
like "dump csv gauges, now and then" "$out" '^1,2000,1,quota,taken,CTAs,0,1,,1,2000,1,,1$'
like "no register is shared" "$(run -p $q --keep-going -e 'step 1' -e 'print credits.global')" \
	'no policy of the stack has credits that all cores share$'
like "a policy that comes with the program is an example of credits" \
	"$(run -p rr --keep-going -e 'step 1' -e 'print credits.local.0')" \
	"'credits.local.0' needs a policy with credits in the stack, such as [a-z]+ \(the stack is rr\)\$"
like "half has a gauge of the GPU" "$(run -p $p -e 'next 2' -e 'dump csv gauges -')" \
	'^1,512,1,half,waiting,%,,0,,60,512,[0-9]+,,60$'

# ---- in a source tree, where nothing is installed
mkdir -p "$tmp/tree/examples"
cp -r "$example" "$tmp/tree/examples/"
ln -s "$(cd "$src" && pwd)/include" "$tmp/tree/include"
ok "the example's Makefile builds it in a source tree" env PKG_CONFIG_LIBDIR="$tmp" \
	${MAKE:-make} -C "$tmp/tree/examples/policy" half.so CC="${CC:-cc}"

# ---- as installed
if command -v pkg-config >/dev/null && [ -e "$builddir/Makefile" ]; then
	ok "headers, ctascope.pc and the example are installed" ${MAKE:-make} -C "$builddir" \
		install-policyincludeHEADERS install-nodist_pkgconfigDATA install-dist_policyexampleDATA \
		"DESTDIR=$tmp/root"
	pc=$(find "$tmp/root" -name ctascope.pc)
	ex=$(find "$tmp/root" -path '*examples/policy')
	is "ctascope.pc names the folder of the examples" \
		"$tmp/root$(PKG_CONFIG_PATH=${pc%/*} pkg-config --variable=examplesdir ctascope)" "$ex"
	ok "the example's Makefile builds it" env PKG_CONFIG_PATH="${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$tmp/root" \
		${MAKE:-make} -C "$ex" half.so CC="${CC:-cc}"
	is "it runs the same" "$(run -p "$ex/half.so:period=256,high=60+static:n=2" -e run -e 'info digest' | tail -n 1)" "$end"
	echo '#include <ctascope/cta_sched.h>' >alone.c
	# shellcheck disable=SC2046,SC2086 # lists of words
	ok "the header needs no other" ${CC:-cc} -std=c17 -Wall -Wextra -pedantic -Werror -fsyntax-only $(
		PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$tmp/root pkg-config --cflags ctascope) alone.c
else
	skip "as installed" "no pkg-config, or not in a build"
fi

# ---- what is refused, each with one line
head='#include <ctascope/cta_sched.h>
static const struct rule r[] ATTR_UNUSED = {{"r", "r", .value = {0}}};
static cycle_t per(const struct cta_ctx *x) { (void)x; return 64; }
static cycle_t act(struct cta_ctx *x, unsigned w) { (void)x; (void)w; return CYCLE_NEVER; }
static void dec(struct cta_ctx *x, unsigned c, struct cta_decision *d) { (void)x; (void)c; d->why.rule = 0; }
static void rd(const struct cta_ctx *x, unsigned c, struct cta_reading *v) { (void)x; (void)c; v->value = 1; }
extern void (*const unused[])(void);
void (*const unused[])(void) = {(void (*)(void))per, (void (*)(void))act, (void (*)(void))dec, (void (*)(void))rd};'
policy() { # FILE.c, name, members, what stands in front: a policy, built
	printf '%s\n%s\nconst struct cta_sched_ops ctascope_policy = {.abi = CTA_SCHED_ABI, .name = %s, %s};\n' \
		"$head" "$4" "$2" "$3" >"$1"
	build "$1" >log 2>&1 || diag "$(cat log)"
}
n=0
refused_file() { # what it is, what the message says after the path: bad$n.so
	is "$1" "$("$c" -b -n "$w" -p ./bad$n.so -e 'print 1' 2>&1; echo $?)" "ctascope: policy './bad$n.so': $2
2"
}
refused() { # what it is, message, members, what stands in front, help
	n=$((n + 1))
	policy bad$n.c '"bad"' "${5-.help = \"h\",} $3" "$4"
	refused_file "$1" "$2"
}
refused_name() { # name as in C, message
	n=$((n + 1))
	policy bad$n.c "$1" '.help = "h"'
	refused_file "the name $1" "$2"
}
policy good.c '"bad"' '.help = "h", .rules = r, .n_rules = 1, .act = act, .period = per'
is "what the refused ones are made from is taken" "$(run -p ./good.so -e 'print 1')" "1 = 1"
abi=$(sed -n 's/^#define CTA_SCHED_ABI //p' "$src/include/ctascope/cta_sched.h")
for n in 1 2; do
	sed "s/= CTA_SCHED_ABI/= $n/" good.c >bad$n.c
	build bad$n.c
	refused_file "interface $n" \
		"it was built for interface $n, but this program has $abi; rebuild it with the headers of this version"
done
# What interface 2 began with: nothing but its first field may be looked at.
n=2
cat >bad2.c <<'END'
#include <stdint.h>
const struct { uint32_t abi, role; const char *name, *help, *with; const void *rules; unsigned n_rules; }
	ctascope_policy = {2, 0, "bad", "h", 0, 0, 0};
END
build bad2.c
refused_file "a struct of interface 2" \
	"it was built for interface 2, but this program has $abi; rebuild it with the headers of this version"
n=3
sed 's/ctascope_policy/my_policy/' good.c >bad3.c
build bad3.c
refused_file "no such symbol" "not a policy: it exports no 'const struct cta_sched_ops ctascope_policy'"
refused_name 0 "it has no name"
for name in Bad 9bad bad-1 '' bad.x "$(printf 'a%031d' 0)"; do
	refused_name "\"$name\"" "its name is '$name', expected a-z first, then a-z, 0-9 and _, at most 31 characters"
done
for name in host l1d run color; do
	refused_name "\"$name\"" "its name '$name' has another meaning in ctascope"
done
refused_name '"claso"' "its name 'claso' is that of a policy of ctascope"
refused "no help" "it has no help: a line that says what the policy does" '.role = 0' '' ''
null='a table is NULL, but its number of rows (n_rules, n_opts, n_fields, n_gauges) is not 0'
refused "no rules" "$null" '.n_rules = 1'
refused "no rows" "$null" '.n_opts = 1'
refused "no fields" "$null" '.n_fields = 1'
refused "too many rules" "it has more than 255 rules, parameters or fields" '.rules = r, .n_rules = 256'
refused "a rule without a sentence" "rule 0 has no name or no sentence" '.rules = q, .n_rules = 1' \
	'static const struct rule q[1] = {{"x", 0, .value = {0}}};'
q='static const struct rule q[1] = {{"x", '
refused "a sentence with a name of nothing" \
	"rule 'x' says {waitng}, which is not one of its values, nor core, cta, slot, resident or outcome" \
	'.rules = q, .n_rules = 1' "$q \"{core}, {waiting}: {waitng}\", .value = {\"waiting\"}}};"
refused "a name without its end" "rule 'x' says {waiting, which is not one of its values, nor core, cta, slot, resident or outcome" \
	'.rules = q, .n_rules = 1' "$q \"{waiting\", .value = {\"waiting\"}}};"
refused "a refusal that is the host's" "rule 'x' refuses with a reason that only the host may give" \
	'.rules = q, .n_rules = 1' "$q \"x\", .refuses = REFUSE_THREADS}};"
refused "no gauges" "$null" '.n_gauges = 1'
front='static const struct cta_gauge q[] = {'
refused "a gauge without help" "gauge 0 has no name, no unit or no help" '.gauges = q, .n_gauges = 1, .read = rd' \
	"$front {\"x\", \"\", .per_core = true}};"
refused "a gauge that nobody reads" "gauges need read(), and read() needs gauges" '.gauges = q, .n_gauges = 1' \
	"$front {\"x\", \"\", \"h\", .per_core = true}};"
refused "a reader without gauges" "gauges need read(), and read() needs gauges" '.read = rd'
refused "too many gauges" "it has more than 4 gauges" '.gauges = q, .n_gauges = 5, .read = rd' \
	"$front {\"x\", \"\", \"h\", .per_core = true}};"
refused "a period for nothing" "period() has no use without decide() or act()" '.rules = r, .n_rules = 1, .period = per'
refused "decide without period" "decide() is never called without period()" '.rules = r, .n_rules = 1, .decide = dec'
refused "decisions without rules" "it decides, but has no rules that say why" '.act = act'
refused "an unknown role" "its role has unknown bits" '.role = 8'
large='its state is too large: at most 65536 bytes and 512 per core'
refused "a choice of kernels without its role" "next_kernel() needs CTA_ROLE_KERNEL, and CTA_ROLE_KERNEL needs next_kernel()" '.role = 4'
refused "too much state" "$large" '.state_size = 65544'
refused "too much per core" "$large" '.core_size = 520'
refused "a crooked state" "state_size is not a multiple of 8, but the cores' part follows it" \
	'.core_size = 8, .state_size = 4'

front='struct o { opt_u32 a; opt_f64 b; opt_enum e; };
static const char *const two[] ATTR_UNUSED = {"x", "y", 0};
static const struct opt_row q[] = {'
o='.opts = q, .n_opts = ARRAY_LEN(q), .opts_size'
a='CTA_PARAM(struct o, a, u32, 1, 0, 9, "", "h")'
policy opts.c '"bad"' ".help = \"h\", $o = sizeof(struct o)" "$front $a,
CTA_PARAM(struct o, b, f64, 1, 0, 9, \"\", \"h\"), CTA_PARAM_ENUM(struct o, e, 1, two, \"h\")};"
is "parameters of every kind are taken" "$(run -p ./opts.so:e=x,a=9 -e 'show bad.e' -e 'show bad.a' -e 'show bad.b')" \
	"bad.e = x
bad.a = 9
bad.b = 1"
refused "no size of parameters" "it has parameters, but opts_size is 0" "$o = 0" "$front $a};"
refused "too many parameters" "opts_size is above 65536 bytes" "$o = 1 << 20" "$front $a};"
refused "a parameter beyond its struct" "parameter 'a' is outside of its struct of opts_size 2" "$o = 2" "$front $a};"
o="$o = sizeof(struct o)"
refused "a crooked parameter" "parameter 'a' is outside of its struct of opts_size 24" "$o" \
	"$front {.name = \"a\", .offset = 2, .max = 9, .unit = \"\", .help = \"\"}};"
refused "a parameter twice" "two parameters have the name 'a'" "$o" "$front $a, $a};"
refused "a parameter's name" "parameter 0 has no name made of a-z, 0-9 and _" "$o" "$front {.name = \"A\"}};"
refused "a parameter's help" "parameter 'a' has no unit or no help" "$o" "$front {.name = \"a\", .unit = \"\"}};"
refused "a default out of range" "the default 10 of parameter 'a' is not within 0..9" "$o" \
	"$front CTA_PARAM(struct o, a, u32, 10, 0, 9, \"\", \"h\")};"
refused "values without names" "parameter 'e' has more values than names" "$o" \
	"$front {.name = \"e\", .type = OPT_T_enum, .max = 2, .names = two, .unit = \"\", .help = \"\"}};"
printf '%s\n%s %s};\n' "$head" "$front" 'CTA_PARAM(struct o, b, u32, 1, 0, 9, "", "h")' >size.c
like "a parameter of another size than its member does not compile" "$(build size.c 2>&1)" 'error'

front='struct o { uint32_t a, b; };
static const struct cta_field q[] = {'
f='.fields = q, .n_fields = ARRAY_LEN(q), .state_size'
refused "a field beyond the state" "field 'b' is outside of the state of state_size 4" "$f = 4" \
	"$front CTA_FIELD(struct o, b, u32, \"\", \"h\")};"
refused "a field of no core" "field 'b' is outside of the state of core_size 0" "$f = 8" \
	"$front CTA_FIELD_CORE(struct o, b, u32, \"\", \"h\")};"
refused "a field without a unit" "field 'b' has no unit or no help" "$f = 8" \
	"$front CTA_FIELD(struct o, b, u32, 0, \"h\")};"
refused "a field's name" "field 0 has no name made of a-z, 0-9 and _" "$f = 8" "$front {.name = \"a b\"}};"
refused "a field without names" "field 'b' has no names of its values" "$f = 8" \
	"$front CTA_FIELD_ENUM(struct o, b, 0, \"h\")};"
policy calls.c '"bad"' '.help = "h"' 'void sim_new(void); extern void (*call)(void); void (*call)(void) = sim_new;'
is "nothing of the program can be called" "$(run -p ./calls.so)" \
	"ctascope: policy './calls.so': undefined symbol: sim_new"
echo text >text.so
for bad in nosuch.so ./nosuch.so ./text.so ./ ./good.c; do
	like "no shared object: $bad" "$(run -p "$bad")" "^ctascope: policy '$bad': [^.].+\$"
done
sed 's/"bad"/"half"/' good.c >twin.c
build twin.c
is "two files of one name" "$(run -p ./half.so+./twin.so)" \
	"ctascope: policy './twin.so': its name 'half' is that of the policy of ./half.so"
is "stacked twice" "$(run -p "./half.so+$PWD/half.so")" "ctascope: policy 'half' is stacked twice"
sed 's/.name = "bad"/.name = "over", .with = "half"/' good.c >over.c
build over.c
is "one that builds on another finds it" "$(run -p ./half.so -e 'set policy ./over.so' -e 'show policy')" "./half.so+./over.so"
is "or says that it is missing" "$(run -p ./over.so)" \
	"ctascope: policy 'over' needs the policy 'half', which is not known"
is "a refused one changes nothing" "$(run -p $p -e 'step 500' --keep-going -e 'set policy ./bad1.so' -e finish \
	-e 'info digest' | tail -n 1)" "$end"
sed 's/return 64;/return 0;/; s/\.act = act/.decide = dec/' good.c >never.c
build never.c
is "a period of 0 never ends" "$(run -p ./never.so -e 'step 100' -e 'info core' | grep -c 'period')" 0
sed 's/\.act = act/.decide = dec/' good.c >often.c
build often.c
is "one of 64 does" "$(run -p ./often.so -e 'step 100' -e 'info core' | grep -c 'period')" 1
like "and is decided upon" "$(run -p ./often.so -e run -e 'dump csv decisions -')" '^1,64,1,[0-9]+,period,0,,,bad,r,'
long=$(printf './%0254d.so' 0)
like "a path too long is an error" "$(run -p "$long")" '^ctascope: the path of the policy is too long'

# ---- one that ends the program: while it is loaded a child takes it, later it is named
ends() { # FILE.c, what it does, constructor or act: a policy, built
	if [ "$3" = act ]; then
		sed "s/^static cycle_t act(.*{/&$2/; 1i #include <stdlib.h>" good.c >"$1"
	else
		{ echo '#include <stdlib.h>' && cat good.c; } >"$1"
		echo "__attribute__(($3)) static void ends(void) { $2 }" >>"$1"
	fi
	build "$1" >log 2>&1 || diag "$(cat log)"
}
fault='__builtin_trap();'
ends load_exit.c 'exit(0);' constructor
ends load_abort.c 'abort();' constructor
ends load_fault.c "$fault" constructor
ends drop_exit.c 'exit(0);' destructor
ends load_quick.c '_Exit(0);' constructor
ends run_exit.c 'exit(0);' act
ends run_abort.c 'abort();' act
ends run_fault.c "$fault" act
ends_with() { # what, policy, status, message
	out=$("$c" -b -n "$w" -p "./$2.so" -e run -e 'print 1' 2>&1 </dev/null)
	is "$1: the status" $? "$3"
	is "is said" "$(printf '%s\n' "$out" | grep "policy './$2.so'")" "ctascope: policy './$2.so'$4"
}
ends_with "exit() while it is loaded" load_exit 2 ": it called exit() while loading"
ends_with "_Exit() while it is loaded" load_quick 2 ": it ended the program while loading"
ends_with "exit() while it is unloaded" drop_exit 2 ": it called exit() while loading"
ends_with "abort() while it is loaded" load_abort 2 ": it crashed while loading: signal 6 (Aborted)"
like "a fault while it is loaded" "$(run -p ./load_fault.so)" \
	"^ctascope: policy './load_fault.so': it crashed while loading: signal [0-9]+ \\("
is "the session goes on" "$(run -p rr --keep-going -e 'set policy ./load_exit.so' -e 'set policy ./load_fault.so' -e 'print 1' |
	tail -n 1)" "1 = 1"
ends_with "exit(0) in a run" run_exit 1 " ended the program by calling exit()"
san=$(nm -D "$c" 2>/dev/null | grep -c __asan_init)
if [ "$san" -eq 0 ]; then # a sanitizer ends a fault by a status of its own
	ends_with "abort() in a run" run_abort 134 ", or a function that it called, ended the program: abort()"
	is "a fault in a run" "$(run -p ./run_fault.so -e run | grep policy)" \
		"ctascope: policy './run_fault.so', or a function that it called, ended the program: a fault"
fi
printf 'workload %s\npolicy rr ./run_exit.so\n' "$w" >ends.sweep
out=$("$c" sweep ends.sweep -q 2>err)
is "in a sweep it is the failure of its run: the status" $? 1
is "the other one is good" "$(printf '%s\n' "$out" | cut -d, -f 1,4,6)" "run,policy,status
1,rr,ok
2,./run_exit.so,crash"
like "it is named" "$(cat err)" "^ctascope: policy './run_exit.so' ended the program by calling exit\\(\\)"
printf 'workload %s\npolicy rr ./load_exit.so\n' "$w" >ends.sweep
out=$("$c" sweep ends.sweep -q 2>&1)
like "one that cannot be loaded is a mistake in the sweep" "$? $out" "2 .*policy './load_exit.so': it called exit\\(\\) while loading"
# ---- read again
cp "$example/half.c" half.c && build half.c
cp half.so first.so
sed 's/"crowded"/"full"/' half.c >second.c && build second.c
damage() { # FILE, STATEMENT: the second version, which does that from cycle 9000 on
	sed "s/const struct half_opts \*o = x->opts;/& if (x->gpu->cycle > 9000) { $2 }/; 1i #include <stdlib.h>" second.c >"$1.c"
	build "$1.c"
}
damage crash "$fault"
damage leave 'exit(0);'
again() { # lines of a session under half.so
	"$c" -b -n "$w" -p ./half.so:period=256,high=60 --keep-going "$@" 2>&1 </dev/null
}
second='shell cp second.so new && mv new half.so'
is "a file that has not changed" "$(again -e 'policy reload')" \
	"the policy files of the stack ./half.so:period=256,high=60 have not changed"
out=$(again -e 'advance 3000' -e 'set half.high 55' -e "$second" -e 'policy reload' -e 'show policy' -e 'until drain' \
	-e why -e undo -e 'until drain' -e why)
like "one that has is another version from here on" "$out" \
	'^policy ./half.so:period=256,high=60 -> ./half.so@2:period=256,high=55: .*half_2 starts as at a kernel launch'
like "its decisions are those of the new code" "$out" '^  decided by half_2, rule full$'
like "undo says that the version before holds" "$out" '^policy is ./half.so:period=256,high=60 again'
like "and its code does" "$out" '^  decided by half, rule crowded$'
cp first.so new && mv new half.so
like "policy.is() of its name holds for each version, of a version for that one" "$(again -e 'advance 300' -e "$second" -e 'policy reload' \
	-e 'print policy.is(half)' -e 'print policy.is(half_2)' -e undo -e 'print policy.is(half)' -e 'print policy.is(half_2)' |
	grep -o '= [01]$' | tr -d '\n')" '^= 1= 1= 1= 0$'
cp first.so half.so
digests=$(again -e 'advance 1900' -e 'info digest' -e 'advance 2000' -e "$second" -e 'policy reload' -e 'advance 4000' \
	-e 'goto 1000' -e 'goto 1900' -e 'info digest' |
	grep -E '^[0-9a-f]{16}$' | sort -u | wc -l)
is "the past is made again by the code that made it" "$digests" 1
cp first.so new && mv new half.so
out=$(again -e 'advance 2000' -e "$second" -e 'policy reload' -e 'race ./half.so,./half.so@2')
like "both versions race" "$out" '^ *\./half.so@2:period=256,high=60 +[0-9,]+ '
cp first.so new && mv new half.so
out=$(again -e 'advance 2000' -e "$second" -e 'goto 1000' -e 'policy reload' -e 'set policy ./half.so')
like "in the past it begins a branch" "$out" '^branch b2 from main at 1,000: policy ./half.so.* -> ./half.so@2'
like "set says that a version is old" "$out" '^./half.so is an older version of the policy; the newest one is ./half.so@2$'
cp first.so new && mv new half.so
out=$(again -e 'set policy rr' -e 'set policy ./half.so' -e "$second" -e 'set policy ./half.so')
is "set says once that the file has changed" "$(printf '%s\n' "$out" | grep -c "^./half.so has changed since it was loaded; 'policy reload' loads it again$")" 1
for bad in crash leave; do
	cp first.so new && mv new half.so
	out=$(again -e 'advance 2000' -e "shell cp $bad.so new && mv new half.so" -e 'policy reload' -e 'advance 12000' -e 'show policy')
	like "a child takes the $bad" "$out" "^ctascope: policy '[^']*half.so@2:period=256,high=60': it .* in a trial run of the next 20,000 cycles"
	like "and the session goes on" "$out" '^stopped: cycle 12,000$'
	like "under the version before" "$out" '^./half.so:period=256,high=60$'
done
cp first.so new && mv new half.so
at=$(grep -abo crowded half.so | sed 's/:.*//;q')
like "a file overwritten in place is refused" "$(again -e 'advance 10' \
	-e "shell printf C | dd of=half.so bs=1 seek=$at conv=notrunc 2>dd.log" -e 'policy reload')" \
	"^ctascope: policy './half.so': the file was overwritten in place"
cp first.so new && mv new half.so
out=$(again -e 'advance 2000' -e "$second" -e 'policy reload' -e 'save old.session' -e 'load old.session' \
	-e 'shell cp first.so new && mv new half.so' -e 'load old.session')
like "save says what load will need" "$out" '^the run uses an older version of ./half.so, which is no longer on disk'
is "load refuses any other file" "$(printf '%s\n' "$out" | grep -c 'ctascope: old.session: the policy ./half.so.* is another file now')" 2
cp first.so new && mv new half.so
out=$(again -e "$second" -e 'policy reload' -e 'advance 2000' -e 'save new.session' -e 'load new.session' -e 'show policy')
like "at cycle 0 the run begins with the new version, and can be loaded" "$out" '^loaded new.session: cycle 2,000, policy ./half.so@2:'
printf '%s\n' '# ctascope sequence - one' 'kernel 1' '0 3' '3000 2' >limits
out=$(again -e 'set policy ./limits' -e 'advance 3500' -e 'print core.0.n' -e "shell sed 's/ 2\$/ 1/' limits >new && mv new limits" \
	-e 'goto 2000' -e 'policy reload' -e 'advance 5500' -e 'print core.0.n' -e 'switch main' -e 'goto 3500' -e 'print core.0.n' -e 'set policy rr' -e 'policy reload')
is "a sequence, too, is read again" "$(printf '%s\n' "$out" | grep '^core.0.n')" "core.0.n = 2
core.0.n = 1
core.0.n = 2"
like "a stack without files has none" "$out" '^ctascope: the stack rr has no policy that is a file$'
like "in a race it is that of its lane" "$("$c" -b -n "$w" --versus ./run_exit.so 2>&1 </dev/null)" \
	'^ctascope: \./run_exit.so failed: its process ended with status 1$'

# ---- as a warp scheduler (src/sim/config_warps.c)
cp "$example/youngest.c" . && ok "the warp scheduler compiles without a warning" build youngest.c
digest() { run "$@" -e run -e 'info digest' | tail -n 1; }
stacked=$(digest -p dyncta+./youngest.so)
is "-w FILE is the last policy of the stack" "$(digest -w ./youngest.so -p dyncta)" "$stacked"
is "so is -o" "$(digest -o gpu.warp_sched=./youngest.so -p dyncta)" "$stacked"
is "so is set, before the stack" "$(digest -e 'set warp-sched ./youngest.so' -e 'set policy dyncta')" "$stacked"
is "named twice, it is there once" "$(digest -w ./youngest.so -p dyncta+./youngest.so)" "$stacked"
is "a scheduler of the program takes its place" "$(digest -w ./youngest.so -w gto)" "$(digest -w gto)"
is "it is shown, and the stack is that of the CTAs" \
	"$(run -w ./youngest.so -p dyncta -e 'show gpu.warp_sched' -e 'show warp-sched' -e 'show policy')" \
	"gpu.warp_sched = ./youngest.so
./youngest.so
dyncta"
is "print-config keeps it" "$(run -w ./youngest.so --print-config | grep gpu.warp_sched)" "set gpu.warp_sched ./youngest.so"
# Four warps of additions that depend on nothing: under gto the first one leads, here the last.
"${AWK:-awk}" -v ctas=1 -v warps=4 -v loads=0 -v adds=60 -v apart=128 -f "$src/tests/loads.awk" |
	"${AWK:-awk}" '/FADD/ { k = n++ % 4; $1 = sprintf("%04x", 16 * k); $4 = "R" 8 + k; $7 = "R1"; $8 = "R2" } { print }' >free.traceg
leads() { # warp scheduler: is warp 0 or warp 3 ahead?
	"$c" -b -n free.traceg -w "$1" -o core.simt_width=32 -e 'advance 480' -e 'info warps' 2>&1 |
		"${AWK:-awk}" '$1 ~ /^0\./ { split($6, n, "/"); done[substr($1, 3)] = n[1] }
			END { lead = done[0] - done[3]; print (lead > 20 ? "oldest" : lead < -20 ? "youngest" : "none") }'
}
is "the youngest warp leads" "$(leads ./youngest.so)" youngest
is "under gto the oldest" "$(leads gto)" oldest
is "under lrr none" "$(leads lrr)" none
out=$(run -w ./youngest.so -e 'advance 3000' -e 'set policy dyncta' -e 'advance 6000' -e undo -e 'info digest' -e 'save w.session' -e 'load w.session' -e 'info digest')
is "it stays when the stack changes, and in a saved session" "$(printf '%s\n' "$out" | grep -E '^[0-9a-f]{16}$' | uniq | wc -l)" 1
like "a resumed session has it" "$("$c" -b -n --resume w.session -e 'show warp-sched' 2>&1)" '^\./youngest.so$'
like "during a run it is fixed" "$(run -w ./youngest.so -e 'advance 10' -e 'set warp-sched lrr')" "the warp scheduler is fixed for the run; 'start' begins a new run"
like "policy reload says so" "$(run -w ./youngest.so -e 'policy reload')" \
	'^ctascope: the warp scheduler ./youngest.so is fixed for the run; .* set policy rr\+./youngest.so$'
printf 'workload %s\npolicy rr dyncta\nwarp-sched gto ./youngest.so\n' "$w" >warps.sweep
is "in a sweep it has rows of its own" "$("$c" sweep warps.sweep -q -j 1 | cut -d, -f 4-6 | tail -n +2)" "rr,gto,ok
rr,./youngest.so,ok
dyncta,gto,ok
dyncta,./youngest.so,ok"
sed 's/\.name = "youngest"/&, .warp_sched = "owl"/' youngest.c >on_owl.c && build on_owl.c
is "under the scheduler that it assumes" "$(digest -w ./on_owl.so)" "$(digest -p rr+./youngest.so -w owl)"
sed 's/\.name = "youngest"/&, .warp_sched = "lxx"/' youngest.c >on_lxx.c && build on_lxx.c
like "which must be one" "$(run -w ./on_lxx.so)" "assumes the warp scheduler 'lxx', which is not known$"
like "a policy for CTAs is none" "$(run -w ./half.so)" "^ctascope: warp scheduler './half.so': it orders no warps"
sed 's/\.name = "youngest"/&, .pauses = true/' youngest.c >pauses.c && build pauses.c
like "nor is one that does both" "$(run -w ./pauses.so)" "decides about CTAs, too, so it belongs into the stack: set policy ./pauses.so$"
like "a full stack has no room" "$(run -w ./youngest.so -p dyncta+claso+bcs+swl)" 'the stack is full: at most 4 policies, with that of gpu.warp_sched'
like "in either order" "$(run -p dyncta+claso+bcs+swl -w ./youngest.so)" 'is full, at most 4 policies'
like "a name that nobody has" "$(run -w lxx)" "^ctascope: gpu.warp_sched: unknown choice 'lxx', expected .* or a policy file$"
sed 's|^#include.*|&\n#include <stdlib.h>|; s|uint64_t done = 0;.*|uint64_t done = 0; if (x->gpu->cycle == 500) exit(3);|' youngest.c >w_exit.c && build w_exit.c
like "one that ends the program is named" "$(run -w ./w_exit.so -e run)" "^ctascope: policy '[^']*' ended the program by calling exit\(\)"
done_testing
