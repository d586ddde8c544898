/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_mock.h - private to tests/mock: the state of a toy machine behind sim.h.
 *
 * Four cores, two kernels (96 and 48 CTAs), a decision about each core every 64 cycles when the
 * stack has dyncta, credits when it has claso. Everything follows from the cycle number and the
 * options, so a test can write down what it expects. The state is one block: a snapshot is a copy
 * of it.
 *
 * Options to provoke what the real machine does rarely: mock.deadlock and mock.fail (the cycle at
 * which it happens), mock.slow (microseconds of sleep per cycle, for Ctrl-C).
 */
#ifndef TESTS_SIM_MOCK_H
#define TESTS_SIM_MOCK_H

#include "ctascope/sim.h"

#define MOCK_CORES 4
#define MOCK_SLOTS 6
#define MOCK_WARPS (2 * MOCK_SLOTS)
#define MOCK_CHANNELS 2
#define MOCK_KERNELS 2
#define MOCK_SAMPLES 4096
#define MOCK_EVENTS 4096
#define MOCK_INSTS 6

struct mock_dyncta {
	opt_u32 period, t_idle, t_mem_l, t_mem_h;
};
struct mock_claso {
	opt_i32 pa, pl;
};
struct mock_run {
	opt_u64 max_cycles;
	opt_f64 max_seconds;
	opt_u32 sample;
	opt_bool skip;
};
struct mock_knobs {
	opt_u64 deadlock, fail;
	opt_u32 slow;
};

struct config {
	struct optdb db;
	struct mock_dyncta dyncta;
	struct mock_claso claso;
	struct mock_run run;
	struct mock_knobs mock;
	bool use_dyncta, use_claso;
	const struct cta_sched_ops *stack[3];
	unsigned n_stack;
	char policy[128];
	char machine[64];
	char wsched[16];
};

struct mock_slot {
	bool used, paused;
	uint32_t cta, order_key, left;
	cycle_t issued;
};

struct mock_core {
	uint32_t limit;
	struct mock_slot slot[MOCK_SLOTS];
	uint64_t cls[CC_CLASSES];
	uint64_t c_mem, c_idle; /* since the period began */
	uint64_t warp_insts, sample_insts, sample_cls[CC_CLASSES];
	int64_t credits;
	uint32_t asked; /* free slots already asked for */
};

struct mock_sample {
	cycle_t end;
	uint32_t kernel;
	double core[MOCK_CORES][SC_FIELDS], mem[MOCK_CHANNELS][SM_FIELDS], gpu[SG_FIELDS];
};

struct mock_state {
	cycle_t cycle;
	unsigned started; /* kernels */
	bool running;	  /* a kernel is */
	cycle_t k_start[MOCK_KERNELS], k_end[MOCK_KERNELS];
	uint32_t issued, done; /* CTAs of the kernel */
	uint64_t issued_all, done_all;
	uint32_t next_core, order;
	int64_t credits_global;
	struct mock_core core[MOCK_CORES];
	unsigned n_samples;
	struct mock_sample sample[MOCK_SAMPLES];
};

struct sim {
	struct config *config;
	struct mock_state st;
	struct event_ring *ring;
	uint64_t listen_mask;
	void (*listen)(void *, const struct event *);
	void *listen_ctx;
	bool (*each)(void *);
	void *each_ctx;
	bool (*tick)(void *);
	void *tick_ctx;
	unsigned tick_ms;
	const volatile int *poll;
	bool stop;
	uint64_t generation;
	double wall;
};

extern const struct trace_kernel mock_kernel[MOCK_KERNELS];
uint32_t mock_n_max(const struct sim *s); /* of the running kernel */
uint32_t mock_resident(const struct mock_core *c, uint32_t *running);
struct config *mock_config_copy(const struct config *c);
void mock_emit(struct sim *s, enum event_kind kind, unsigned policy, unsigned rule, int core,
	       int slot, uint32_t cta, unsigned n, const int64_t *v);
void mock_close_sample(struct sim *s);

enum mock_rule {
	MR_KERNEL_START,
	MR_KERNEL_END,
	MR_ISSUE,
	MR_DONE,
	MR_IDLE,
	MR_MEM_LOW,
	MR_MEM_HIGH,
	MR_KEEP,
	MR_PAUSE,
	MR_RESUME,
	MR_CREDIT,
	MR_REFUSE,
	MR_SAMPLE,
	MR_RULES
};
extern const struct rule mock_rules[MR_RULES];

#endif
