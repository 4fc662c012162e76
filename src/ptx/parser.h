/* The state of a parse, and what all parts of the parser use: errors, tokens, text that is kept as written, and names
 * by scope. All functions parse_... return false when they fail, and then the error is set. */
#ifndef PTX_PARSER_H
#define PTX_PARSER_H

#include "base/index.h"
#include "base/vec.h"
#include "ptx/lex.h"

/* Limits against short texts that demand much memory. */
enum {
    PARSE_MAX_DEPTH = 64,              /* of braces, and of parentheses in an expression */
    PARSE_MAX_REGISTERS = 1 << 20,     /* of a function */
    PARSE_MAX_ALL_REGISTERS = 1 << 22, /* of a module */
    PARSE_MAX_PADDING = 1 << 20,       /* zeros that fill up short rows of an initializer */
    PARSE_MAX_DIMS = 16                /* dimensions of an array */
};

typedef enum { SYMBOL_REGISTER, SYMBOL_VAR, SYMBOL_FUNCTION, SYMBOL_LABEL, SYMBOL_TABLE } symbol_kind;

/* A name with its meaning in one scope. */
typedef struct symbol {
    symbol_kind kind;       /* what it names */
    uint32_t atom;          /* the name */
    uint32_t outer;         /* its meaning in the enclosing scopes: symbol + 1; 0: none */
    uint32_t number;        /* of a register, or of the item of a label or table */
    ptx_var *var;           /* of SYMBOL_VAR */
    ptx_function *function; /* of SYMBOL_FUNCTION */
    ptx_place at;           /* where it was declared */
} symbol;

/* A word. Every word is kept once. */
typedef struct atom {
    const char *text; /* ends with a NUL */
    uint32_t size;    /* its characters */
    uint32_t meaning; /* symbol of the innermost scope + 1; 0: none */
} atom;

typedef struct scope {
    size_t first_symbol;  /* the symbols from here on were declared in it */
    size_t first_pending; /* the labels from here on were used in it */
    uint32_t open_item;   /* item of its { */
} scope;

/* A use of a label. The label is known at the end of its scope. */
typedef struct pending {
    ptx_operand *operand; /* the use */
    uint32_t atom;        /* the name */
} pending;

/* A place of the source in an inlined function, and the call that was inlined. */
typedef struct inlining {
    uint32_t at[3];         /* file, line and column */
    uint32_t call_place[3]; /* file, line and column of the call */
} inlining;

#define RECENT_INLININGS 64

typedef struct parser {
    lexer lex;           /* the text */
    token tok;           /* the next token */
    ptx_module *m;       /* the result */
    arena *memory;       /* of the module */
    gcast_error *err;    /* where the error goes; may be NULL */
    gcast_status status; /* GCAST_OK until something fails */

    /* names */
    hash_index atom_index;       /* by text: the number of the atom */
    VEC(atom) atoms;             /* all words */
    VEC(symbol) symbols;         /* of all open scopes, the innermost last */
    VEC(scope) scopes;           /* open ones, the innermost last */
    VEC(pending) pendings;       /* labels of all open scopes */
    VEC(ptx_operand *) declared; /* operands whose function or variable is only declared so far */

    /* the current function */
    ptx_function *function;                           /* the result */
    VEC(ptx_item) items;                              /* of its body so far */
    VEC(ptx_register) registers;                      /* of all its scopes so far */
    uint64_t all_registers;                           /* of all functions so far */
    uint32_t source_file, source_line, source_column; /* of the last .loc; 0: none */
    uint32_t caller_file, caller_line;                /* the outermost call that the last .loc is inlined into */
    inlining inlined[RECENT_INLININGS];               /* the last ones, as a ring buffer */
    uint32_t inlinings;                               /* count of all so far */

    /* buffers that are reused */
    VEC(ptx_operand) operands; /* a stack: inner lists are on top */
    VEC(const char *) words;   /* modifiers of an instruction */
    VEC(ptx_value) values;     /* of an initializer */
    uint64_t padding;          /* zeros that filled up short rows of the initializer */
    text buffer;               /* tokens that are kept as written */

    /* the module */
    VEC(ptx_var *) vars;           /* so far */
    VEC(ptx_function *) functions; /* so far */
    VEC(ptx_file) files;           /* so far */
    VEC(int32_t) order;            /* as in ptx_module */
} parser;

/* Fails with a message and a place; always false. */
bool parse_fail(parser *p, ptx_place at, const char *format, ...) GCAST_PRINTF(3, 4);
/* Fails: memory ran out. */
bool parse_memory(parser *p);
/* Fails with "expected WHAT, not `...`" at the next token. */
bool parse_expected(parser *p, const char *expected);

/* Skips the next token. */
bool parse_advance(parser *p);
bool parse_is_sign(const parser *p, int sign);
bool parse_is_dot(const parser *p, const char *word);
bool parse_is_name(const parser *p, const char *word);
/* Skips the next token, which must be this sign. */
bool parse_sign(parser *p, char sign);
/* Is the next token this sign? If so, skips it. */
bool parse_if_sign(parser *p, int sign, bool *found);

/* Adds the next token to p->buffer, with one space between words, and skips it. */
bool parse_keep(parser *p);
/* *out is a copy of the buffer, or NULL if that is empty; empties the buffer. */
bool parse_kept(parser *p, const char **out);

/* A copy in the memory of the module; NULL without memory. */
const void *parse_copy(parser *p, const void *data, size_t count, size_t size);
/* Adds an item to the body of the function. */
bool parse_add_item(parser *p, ptx_item item);

/* The number of a word, which is added if it is new. */
bool parse_atom(parser *p, const char *text, size_t size, uint32_t *out);
/* Skips the next token, which must be a name. The error names `expected`. */
bool parse_name(parser *p, const char *expected, uint32_t *name, ptx_place *at);
/* The meaning of a name in the innermost scope; NULL: none. */
symbol *parse_lookup(parser *p, uint32_t name);
/* Declares a name in the innermost scope; one that is already declared there is an error. */
bool parse_declare(parser *p, symbol s);
bool parse_scope_open(parser *p, uint32_t open_item);
bool parse_scope_close(parser *p);
/* Remembers an operand that names a label, which may follow later. */
bool parse_pending_label(parser *p, ptx_operand *operand, uint32_t name);

#endif
