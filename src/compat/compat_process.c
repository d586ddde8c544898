/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compat_process.c - what a process learns of itself, of others, and of the code in it (compat.h).
 */
#define _GNU_SOURCE 1
#include "compat/compat.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif
#ifdef __FreeBSD__
#include <sys/procctl.h>
#include <sys/sysctl.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#else
#include <link.h>
#endif
#ifdef STATIC_PROGRAM
#elif __has_include(<execinfo.h>)
#include <execinfo.h>
#else
#include <unwind.h>
#endif

/* ---------------------------------------------------------------- the program */

/* As the system names it; NULL: it does not. */
static const char *
find_program(char buf[PATH_MAX])
{
#if defined __linux__
	ssize_t n = readlink("/proc/self/exe", buf, PATH_MAX - 1);

	if (n > 0) {
		buf[n] = '\0';
		return buf;
	}
	return (const char *)(uintptr_t)getauxval(AT_EXECFN); /* without /proc */
#elif defined __APPLE__
	uint32_t size = PATH_MAX;

	return _NSGetExecutablePath(buf, &size) == 0 ? buf : NULL;
#elif defined __FreeBSD__
	int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1};
	size_t size = PATH_MAX;

	return sysctl(name, 4, buf, &size, NULL, 0) == 0 ? buf : NULL;
#else
	(void)buf;
	return NULL;
#endif
}

bool
compat_program_path(char *buf, size_t size)
{
	char found[PATH_MAX];
	const char *path = find_program(found);
	char *real = path ? realpath(path, NULL) : NULL;
	int n;

	/* A program that was removed or replaced meanwhile still has its folder. */
	n = path ? snprintf(buf, size, "%s", real ? real : path) : -1;
	free(real);
	return n > 0 && (size_t)n < size;
}

unsigned
compat_processors(void)
{
#ifdef __linux__
	cpu_set_t set; /* which a batch system may have narrowed */

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 0 : (unsigned)n;
}

/* ---------------------------------------------------------------- processes */

void
compat_end_with_parent(int signo)
{
#if defined __linux__
	prctl(PR_SET_PDEATHSIG, signo);
#elif defined __FreeBSD__
	procctl(P_PID, 0, PROC_PDEATHSIG_CTL, &signo);
#else
	(void)signo;
#endif
}

/* ---------------------------------------------------------------- code in memory */

#ifdef STATIC_PROGRAM

/* There is no code but the program's own to be found in it, and gcc's unwinder needs glibc. */
int
compat_backtrace(void **frame, int most)
{
	(void)frame;
	(void)most;
	return 0;
}

#elif __has_include(<execinfo.h>)

int
compat_backtrace(void **frame, int most)
{
	return backtrace(frame, most);
}

#else

struct walk {
	void **frame;
	int n, most;
};

static _Unwind_Reason_Code
note_frame(struct _Unwind_Context *context, void *ctx)
{
	struct walk *w = ctx;

	if (w->n < w->most)
		w->frame[w->n++] = (void *)_Unwind_GetIP(context);
	return w->n < w->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

int
compat_backtrace(void **frame, int most)
{
	struct walk w = {frame, 0, most};

	_Unwind_Backtrace(note_frame, &w);
	return w.n;
}

#endif

struct objects {
	struct compat_range *object;
	size_t n, most;
};

static void
note_object(struct objects *o, struct compat_range r)
{
	if (o->n < o->most)
		o->object[o->n] = r;
	o->n++;
}

#ifdef __APPLE__

static struct compat_range
range_of_image(const struct mach_header_64 *head, intptr_t slide)
{
	const struct load_command *c = (const struct load_command *)(head + 1);
	struct compat_range r = {UINTPTR_MAX, 0};

	for (uint32_t i = 0; i < head->ncmds; i++) {
		const struct segment_command_64 *s = (const struct segment_command_64 *)c;

		if (c->cmd == LC_SEGMENT_64 && s->initprot) {
			uintptr_t at = (uintptr_t)s->vmaddr + (uintptr_t)slide;

			r.from = at < r.from ? at : r.from;
			r.to = at + s->vmsize > r.to ? at + (uintptr_t)s->vmsize : r.to;
		}
		c = (const struct load_command *)((const char *)c + c->cmdsize);
	}
	return r;
}

size_t
compat_objects(struct compat_range *object, size_t most)
{
	struct objects o = {object, 0, most};

	for (uint32_t i = 0; i < _dyld_image_count(); i++)
		note_object(&o,
			    range_of_image((const struct mach_header_64 *)_dyld_get_image_header(i),
					   _dyld_get_image_vmaddr_slide(i)));
	return o.n;
}

#else

static int
note_phdr(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct compat_range r = {UINTPTR_MAX, 0};

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = at + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		r.from = at < r.from ? at : r.from;
		r.to = end > r.to ? end : r.to;
	}
	note_object(ctx, r);
	return 0;
}

size_t
compat_objects(struct compat_range *object, size_t most)
{
	struct objects o = {object, 0, most};

	dl_iterate_phdr(note_phdr, &o);
	return o.n;
}

#endif
