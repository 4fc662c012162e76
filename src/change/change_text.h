/* Changes as text ("connections=8") and in words. */
#ifndef CHANGE_CHANGE_TEXT_H
#define CHANGE_CHANGE_TEXT_H

#include "base/arena.h"
#include "base/text.h"
#include "change/change.h"

/* Reads a change from text; its name is kept in `memory`. GCAST_USAGE where the text is no change. */
gcast_status change_parse(const char *words, arena *memory, change *c, gcast_error *err);
/* Writes a change as text that change_parse reads. */
void change_write(const change *c, text *t);
/* Writes what a change is, in plain words: one that people write. */
void change_say(const change *c, text *t);
/* The same of any change to this workload: number `which` of those that are made together. */
void change_say_of(const change *changes, size_t which, const gcast_workload *w, text *t);

#endif
