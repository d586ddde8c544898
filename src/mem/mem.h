/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - memory partitions: L2 slices and the DRAM channels behind them.
 *
 *   network -> ROP delay -> L2 queue -> look-up -> network        (a hit, or a write: at once)
 *                                          \-> miss queue -> to DRAM -> latency line -> FR-FCFS
 *                                   fill <- from DRAM <- return queue <- data pipe <-/
 *
 * timing facts 9 to 11. Left out: refresh, power-down, ECC, address hashing.
 */
#ifndef MEM_H
#define MEM_H

#include "base/fifo.h"
#include "cache/cache.h"
#include "ctascope/addrmap.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"

#define OPT DECL_FIELD
struct mem_cfg {
#include "mem/mem.def"
};
extern const struct opt_row mem_opts[];
extern const unsigned mem_n_opts;

/* What travels between a slice and its channel: an L2 MSHR entry (a read) or a write-back request.
 */
#define HANDLE_WRITE 0x80000000u

struct slice_stat {
	uint64_t writes, write_backs;
#define COUNTER(name, ...) uint64_t name;
#include "mem/l2_counters.def"
};

struct slice {
	uint32_t rop_head, rop_tail; /* requests, linked by next */
	uint8_t rop_sectors;	     /* of the head, not yet moved on */
	uint8_t awake;
	uint8_t pad[2];
	uint32_t port_busy;  /* L2 cycles */
	uint64_t lru_offset; /* warm-up advances the slice's clock */
	struct slice_stat st;
};

struct slice_env {
	const struct mem_cfg *cfg;
	const struct addrmap *map;
	struct slice *s;
	struct tags *tags;
	struct mshr *mshr;
	struct fifo *in, *miss, *from_dram, *to_dram;
	uint32_t miss_queue;
	const struct port *request; /* from the network */
	const struct port *reply;   /* L2 to network queue */
	struct req_pool *pool;
	struct req *req;
	uint64_t
		*channel_awake; /* bit of this slice's channel is set when to_dram gets something */
	uint64_t channel_bit;
};

/* One L2 cycle. Returns true when the slice did, or may do, something next cycle. */
bool slice_tick(const struct slice_env *e, cycle_t now);
/* Core cycle at which the ROP delay lets something through, CYCLE_NEVER: nothing in it. */
cycle_t slice_due(const struct slice_env *e);
/* Places a sector as valid, at no cost (MemcpyHtoD). */
void slice_warm(const struct slice_env *e, uint64_t addr, cycle_t now);

/* ---------------------------------------------------------------- DRAM */

#define DRAM_BANKS 64
#define DRAM_QUEUE 1024

struct dram_req {
	uint32_t handle;
	uint32_t row;
	uint16_t next; /* in the bank's queue */
	uint8_t slice; /* of the channel */
	uint8_t bank;
	uint16_t bytes; /* still to be commanded */
	uint8_t write, pad;
};

enum dram_need { NEED_ACTIVATE, NEED_PRECHARGE, NEED_READ, NEED_WRITE };

struct dram_bank {
	uint64_t rcd, rcdwr, ras, rp, rc, wtp, rtp; /* DRAM cycle from which each permits */
	uint32_t row;
	uint16_t cur;	     /* request being served, DRAM_NONE */
	uint16_t head, tail; /* waiting, oldest first */
	uint16_t n;
	uint8_t open;
	uint8_t need; /* enum dram_need of the current request */
	uint8_t pad[2];
	uint64_t from; /* DRAM cycle from which the bank permits that */
};
#define DRAM_NONE 0xffffu

struct dram_stat {
	uint64_t pending; /* command cycles with requests in the channel */
	uint64_t requests, served;
#define COUNTER(name, ...) uint64_t name;
#include "mem/dram_counters.def"
};

struct dram_late {    /* waits for the fixed latency */
	uint64_t due; /* core cycle */
	uint32_t handle;
	uint32_t slice;
};

struct dram_out {    /* a request whose last data is on its way */
	uint64_t at; /* DRAM cycle, shifted by `slip` */
	uint32_t id; /* dram_req */
	uint32_t pad;
};

struct channel {
	uint64_t now;		     /* DRAM cycles gone, settled when visited */
	uint64_t ccd, rrd, rtw, wtr; /* DRAM cycle from which each permits */
	uint64_t ccdl[16], rtpl[16];
	uint64_t slip;	       /* cycles the data pipe stood still */
	uint64_t last_out;     /* pipe time of the newest data */
	uint64_t pending_from; /* first cycle not yet booked in st.pending */
	uint64_t cmd_at;       /* no command is legal before this DRAM cycle */
	uint64_t queued;       /* banks with waiting requests */
	uint64_t serving;      /* banks with a current request */
	uint32_t waiting;      /* requests in bank queues */
	uint32_t in_channel;   /* requests from acceptance to return */
	uint16_t intake;       /* arrived last cycle, DRAM_NONE */
	uint16_t free;	       /* free dram_req */
	uint8_t prio, writing, last_slice, pad;
	uint32_t shared_credit;
	uint8_t private_credit[4];
	uint32_t late_head, late_n, out_head, out_n;
	struct dram_stat st;
	struct dram_bank bank[DRAM_BANKS];
	struct dram_late late[DRAM_QUEUE];
	struct dram_out out[64];
	struct dram_req r[DRAM_QUEUE];
};

struct channel_env {
	const struct mem_cfg *cfg;
	const struct addrmap *map;
	struct channel *c;
	struct fifo *returns;
	struct slice_env *slice; /* the first slice of this channel; they lie side by side */
	uint64_t *slice_awake;
	uint64_t slice_bit; /* of the first one */
	uint32_t credits;   /* shared among slices */
	uint32_t rcdwr, rtw, wtr, wtp, rtp;
	uint32_t bank_rows; /* numbers of the bank bits that share a bank: rows apart */
};

void channel_init(struct channel_env *e);
/* One DRAM command cycle, number x. Returns the DRAM cycle it next wants (x + 1 when busy);
 * *core_due is the core cycle that wakes it as well. */
uint64_t channel_tick(struct channel_env *e, uint64_t x, cycle_t now, cycle_t *core_due);
void channel_settle(struct channel_env *e, uint64_t x); /* books cycles before x */

#endif
