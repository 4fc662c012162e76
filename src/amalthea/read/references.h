/* Resolves references from one element to others: `Name?type=Class` in attributes, or child elements with an href. */
#ifndef AMALTHEA_READ_REFERENCES_H
#define AMALTHEA_READ_REFERENCES_H

#include "amalthea/read/reader.h"

/* The index of the element of this kind that attribute or child `name` refers to. Without a reference it is -1, which
 * is an error if one is needed. */
bool reference_one(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, bool needed, int *index);
/* The indices of all elements of this kind that it refers to. */
bool reference_list(am_reader *r, xml_node *n, const char *name, am_symbol_kind kind, const int **list, size_t *count);
/* As reference_one, for any kind: the symbol; NULL where there is none. */
bool reference_symbol(am_reader *r, xml_node *n, const char *name, bool needed, const am_symbol **symbol);
/* The symbols of all references of any kind, which the caller frees. */
typedef VEC(const am_symbol *) am_symbol_list;
bool reference_symbols(am_reader *r, xml_node *n, const char *name, am_symbol_list *list);

/* Splits a reference of `size` bytes into class and decoded name, in new memory of the arena; false where it is not
 * one, or without memory (*name is NULL then). */
bool reference_split(arena *memory, const char *text, size_t size, const char **class, const char **name);
/* Moves *text to the next of a list of references; returns its size, 0 at the end. */
size_t reference_next(const char **text);
/* The part of an href behind #. */
const char *reference_target(const char *href);

#endif
