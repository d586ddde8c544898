/* SPDX-License-Identifier: GPL-3.0-or-later */
/* digest.c - digests by which a quiz and a hand-in name program, machine and files. */
#include "teach/handin_part.h"

#include "base/hash.h"
#include "base/textfile.h"

#include <string.h>

struct options_hash {
	struct hash h;
	const struct optdb *db;
};

static void
add_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	   const struct opt_row *r ATTR_UNUSED)
{
	struct options_hash *to = ctx;
	char value[OPT_VALUE] = "";

	opt_get(to->db, key, value, sizeof(value), NULL);
	hash_add(&to->h, key, strlen(key) + 1);
	hash_add(&to->h, value, strlen(value) + 1);
}

uint64_t
digest_of_config(const struct config *c)
{
	struct options_hash to = {.db = config_db_const(c)};
	const char *const texts[] = {config_policy_text(c), config_wsched_name(c)};

	hash_init(&to.h, 0);
	for (unsigned i = 0; i < ARRAY_LEN(texts); i++)
		hash_add(&to.h, texts[i], strlen(texts[i]) + 1);
	opt_each(to.db, add_option, &to);
	return hash_end(&to.h);
}

uint64_t
digest_of_build(void)
{
	return hash64(sim_build_id(), strlen(sim_build_id()), 0);
}

uint64_t
digest_of_file(const char *path)
{
	struct hash h;

	hash_init(&h, 0);
	return text_hash(&h, path, TEXT_MOST, NULL) ? 0 : hash_end(&h);
}
