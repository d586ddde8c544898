/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * foreign_pty.c - a user's policy calls exit() while the screen is shown: the terminal is restored,
 * the policy is named, the status is 1 and the automatic save remains.
 *
 * The policy is compiled here. It ends the program when a file appears, which the test creates when
 * there is an automatic save.
 */
#include "ctascope/base.h"
#include "tests/tap.h"
#include "tests/vth.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char policy[] =
	"#include <ctascope/cta_sched.h>\n"
	"#include <stdlib.h>\n"
	"#include <unistd.h>\n"
	"static const struct rule rules[] = {{\"r\", \"r\", .value = {0}}};\n"
	"static cycle_t act(struct cta_ctx *x, unsigned why)\n"
	"{\n"
	"	(void)x, (void)why;\n"
	"	if (access(\"now\", F_OK) == 0)\n"
	"		exit(0);\n"
	"	return x->gpu->cycle + 64;\n"
	"}\n"
	"const struct cta_sched_ops ctascope_policy = {.abi = CTA_SCHED_ABI, .name = \"ends\",\n"
	"	.help = \"ends the program\", .rules = rules, .n_rules = 1, .act = act};\n";

static struct vth h;

static bool
compile(void)
{
	const char *cc = getenv("CC"), *src = getenv("srcdir");
	char command[8400];
	FILE *f = fopen("ends.c", "w");

	if (!f)
		return false;
	fputs(policy, f);
	fclose(f);
	snprintf(command, sizeof(command),
		 "%s -std=c17 -shared -fPIC '-I%s/include' -o ends.so ends.c",
		 cc && *cc ? cc : "cc", src);
	return system(command) == 0;
}

static bool
is_saved(struct vth *v ATTR_UNUSED)
{
	glob_t g = {.gl_pathc = 0};
	bool found = glob("state/ctascope/autosave-*", 0, NULL, &g) == 0;

	globfree(&g);
	return found;
}

int
main(void)
{
	const char *program = getenv("CTASCOPE"), *data = getenv("CTASCOPE_DATADIR");
	char folder[] = "/tmp/ctascope-test.XXXXXX", state[200], data_dir[4200], top[4096];
	char *argv[] = {(char *)(uintptr_t)program,
			(char *)"--tui",
			(char *)"-n",
			(char *)"-o",
			(char *)"time.autosave=0.1",
			(char *)"-p",
			(char *)"./ends.so",
			(char *)"phase",
			NULL};
	char *env[] = {(char *)"TERM=xterm-256color",
		       (char *)"LC_ALL=C.UTF-8",
		       state,
		       data_dir,
		       (char *)"INPUTRC=/dev/null",
		       NULL};

	if (tap_skip(child_no_pty()))
		return done();
	if (!getenv("srcdir") || !program || !data || !realpath(getenv("srcdir"), top) ||
	    setenv("srcdir", top, 1) || !mkdtemp(folder) || chdir(folder) || !compile())
		return tap_skip("no compiler, or not under make check"), done();
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", folder);
	snprintf(data_dir, sizeof(data_dir), "CTASCOPE_DATADIR=%s", data);
	ok(vth_start(&h, 24, 80, argv, env) && vth_wait_text(&h, "quit", 20000), "it starts");
	vth_settle(&h);
	vth_send(&h, ":pace 5000 cycles/s\r ");
	if (!ok(vth_wait(&h, is_saved, 60000), "it runs, and saves"))
		vth_show(&h, stdout);
	close(open("now", O_CREAT | O_WRONLY, 0666));
	ok(vth_wait_exit(&h, 60000), "the policy calls exit(0)");
	ok(WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == 1, "the status is 1");
	ok(!h.alternate && h.cursor && vth_modes_restored(&h), "the terminal is restored");
	if (!ok(vth_find(&h, "policy './ends.so' ended the program by calling exit()") >= 0,
		"the policy is named"))
		vth_show(&h, stdout);
	ok(is_saved(&h), "the automatic save stays");
	vth_close(&h);
	if (system("rm -rf state now ends.c ends.so") == 0)
		rmdir(folder);
	return done();
}
