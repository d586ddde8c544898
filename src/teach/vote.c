/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vote.c - the command `predict`: puts a question to the audience, and hides the outcome until the
 * next key.
 *
 * While the vote is open, check_allowed() of command.c refuses what moves the machine or shows
 * another run. Its end executes a command, which shows the outcome.
 */
#include "teach/teach_part.h"

#include "base/memory.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

enum session_status
vote_command(void *teacher, const char *args)
{
	struct teacher *t = teacher;
	const char *at = skip_blanks(args), *command = "continue";
	char question[400];

	if (t->lesson && !t->presenter &&
	    !t->typing) /* its end would show what a lesson asks for */
		return teacher_refuse(t, "predict: not allowed in a lesson; 'lesson off' ends it");
	if (*at != '"') {
		snprintf(question, sizeof(question), "%s", at);
	} else {
		if (!word_unquote(&at, question, sizeof(question)))
			question[0] = '\0';
		if (*skip_blanks(at))
			command = skip_blanks(at);
	}
	if (!*question)
		return teacher_refuse(t, "predict: expected a question, as in predict \"Will n "
					 "rise?\" next");
	/* Without an audience, when steps are repeated or a file is checked, it is the command. */
	if (t->repeats || (t->lesson && !t->presenter))
		return teacher_type_line(t, command, true);
	free(t->vote);
	t->vote = memory_text(command, strlen(command));
	t->vote_is_of_lesson = t->typing;
	teacher_attach(t);
	session_set_note(t->s, question);
	if (!session_has_screen(t->s)) {
		say(t->s, SAY_RESULT, "vote: %s", question);
		say(t->s, SAY_RESULT, "(the outcome is hidden until an empty line)");
	}
	return SESSION_OK;
}

void
vote_drop(struct teacher *t)
{
	if (!t->vote)
		return;
	free(t->vote);
	t->vote = NULL;
	session_set_note(t->s, "");
	teacher_attach(t);
}

enum session_status
vote_end(struct teacher *t)
{
	char *command = t->vote;
	enum session_status status;

	t->vote = NULL;
	teacher_attach(t);
	session_set_note(t->s, "");
	status = t->vote_is_of_lesson ? teacher_type_line(t, command, false)
				      : teacher_type_for_person(t, command, false);
	free(command);
	return status;
}
