/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_priv.h - the machine: what lies in the arena, and the constant wiring around it.
 *
 *   arena = [ model | sleep | record ]
 *
 *   model   everything that determines the future: hashed by sim_digest(), kept by snapshots
 *   sleep   who is visited when; depends on run.skip, so it is kept but not hashed
 *   record  what was observed: events, counters at the last sample; kept but not hashed
 *
 * Where several kernels run together, each has a place: its own host of the policies, so that these
 * see one kernel each (concurrent.c). One of the places is selected, and struct cta_stack and the
 * members of struct machine that describe a kernel are then those of its kernel. Between cycles
 * that is the oldest kernel that runs.
 *
 * Requests have their own region, which is reserved large and used from the front. The samples of
 * the time series are in blocks that snapshots share. Pointers into the arena exist only in struct
 * sim and are set once; the arena itself holds no pointer.
 */
#ifndef SIM_PRIV_H
#define SIM_PRIV_H

#include "ctascope/sim.h"
#include "sim/config.h"
#include "sim/ready.h"
#include "sim/samples.h"

#define MAX_KERNELS_KEPT 4096
#define STACK_ROOM (832 << 10) /* bytes in the arena for the host and the state of any stack */

struct kernel_run {
	cycle_t start, end; /* end CYCLE_NEVER: running */
	uint32_t kernel;    /* index in the trace */
	uint32_t found;	    /* result of the stack's policy, until the kernel's end; 0: none */
};

/* What a kernel has done; counted only where kernels may run together. */
struct kernel_work {
	cycle_t first_cta;   /* when its first CTA was issued; CYCLE_NEVER: not yet */
	uint64_t warp_insts; /* of its CTAs that have ended */
};

/* The four clocks, each with the time of its next tick. */
struct clocks {
	double due_core, due_noc, due_l2, due_dram;
	uint64_t dram_ticks, noc_ticks;
	cycle_t l2_before, dram_before; /* core cycle of the last L2 and DRAM cycle */
};

struct machine {
	cycle_t cycle;
	struct clocks clock;
	uint32_t cmd;	  /* next trace command */
	uint32_t ordinal; /* kernels launched, or of several at once the highest number */
	uint32_t running; /* kernels that run */
	cycle_t launched; /* launch of the last kernel, or of the selected one */
	/* Over the ended kernels for which the stack's policy found a result: sum of result
	 * times cycles, and sum of cycles. */
	uint64_t found_area, found_cycles;
	uint32_t done;
	uint64_t warp_insts_before; /* of ended kernels, for progress */
	uint64_t cluster_on;	    /* clusters of several cores that the reference visits */
	uint32_t last_cluster;	    /* its position in hand_out */
	uint32_t n_max;
	uint8_t last_core[NOC_PORTS];	/* served last in its cluster */
	uint8_t rot[NOC_PORTS];		/* per cluster: the core that comes first, given for cycles
					   divisible by its number of cores */
	uint64_t eject_mask[NOC_WORDS]; /* clusters with replies in their ejection buffer */
	struct cta_limits limits;
	/* the memory half's (halves.c): slices with replies for the network, and those whose input
	 * of the network is full */
	_Alignas(64) uint64_t l2_out_mask;
	uint64_t reply_full;
};

#define MAX_CONCURRENT 32

/* A kernel that runs in a place. */
struct running_kernel {
	cycle_t launched;
	uint32_t runs; /* 0: the place is free */
	uint32_t cmd;  /* its command in the trace */
	uint32_t n_max;
	struct cta_limits limits;
};

/* The kernels that run together. Lies in the arena only if gpu.concurrent_kernels is above 1 and
 * the trace has several streams. */
struct concurrent {
	uint32_t selected;
	uint32_t turn; /* accelsim: the place that was chosen last */
	struct running_kernel place[MAX_CONCURRENT];
	uint8_t place_of[MAX_CORES][MAX_CTAS]; /* of the kernel whose CTA is in a slot */
};

#define WAKE_RING 512 /* the longest sleep of a unit in one step, in cycles */

/* The units to visit from a cycle on. Each kind has its own pages, so that current and next
 * entries usually share a line of the host's cache. */
struct calendar {
	uint64_t core[2][WAKE_RING], slice[WAKE_RING];
	uint32_t channel_late[WAKE_RING]; /* the end of the latency line is reached */
	uint32_t channel[WAKE_RING];	  /* by DRAM cycle; the others by core cycle */
};

/* Who is visited now, one bit per core, slice and channel. The calendar holds later visits; a
 * superfluous visit changes nothing, so obsolete entries may stay. */
struct sleepers {
	uint64_t core_awake[2];
	uint64_t freed[2]; /* cores with CTA slots freed in this cycle */
	uint64_t order[2]; /* cores about whose warps the policies are to be asked */
	cycle_t look_at; /* before this cycle the host has nothing to do unless a CTA starts or ends
			  */
	uint32_t ask;	 /* something changed: ask the cores again whether they take a CTA */
	uint32_t pad;
	cycle_t progress_at;
	uint64_t progress; /* instructions and CTAs, for the detection of deadlocks */
	cycle_t awaited;   /* date of the next due action at the last progress */
	cycle_t next_sample, sample_start;
	uint64_t
		samples; /* number taken; not hashed, because sampling is not part of the machine */
	/* the memory half's (halves.c) */
	_Alignas(64) uint64_t slice_awake;
	uint64_t channel_awake;
	uint64_t slice_shut;		 /* slices that take no request at present */
	uint64_t slice_due, channel_due; /* visited in the L2 or DRAM cycle after the next one */
	_Alignas(64) struct calendar wake;
};

#define CORE_CACHES (L1_KINDS + 1)

/* Part and unit of a stretch of the model in the arena, up to the next extent. */
struct extent {
	size_t from;
	uint16_t unit; /* core, slice or channel; 0 for parts without units */
	uint8_t part;  /* enum sim_part */
};

struct series_store;

/* The stack that the user replaced in this cycle, and what it held: a stack that returns before the
 * next cycle continues as if it had never left. */
struct former_stack {
	cycle_t left; /* 0: none */
	char policy[POLICY_TEXT];
	uint64_t found_area, found_cycles;
	uint32_t found[MAX_KERNELS_KEPT];
	uint64_t passed[MAX_CORES]; /* core_passed() */
	struct core_order order[MAX_CORES];
	struct ldst_runs runs[MAX_CORES];
	char host[STACK_ROOM];
};

struct sim {
	struct config *cfg;
	struct trace *trace;
	const struct trace_info *info;
	unsigned n_cores, n_clusters, per_cluster, n_slices, n_channels;

	char *arena;
	size_t model_bytes, arena_bytes;
	struct extent *extent; /* in order */
	unsigned n_extents;
	struct machine *machine;
	struct sleepers *sleep;
	struct event_ring *events;
	struct series_store *series;
	struct samples samples;
	struct image *image;	   /* last one taken or restored; NULL: none yet */
	const struct sim *twin_of; /* its snapshots can be restored here; NULL: none */
	uint32_t resampled;	   /* cycles per sample instead of run.sample; 0: it counts */
	struct setting *setting;   /* the present setting as shared with snapshots; NULL: not yet */
	struct kernel_run *kernels;
	struct req_pool *pool; /* [POOLS] */
	struct req *req;
	size_t req_bytes;

	struct core_shape shape;
	struct core_env *core;
	struct slice_env *slice;
	struct channel_env *channel;
	struct dram_timing dram_timing;
	struct net_env request, reply;
	struct mesh_map mesh;
	struct fifo **resp;  /* per core */
	struct fifo **eject; /* per cluster: replies that it holds for its cores */
	struct tags *tags;   /* CORE_CACHES per core (L1_KINDS, then l1i); then l2 per slice */
	struct mshr *mshrs;
	uint16_t pool_from[CORE_POOLS]; /* the first core of each pool of requests */
	uint8_t cluster_of[MAX_CORES],
		cluster_end[MAX_CORES]; /* the first core after the cluster */
	struct addrmap map;
	uint8_t hand_out[NOC_PORTS]; /* the clusters in the order in which they are asked */
	struct cta_stack stack;
	bool orders_warps; /* a policy of the stack does */
	struct ldst_listener l1_listener;
	struct former_stack *former;

	/* concurrent.c; concurrent NULL: kernels run one after the other, and the rest is unused */
	unsigned n_places;
	struct concurrent *concurrent;
	struct cta_host *host[MAX_CONCURRENT];
	struct cta_order *order[MAX_CONCURRENT];
	struct ready *ready;
	struct ready_plan *plan;
	struct kernel_work *work; /* [MAX_KERNELS_KEPT] */
	struct dinst *code; /* [n_places][code_room]: the instructions of the running kernels */
	uint32_t code_room;
	uint64_t shared_need; /* of the kernels of the trace, the most that one has on a core */

	double period_core, period_noc, period_l2, period_dram;

	struct dinst **dinst;			  /* per kernel of the trace, made on first use */
	struct warp_stream *stream;		  /* [n_cores][MAX_WARPS] */
	const struct cta_trace *(*pin)[MAX_CTAS]; /* [n_cores] */

	uint64_t listen_mask;
	void (*listen)(void *ctx, const struct event *ev);
	void *listen_ctx;
	bool (*each_cycle)(void *ctx);
	void *each_ctx;
	const volatile int *poll;
	bool (*every)(void *ctx);
	void *every_ctx;
	double every_s, every_next;
	bool stop;
	double wall;
	/* sim_on_issue() */
	bool (*tell)(void *ctx, uint32_t kernel, const struct inst *i);
	void (*issued)(void *ctx, unsigned core, unsigned warp, const struct inst *i);
	void *issued_ctx;
	struct past *past;	 /* past.c; NULL: off */
	struct profile *profile; /* profile.c; NULL: off */
	struct threads *threads; /* threads.c; NULL: always one thread */
	struct err failure;	 /* an error inside a cycle */
};

/* build.c */
int sim_build(struct sim *s, struct err *e);
void sim_unbuild(struct sim *s);
/* sim.c: at cycle 0, after a change of configuration or stack: the state becomes that of a
 * machine that started with them. Forced outcomes are kept. Returns -1 without a change on failure.
 * */
int sim_begin_anew(struct sim *s, struct err *e);
/* Lays out the configuration's stack for the host; -1: its state does not fit into the arena. */
int sim_lay_out_stack(const struct sim *s, struct cta_stack *next, struct err *e);

/* concurrent.c: several kernels at once. Where kernels run one after the other, there is one place,
 * which is always selected. */
int concurrent_plan(struct sim *s, struct err *e); /* before the layout */
int concurrent_build(struct sim *s, struct err *e);
void concurrent_unbuild(struct sim *s);
void concurrent_select(struct sim *s, unsigned place);
/* Selects the first place from *place on whose kernel runs, and stores it; false: none. */
bool concurrent_select_next(struct sim *s, unsigned *place);
void concurrent_select_oldest(struct sim *s); /* which is shown between cycles */
/* The place of the kernel with which a core is shown: the oldest one that has CTAs on it, else the
 * selected one. */
unsigned concurrent_place_shown(const struct sim *s, unsigned core);
unsigned concurrent_free_place(const struct sim *s); /* n_places: none */
/* The place whose kernel may give this core a CTA; n_places: none now. *choice, only set where
 * kernels run together, tells whether a policy chose. */
unsigned concurrent_pick(const struct sim *s, unsigned core, struct cta_choice *choice);
/* The place of the kernel that has a core to itself under gpu.kernel_share spatial: the kernels
 * with CTAs left, from the oldest on, have equal parts of the cores. n_places: none has CTAs left.
 */
unsigned concurrent_owner(const struct sim *s, unsigned core);
/* Is a kernel with CTAs left still being launched? */
bool concurrent_is_launching(const struct sim *s);
/* Do the CTAs of the other kernels leave room for one of the selected kernel? If not, *why says
 * what they hold. */
bool concurrent_has_room(const struct sim *s, unsigned core, struct reason *why);
void concurrent_load_code(struct sim *s, uint32_t kernel); /* into the selected place */
uint32_t concurrent_code_base(const struct sim *s); /* of the selected place in core_env.di */
void concurrent_set_memory(struct sim *s); /* L1 and local memory, which hold for all kernels */
/* The slots of a core with CTAs of the selected kernel. */
uint32_t concurrent_slots(const struct sim *s, unsigned core);
uint32_t concurrent_kernel_of(const struct sim *s, unsigned core, unsigned slot);
bool concurrent_has_ctas(const struct sim *s); /* is a CTA of a running kernel left? */
/* The place of the oldest kernel with CTAs left, which may still be launching; n_places: none. */
unsigned concurrent_oldest_with_ctas(const struct sim *s);
/* The selected kernel issued a CTA; one of its CTAs, of so many instructions, has ended. */
void concurrent_note_issue(struct sim *s);
void concurrent_note_end(struct sim *s, uint64_t warp_insts);

/* kernels_look.c */
/* The host of the policies for a kernel that runs; NULL: it does not. */
struct cta_host *kernel_host(const struct sim *s, unsigned ordinal);
/* Sums over the kernels: the CTAs of a core (its limits are those of the kernel shown), those
 * issued to it and ended on it, and forced outcomes that are still to come. */
struct cta_core kernels_core(const struct sim *s, unsigned core);
uint64_t kernels_issued_to(const struct sim *s, unsigned core);
uint64_t kernels_done_on(const struct sim *s, unsigned core);
struct cta_means kernels_means(const struct sim *s);
uint64_t kernels_periods(const struct sim *s);
uint64_t kernels_forced(const struct sim *s);
struct kernel_view kernel_view(const struct sim *s, unsigned ordinal);
/* Returns s, or where kernels run together the copy of it, in which the policies are those of the
 * kernel with which a core is shown. */
const struct sim *kernels_show_core(const struct sim *s, unsigned core, struct sim *copy);
/* Parses "2" in kernel.2.cycles to the index from 0. Returns 1, or -1 with e, which ends with what
 * is possible `otherwise`. */
int kernel_index(const struct sim *s, const char *text, const char *otherwise, unsigned *index,
		 struct err *e);

/* kernel.c: N of a kernel, and how many CTAs each resource of a core allows */
uint32_t kernel_most_ctas(const struct sim *s, uint32_t kernel, struct cta_limits *limits);
uint64_t kernel_shared_need(const struct sim *s, uint32_t kernel);

/* roundtrip.c: latency in core cycles of a load that misses every cache, without contention */
uint32_t roundtrip_cycles(const struct config *k);

/* step.c: one core cycle */
void sim_step(struct sim *s);
void sim_settle(struct sim *s); /* books everything up to the present cycle */
void sim_wake_core(struct sim *s, unsigned core);

/* kernel.c */
void kernel_launch_next(struct sim *s); /* runs the next commands of the trace, up to a kernel */
/* Handles ended CTAs, periods and issue. Before sleep->look_at there is nothing to do unless a
 * CTA started or ended. */
void kernel_after_cycle(struct sim *s);
void kernel_act(struct sim *s,
		bool ended);	   /* policies act on the GPU; cores get the states they want */
void kernel_attach(struct sim *s); /* after a restore: decoded tables and streams */
void sim_emit(void *ctx, struct event *ev);

/* ctas.c: launch, pause and free CTAs */
/* Reads the counters of a core, which must be settled, in the form the policies see. */
void ctas_read_counters(const struct sim *s, unsigned core, struct cta_core *v);
/* A used slot, as policies see it; the others are called by the host of the policies. */
struct cta_resident policy_resident(const struct sim *s, unsigned core, unsigned slot);
extern const struct cta_eyes policy_eyes;
void ctas_show_counters(struct sim *s); /* updates the counters that the policies see */
void ctas_free(struct sim *s, unsigned core);
void ctas_end_periods(struct sim *s);
void ctas_order_clusters(struct sim *s);
void ctas_ask(struct sim *s); /* issues CTAs to cores that take one */
void ctas_repause(struct sim *s, unsigned core,
		  const struct event *why); /* NULL: CTAs started or ended */
void ctas_attach(struct sim *s);	    /* after a restore */

/* warps.c: the policies that order warps */
void warps_attach(struct sim *s);	       /* the stack or the profile changed */
void warps_mark(struct sim *s, unsigned core); /* ask about it at the end of the cycle */
void warps_ask(struct sim *s);		       /* about the marked cores and those that are due */
void warps_ask_again(struct sim *s);	       /* about all cores: the stack or an option changed */

/* snapshot.c: the hash of the requests ever in use, continued from h */
uint64_t sim_hash_requests(const struct sim *s, uint64_t h);

/* issued.c: marks the instructions of a just decoded kernel that a listener wants */
void issued_mark(struct sim *s, uint32_t kernel);

/* found.c: the result of the stack's policy for each kernel */
const struct cta_field *found_field(const struct sim *s); /* of the stack; NULL: none */
void found_keep(struct sim *s);				  /* a kernel ends */
void found_forget(struct sim *s);			  /* the stack changes */
double found_mean(const struct sim *s);			  /* NaN: no result yet */
/* The index in a path: 0 for "mean", otherwise the number of the kernel from 1 on. Returns 1, or
 * -1 with e set. */
int found_index(const struct sim *s, const char *text, unsigned *index, struct err *e);

/* look.c: the condition of a warp */
void look_at_warps(const struct core_masks *m,
		   struct core_view *v); /* fills the warp counts of v */
enum warp_status warp_status_of(const struct core_masks *m, unsigned w);

/* snapshot.c: the stack or an option has changed */
void snapshot_setting_changed(struct sim *s);

/* past.c, called only while s->past is set */
void past_add(struct sim *s);	  /* a cycle has ended */
void past_restart(struct sim *s); /* after a restore */

/* profile.c, called only while s->profile is set */
void profile_cta_left(struct sim *s, unsigned core, unsigned slot); /* before its slot is freed */
void profile_kernel(struct sim *s,
		    uint32_t kernel);		  /* another kernel runs; s->profile may be NULL */
void profile_sample(struct sim *s, cycle_t span); /* a sample is closed */
void profile_restart(struct sim *s);		  /* after a restore */

/* energy.c: counters in the form of src/power, and the results. The parts in J come first. */
enum energy_what {
	ENERGY_ALL = POWER_PARTS,
	ENERGY_POWER,
	ENERGY_POWER_STATIC,
	ENERGY_POWER_DYNAMIC,
	ENERGY_EDP,
	ENERGY_EFFICIENCY,
	ENERGY_RELATIVE,
	ENERGY_RELATIVE_PCPG,
	ENERGY_PER_WATT,
	ENERGY_PER_WATT_PCPG
};
double energy_value(const struct sim *s, enum energy_what what); /* NaN: unknown */
void energy_count_core(const struct sim *s, unsigned core, struct power_counts *c);
void energy_count_uncore(const struct sim *s, struct power_counts *c);
void energy_count(const struct sim *s, struct power_counts *c);
double energy_core_hz(const struct sim *s);

/* view.c: the value of credits.local (of a core) or credits.global; NaN: no policy has credits
 * */
double view_credits(const struct sim *s, bool per_core, unsigned core);

/* look.c: the value of core.N.c_mem and c_idle */
double look_count(const struct sim *s, unsigned core, const char *gauge, uint64_t counted);

/* series.c */
size_t series_bytes(void);
int series_init(struct sim *s); /* -1: out of memory */
void series_close_sample(struct sim *s);
uint64_t sim_dram_served(const struct sim *s, unsigned core); /* its reads, of all channels */
unsigned series_room(const struct sim *s);		      /* capacity in samples */
unsigned series_count_in(const struct series_store *st);      /* of a store outside the arena */
int series_keep(const struct sim *s, struct samples *k); /* for a snapshot; -1: out of memory */
void series_restored(struct sim *s, const struct samples *k,
		     uint64_t generation); /* after a restore; generation: that before it */

/* The pool of a core's requests; NULL while the arena is only measured. */
static inline struct req_pool *
sim_pool_of(const struct sim *s, unsigned core)
{
	return s->pool ? &s->pool[req_pool_of(s->pool_from, core)] : NULL;
}

static inline bool
sim_core_on(const struct sim *s, unsigned c)
{
	return core_is_on(s->core[c].core);
}

#endif
