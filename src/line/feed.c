/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * feed.c - gives whole keys to readline, and nothing else: readline never waits for more bytes.
 * Like readline this has one state per process.
 */
#include "line/line_part.h"

#include <readline/readline.h>

#define COUNT_MOST 10000 /* how often a key with a number before it acts */

static struct {
	const char *rest; /* bytes of a key that readline has not read */
	size_t n_rest;
	struct sequence sequence;
	bool is_open; /* readline has a line */
} fed;

/* Returns a byte to readline. It is called with a whole key, so it needs another byte only when the
 * key is not the one that it expected: then EOF ends the command that it executes. */
static int
get_byte(FILE *unused ATTR_UNUSED)
{
	if (!fed.n_rest)
		return RL_ISSTATE(RL_STATE_READCMD) ? KEY_NOTHING : EOF;
	fed.n_rest--;
	return (unsigned char)*fed.rest++;
}

static int
has_byte(void)
{
	return fed.n_rest > 0;
}

static void
begin_key(const char *bytes, size_t n)
{
	sequence_add(&fed.sequence, bytes, n);
	fed.rest = bytes;
	fed.n_rest = n;
}

static void
execute_bytes(void)
{
	rl_numeric_arg = MIN(rl_numeric_arg, COUNT_MOST);
	rl_callback_read_char();
	history_drop_undo();
}

static void
end_key(void)
{
	fed.n_rest = 0;
	for (int i = 0; fed.is_open && i < rl_end; i++)
		if (!rl_line_buffer[i])
			rl_line_buffer[i] = ' ';
}

void
feed(const char *bytes, size_t n)
{
	begin_key(bytes, n);
	while (fed.n_rest && fed.is_open)
		execute_bytes();
	end_key();
}

void
feed_sequence(const char *bytes, size_t n)
{
	begin_key(bytes, n);
	do
		execute_bytes();
	while (fed.n_rest && fed.is_open && RL_ISSTATE(RL_STATE_MULTIKEY));
	end_key();
}

/* In vi mode readline waits after an Escape, since it begins other keys as well. When a later key
 * is no rest of one, readline puts bytes back, and a number among them makes it jump into a
 * function that has returned. So the Escape comes with a byte that is no rest of a key: it acts at
 * once. */
void
feed_escape(void)
{
	static const char alone[] = {'\033', KEY_NOTHING};
	bool waits = rl_editing_mode == 0 && !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH);

	feed(alone, waits ? 2 : 1);
}

const struct sequence *
feed_last(void)
{
	return &fed.sequence;
}

void
feed_open(void)
{
	rl_getc_function = get_byte;
	rl_input_available_hook = has_byte;
	fed.is_open = true;
}

void
feed_close(void)
{
	fed.is_open = false;
}
