/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policies.c - the table of policies, built from the list in src/cta/module.am, and the example
 * that help shows.
 */
#include "cta/cta.h"

#define POLICY(name) extern const struct cta_sched_ops cta_sched_##name;
#define POLICY_EXAMPLE(text)
#include "cta/policy_list.def"

#define POLICY(name) &cta_sched_##name,
#define POLICY_EXAMPLE(text)
static const struct cta_sched_ops *const shipped_policies[] = {
#include "cta/policy_list.def"
};

#define POLICY(name)
#define POLICY_EXAMPLE(text) text
const char cta_sched_example[] =
#include "cta/policy_list.def"
	;

const struct cta_sched_ops *const *
cta_sched_list(unsigned *n)
{
	*n = ARRAY_LEN(shipped_policies);
	return shipped_policies;
}
