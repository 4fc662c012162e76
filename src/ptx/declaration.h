/* Parses declarations of variables and registers, and heads of functions. */
#ifndef PTX_DECLARATION_H
#define PTX_DECLARATION_H

#include "ptx/parser.h"

/* The declarators after the space of *first, up to and with the semicolon; `add` is called for each variable. */
bool parse_vars(parser *p, ptx_var *first, bool (*add)(parser *p, ptx_var *v));
/* Registers after .reg, up to and with the semicolon. */
bool parse_registers(parser *p);
/* Declares one register of the function. */
bool parse_add_register(parser *p, const char *name, size_t size, ptx_type type, int width, ptx_place at);

/* The head of a kernel or function, from .entry or .func on: results, name, parameters and directives. */
bool parse_head(parser *p, ptx_function *f, uint32_t *name);
/* A prototype of indirect calls, after `name: .callprototype`. */
bool parse_prototype(parser *p, ptx_function **out);

#endif
