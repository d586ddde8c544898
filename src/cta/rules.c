/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rules.c - the host's own rules: events that do not depend on a policy, and the reasons why a core
 * takes no CTA when no policy gives one.
 */
#include "cta/cta.h"

const struct rule host_rules[HR_RULES] = {
	[HR_KERNEL_START] = {"kernel-start", "kernel {id} starts, {ctas} CTAs, N {n_max}",
			     .value = {"id", "ctas", "n_max"}},
	[HR_KERNEL_END] = {"kernel-end", "kernel {id} ends after {cycles} cycles",
			   .value = {"id", "cycles"}},
	[HR_ISSUE] = {"issue", "CTA {cta} in slot {slot}, {resident} of {n_max} resident",
		      .value = {"cta", "slot", "resident", "n_max"}},
	[HR_CHOSEN] = {"chosen",
		       "CTA {cta} in slot {slot}, which a policy chose before CTA {first}, "
		       "{resident} of {n_max} resident",
		       .value = {"cta", "slot", "resident", "n_max", "first"}},
	[HR_DONE] = {"done", "CTA {cta} leaves slot {slot}, {resident} resident, {left} left",
		     .value = {"cta", "slot", "resident", "left"}},
	[HR_RESUME_DONE] = {"resume-after-done", "a running CTA ended", .value = {NULL}},
	[HR_SAMPLE] = {"sample", "sample {index} of {cycles} cycles", .value = {"index", "cycles"}},
	[HR_POLICY] = {"policy-change", "the policy was changed, limit {limit}",
		       .value = {"limit"}},
	[HR_NEW_KERNEL] = {"new-kernel", "a kernel starts: every core is on", .value = {NULL}},
	[HR_NEW_STACK] = {"new-stack", "the policies were changed: every core is on",
			  .value = {NULL}},
	[HR_FORCED_LIMIT] = {"forced-limit",
			     "forced by the branch, {outcome}; the policy decided {decided}",
			     .value = {"old", "new", "decided"}},
	[HR_FORCED_TAKE] = {"forced-take",
			    "forced by the branch, CTA {next} is taken; the policies refused it",
			    .value = {"next"}},
	[HR_FORCED_REFUSE] = {"forced-refusal",
			      "forced by the branch, CTA {next} is not taken in this cycle",
			      .value = {"next"}},
	[HR_FORCED_ELSEWHERE] = {"forced-elsewhere",
				 "forced by the branch, CTA {next} goes to core {to}",
				 .value = {"next", "to"}},
	[HR_FORCED_NO_ROOM] = {"forced-no-room",
			       "forced by the branch, CTA {next} is not taken in this cycle; core "
			       "{to} cannot take it",
			       .value = {"next", "to"}},

	[HR_NO_KERNEL] = {"no-kernel", "no kernel is running", .refuses = REFUSE_NO_KERNEL},
	[HR_NO_CTA] = {"no-cta-left", "no CTA is left: all {ctas} of the kernel have been issued",
		       .value = {"ctas"}, .refuses = REFUSE_NO_CTA},
	[HR_BALANCE] = {"balance",
			"N is {n}, lowered from {fit}: {ctas} CTAs are spread over {cores} cores",
			.value = {"n", "fit", "ctas", "cores"}, .refuses = REFUSE_BALANCE},
	[HR_HARD_LIMIT] = {"hard-limit", "all {n} CTA slots of the core are taken (core.max_ctas)",
			   .value = {"n"}, .refuses = REFUSE_HARD_LIMIT},
	[HR_REGISTERS] = {"registers",
			  "registers: {n} CTAs of {threads} threads x {regs} registers fill the "
			  "{room} of the core",
			  .value = {"n", "threads", "regs", "room"}, .refuses = REFUSE_REGISTERS},
	[HR_SHMEM] = {"shared-memory",
		      "shared memory: {n} CTAs of {bytes} bytes fill the {room} of the core",
		      .value = {"n", "bytes", "room"}, .refuses = REFUSE_SHMEM},
	[HR_WARPS] = {"warps", "warps: {n} CTAs of {warps} warps fill the {room} of the core",
		      .value = {"n", "warps", "room"}, .refuses = REFUSE_WARPS},
	[HR_THREADS] = {"threads",
			"threads: {n} CTAs of {threads} threads fill the {room} of the core",
			.value = {"n", "threads", "room"}, .refuses = REFUSE_THREADS},
	[HR_LIMIT] = {"limit", "limits the core to {limit} running CTAs, {running} are running",
		      .value = {"limit", "running"}, .refuses = REFUSE_LIMIT},
	[HR_PAUSED] = {"paused-first",
		       "a paused CTA waits and comes first ({paused} paused, limit {limit})",
		       .value = {"paused", "limit"}, .refuses = REFUSE_PAUSED},
	[HR_ORDER] = {"order", "its turn has not come yet: a cluster gets one CTA per cycle",
		      .refuses = REFUSE_ORDER},
	[HR_LAUNCH] = {"launch", "waits for the launch of the kernel, until cycle {cycle}",
		       .value = {"cycle"}, .refuses = REFUSE_ORDER},
	[HR_OTHERS_SLOTS] = {"others-slots",
			     "slots: a CTA needs {need}, but the CTAs on the core, some of other "
			     "kernels, leave {left} of {room} free",
			     .value = {"need", "left", "room"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_OTHERS_THREADS] = {"others-threads",
			       "threads: a CTA needs {need}, but the CTAs on the core, some of "
			       "other kernels, leave {left} of {room} free",
			       .value = {"need", "left", "room"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_OTHERS_REGISTERS] = {"others-registers",
				 "registers: a CTA needs {need}, but the CTAs on the core, some of "
				 "other kernels, leave {left} of {room} free",
				 .value = {"need", "left", "room"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_OTHERS_SHMEM] = {"others-shared-memory",
			     "shared memory: a CTA needs {need} bytes, but the CTAs on the core, "
			     "some of other kernels, leave {left} of {room} free",
			     .value = {"need", "left", "room"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_OTHERS_WARPS] = {"others-warps",
			     "warps: a CTA needs {need} hardware warps in a row, but the CTAs on "
			     "the core, some of other kernels, leave no such row free",
			     .value = {"need"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_OTHERS_CORE] =
		{"others-core",
		 "the core goes to this kernel when the CTAs of other kernels on it have ended; "
		 "{ctas} left (gpu.kernel_share spatial)",
		 .value = {"ctas"}, .refuses = REFUSE_OTHER_KERNEL},
	[HR_NO_CTAS] = {"no-ctas-left",
			"no CTA is left: all {ctas} of the {kernels} running kernels have been "
			"issued",
			.value = {"ctas", "kernels"}, .refuses = REFUSE_NO_CTA},
	[HR_NO_CHOICE] = {"no-kernel-chosen",
			  "no kernel gives this core a CTA now: the policy that chooses between "
			  "kernels names none",
			  .refuses = REFUSE_OTHER_KERNEL},
	[HR_FORCED_STATE + CORE_ACTIVE] = {"forced-active",
					   "forced by the branch, the core is active",
					   .refuses = REFUSE_STATE},
	[HR_FORCED_STATE + CORE_DRAINING] = {"forced-draining",
					     "forced by the branch, the core is draining",
					     .refuses = REFUSE_STATE},
	[HR_FORCED_STATE + CORE_THROTTLED] = {"forced-throttled",
					      "forced by the branch, the core is throttled",
					      .refuses = REFUSE_STATE},
	[HR_FORCED_STATE + CORE_PAUSED] = {"forced-paused",
					   "forced by the branch, the core is paused",
					   .refuses = REFUSE_STATE},
	[HR_FORCED_OFF] = {"forced-off", "forced by the branch, the core is off",
			   .refuses = REFUSE_STATE},
};

const struct rule *
cta_rule(const struct cta_stack *s, unsigned policy, unsigned rule)
{
	static const struct rule none = {"unknown", "", .value = {NULL}};

	if (policy == POLICY_HOST)
		return rule < HR_RULES ? &host_rules[rule] : &none;
	if (policy >= s->n_seen || rule >= s->seen[policy]->n_rules)
		return &none;
	return &s->seen[policy]->rules[rule];
}

void
cta_take_values(const struct rule *r, const int64_t *from, int64_t *to)
{
	bool named = true;

	for (unsigned i = 0; i < EVENT_VALUES; i++) {
		named = named && r->value[i];
		to[i] = named ? from[i] : 0;
	}
}
