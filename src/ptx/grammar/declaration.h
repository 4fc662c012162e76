/* Declarations of variables and registers. */
#ifndef PTX_GRAMMAR_DECLARATION_H
#define PTX_GRAMMAR_DECLARATION_H

#include "ptx/parse/state.h"

/* What stands between the space and the name, .align 4 .v4 .f32 .ptr ...: fills these fields of v. */
bool parse_var_type(parser *p, ptx_var *v);
/* .attribute(...) as written. */
bool parse_attribute(parser *p, const char **out);
/* name[2][3] */
bool parse_declarator(parser *p, ptx_var *v);
/* The declarators after the space of *first, up to and with the semicolon; `add` is called for each variable. */
bool parse_vars(parser *p, ptx_var *first, bool (*add)(parser *p, ptx_var *v));
/* Registers after .reg, up to and with the semicolon. */
bool parse_registers(parser *p);
/* Declares one register of the function. */
bool parse_add_register(parser *p, const char *name, size_t size, ptx_type type, int width, ptx_place at);

#endif
