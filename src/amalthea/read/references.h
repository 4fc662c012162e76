/* References from one element to others: `Name?type=Class` in attributes, or child elements with an href. */
#ifndef AMALTHEA_READ_REFERENCES_H
#define AMALTHEA_READ_REFERENCES_H

#include "amalthea/read/reader.h"

/* The index of the one element of this kind that attribute or child `name` refers to; -1 where there is none, which
 * is an error where it is needed. */
bool reference_one(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, bool needed, int *index);
/* Of all of them. */
bool reference_list(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, const int **list, size_t *count);
/* The symbol of one reference of any kind; NULL where there is none. */
bool reference_symbol(am_reader *r, xml_node *n, const char *name, bool needed, const am_symbol **symbol);
/* The symbols of all references of any kind, which the caller frees. */
typedef VEC(const am_symbol *) am_symbol_list;
bool reference_symbols(am_reader *r, xml_node *n, const char *name, am_symbol_list *list);

/* One reference as text of `size` bytes, to class and decoded name in new memory of the arena; false where it is none
 * or without memory (*name is NULL then). */
bool reference_split(arena *memory, const char *text, size_t size, const char **class, const char **name);
/* The next of a list of references; the size of it, and 0 at the end. */
size_t reference_next(const char **text);
/* The part of an href behind #. */
const char *reference_target(const char *href);

#endif
