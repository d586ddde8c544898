/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isa.c - every instruction in the index of the PTX manual (version 9.0): those that the decoder
 * does not know are exactly those that the manual page lists. Then unsupported forms of known
 * instructions, each of which is rejected by name.
 */
#include "rig.h"

static const char index_of_ptx[] =
	"abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra "
	"brev "
	"brkpt brx call clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta "
	"discard "
	"div dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld "
	"ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier membar min mma mov movmatrix "
	"mul "
	"mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux "
	"rem "
	"ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore "
	"stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex "
	"tld4 "
	"trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 "
	"vmax4 "
	"vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor";

/* Parses a kernel of one instruction; returns the message. */
static const char *
say(struct rig *r, const char *inst)
{
	char text[1024];

	rig_end(r);
	err_clear(&r->e);
	snprintf(text, sizeof(text), "%s%s ret;\n}\n", HEAD BEGIN ".reg .b16 %h<4>; ", inst);
	r->m = ptx_parse("test.ptx", text, strlen(text), &r->e);
	return r->m ? "" : r->e.msg;
}

/* The names in the line of the manual page after the comment that names this test, with a space
 * before and after each. */
static bool
page_names(char *to, size_t size)
{
	const char *top = getenv("srcdir");
	char path[512], line[1024];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/man/ctascope-record.1.in", top ? top : ".");
	f = fopen(path, "r");
	*to = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		if (found) {
			line[strcspn(line, "\n")] = '\0';
			snprintf(to, size, "%s ", line + strcspn(line, " "));
			break;
		}
		found = strstr(line, "tests/record/ptx/isa") != NULL;
	}
	if (f)
		fclose(f);
	return found;
}

static void
test_index(struct rig *r)
{
	char page[1024], name[64], want[120], inst[80], left[1024] = "";
	uint32_t known = 0;

	ok(page_names(page, sizeof(page)), "the page has the list");
	for (const char *p = index_of_ptx; *p; p += *p == ' ') {
		size_t n = strcspn(p, " ");

		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		snprintf(inst, sizeof(inst), "%s;", name);
		snprintf(want, sizeof(want), "instruction '%s' is not supported", name);
		p += n;
		if (!strstr(say(r, inst), want)) {
			known++;
			continue;
		}
		snprintf(left + strlen(left), sizeof(left) - strlen(left), " %s", name);
	}
	snprintf(left + strlen(left), sizeof(left) - strlen(left), " ");
	is_str(page, left, "what the page says is not known is what the decoder does not know");
	ok(known > 120, "%u are known", known);
}

static void
test_forms(struct rig *r)
{
	static const char *const forms[][2] = {
		{"wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned"},
		{"tcgen05.wait::ld.sync.aligned;", "tcgen05.wait"},
		{"multimem.red.global.add.f32 [%rd1], %r1;", "multimem.red"},
		{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2];",
		 ".tensor"},
		{"st.async.b32 [%rd1], %r1, [%rd2];", ".async"},
		{"suld.p.2d.b32.trap %r3, [%rd1, {%r1, %r2}];", "anything but .b"},
		{"ldmatrix.sync.aligned.m8n16.x1.b8x16.b6x16_p32 %r1, [%r2];", ".m8n16"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 %r1, %r2, %r3, %r4;", ".sp"},
		{"cvt.rn.satfinite.e2m1x2.f32 %h1, %r1, %r2;", ".e2m1x2"},
	};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		const char *said = say(r, forms[i][0]);

		if (!ok(strstr(said, forms[i][1]) && strstr(said, "not supported"), "refused: %s",
			forms[i][0]))
			diag("said: %s", said);
	}
}

/* Instructions for clusters (every CTA is one), caches, registers and launches. */
static const char hopper_ptx[] =
	".version 8.0\n.target sm_90\n.address_size 64\n" BEGIN
	".reg .b64 %pol; .shared .align 8 .b8 s[256]; mov.u32 %r4, s; shl.b32 %r5, %r3, 2;\n"
	"griddepcontrol.launch_dependents; griddepcontrol.wait;\n"
	"setmaxnreg.inc.sync.aligned.u32 232; setmaxnreg.dec.sync.aligned.u32 24;\n"
	"createpolicy.fractional.L2::evict_last.b64 %pol, 0f3F800000;\n"
	"createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %pol, 0.5;\n"
	"add.u32 %r6, %r4, %r5; mapa.shared::cluster.u32 %r7, %r6, 0;\n"
	"st.shared.u32 [%r7], %r3; mov.u32 %r8, %cluster_ctarank; mapa.shared::cluster.u32 %r9, s, "
	"%r8;\n"
	"cvta.shared.u64 %rd5, %rd6; getctarank.shared::cluster.u32 %r10, %r6;\n"
	"barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
	"barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n"
	"fence.proxy.async; fence.mbarrier_init.release.cluster; fence.acq_rel.cluster; "
	"fence.sc.gpu;\n"
	"mov.u32 %r11, %ntid.x; sub.u32 %r11, %r11, %r3; sub.u32 %r11, %r11, 1; shl.b32 %r11, "
	"%r11, 2;\n"
	"add.u32 %r11, %r11, %r9; ld.shared::cluster.u32 %r12, [%r11];\n"
	"mov.u32 %r13, %cluster_nctarank; add.u32 %r12, %r12, %r13; mov.u32 %r14, "
	"%cluster_ctaid.y;\n"
	"add.u32 %r12, %r12, %r14; add.u32 %r12, %r12, %r10;\n"
	"prefetch.global.L2::evict_last [%rd2]; prefetch.global.L1 [%rd2];\n"
	"ld.global.nc.L1::no_allocate.L2::128B.u32 %r15, [%rd2];\n"
	"ld.global.L1::evict_last.L2::cache_hint.u32 %r15, [%rd2], %pol;\n"
	"st.global.L2::cache_hint.u32 [%rd2], %r12, %pol; discard.global.L2 [%rd1+32768], 128;\n"
	"applypriority.global.L2::evict_normal [%rd1+32768], 128; ret;\n}\n";

static uint32_t
mirrored(uint32_t i)
{
	return i < 64 ? 63 - i + 1 : 0;
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_index(&r);
	test_forms(&r);
	rig_equal(&r, hopper_ptx, 64, mirrored, "a cluster of one CTA");
	FAILS(&r, 32, 0, KERNEL("mov.u32 %r4, 1; mapa.shared::cluster.u32 %r5, %r4, %r4; ret;\n"),
	      "mapa: CTA 1 of a cluster");
	FAILS(&r, 32, 0, KERNEL("mov.u32 %r4, 16; bar.sync %r4; ret;\n"),
	      "barrier 16 does not exist, expected 0 to 15");
	rig_end(&r);
	return done();
}
