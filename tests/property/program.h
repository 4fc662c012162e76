/* Random PTX programs whose results do not depend on the order of threads, as trees: a tree is printed as PTX, and run
 * by a slow and simple interpreter. */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "support/support.h"

/* Registers: %a 32 bits, %w 64, %h 16, %f float, %d double, %p predicates; 4 of each. */
enum { KIND_A, KIND_W, KIND_H, KIND_F, KIND_D, KIND_P, KINDS };
#define REGISTERS 4
#define MAX_NODES 400
#define FUNCTIONS 3 /* the kernel is function 0 */
#define DEPTH 2     /* of calls */
#define LEVELS 3    /* of loops in one function */

/* Bytes a thread has in each space, and what all share. */
#define GLOBAL_BYTES 64
#define LOCAL_BYTES 32
#define SHARED_BYTES 16
#define CONST_BYTES 64
#define SAVED_BYTES 128  /* its registers at the end */
#define COUNTERS 8       /* atomic operations that commute, each with a word in global and one in shared memory */
#define MOST_THREADS 128 /* of a block */

typedef enum {
    NODE_OP,
    NODE_LOAD,
    NODE_STORE,
    NODE_ATOMIC, /* on the thread's own memory, with a result */
    NODE_COUNT,  /* on a word that all threads share, without a result */
    NODE_IF,     /* child 0, else child 1 */
    NODE_LOOP,   /* child 0 */
    NODE_SWITCH, /* children 0..3 */
    NODE_BREAK,  /* if the guard holds; so do the next two */
    NODE_CONTINUE,
    NODE_EXIT,
    NODE_CALL,
    /* only where all threads of the block arrive: */
    NODE_REPEAT, /* child 0, a few times */
    NODE_HALF,   /* child 0 in blocks with odd numbers, else child 1 */
    NODE_PHASE,  /* barrier, child 0 reads all of shared memory, barrier */
    NODE_VOTE,   /* of the lanes of a warp for which the guard holds */
    NODE_SHUFFLE,
    NODE_AGREE /* bar.red */
} node_kind;

typedef enum { SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED, SPACE_OTHERS, SPACE_CONST } node_space;

typedef struct source {
    bool immediate; /* `bits`; else a register */
    int reg;        /* number of the register of its kind */
    uint64_t bits;  /* value of the immediate */
} source_operand;

typedef struct node {
    node_kind kind;           /* what it does */
    int next;                 /* index of the next node of its list; -1: it is the last */
    int child[4];             /* by kind: the first nodes of lists */
    int guard;                /* 0: none, n: if %p(n-1), -n: if not */
    int op;                   /* index in the table of its kind */
    int d, form, level;       /* destination register, variant, nesting of loops */
    source_operand source[3]; /* operands */
    node_space space;         /* of a memory access */
    int vector;               /* elements of a memory access */
    bool generic, fixed;      /* the address is generic; the offset is a constant */
    bool skipped;             /* left out while a failing program is reduced */
} node;

typedef struct program_tree {
    uint64_t seed;        /* that it was made from */
    uint32_t grid, block; /* of its launch */
    bool exits;           /* threads may exit early; then warps exchange nothing */
    int nodes;            /* number of nodes */
    node node[MAX_NODES]; /* by index */
    int body[FUNCTIONS];  /* by function: its first node */
} program_tree;

/* Instructions of registers only: PTX with $0 for the destination and $1.. for
 * sources, and the kinds of these. */
typedef struct tree_op {
    const char *text;  /* of the PTX */
    const char *shape; /* a letter for the kind of each operand */
} tree_op;
extern const tree_op tree_ops[];
extern const int tree_op_count;
int kind_of(char letter);
uint64_t tree_op_value(int op, uint64_t x, uint64_t y, uint64_t z);

/* Types of loads and stores. */
typedef struct tree_type {
    const char *name; /* as in PTX */
    int bytes;        /* of an element */
    bool is_signed;   /* loads extend the sign */
    int kind;         /* of the register */
} tree_type;
extern const tree_type tree_types[];
extern const int tree_type_count;

extern const char *const counter_names[COUNTERS];
uint32_t counter_combine(int counter, uint32_t value, uint32_t x);
#define ATOMICS 8
extern const char *const atomic_names[ATOMICS];
uint32_t atomic_combine(int op, uint32_t value, uint32_t x, uint32_t y);
#define VOTES 9
extern const char *const vote_texts[VOTES];
extern const uint8_t tree_constants[CONST_BYTES];

/* All memory of a launch. */
typedef struct tree_memory {
    uint32_t threads;                /* of the launch */
    uint8_t *global, *saved;         /* by thread: its global memory, and its registers at the end */
    uint32_t counters[2 * COUNTERS]; /* in global memory, then those in shared memory, summed over the blocks */
} tree_memory;
void tree_memory_fill(tree_memory *m, const program_tree *t);
void tree_memory_free(tree_memory *m);
bool tree_memory_same(const tree_memory *a, const tree_memory *b, char *difference, size_t size);

void program_make(program_tree *t, uint64_t seed);
char *program_print(const program_tree *t); /* for the caller to free */
/* False where the program takes too many steps. */
bool program_run(const program_tree *t, tree_memory *m);

#endif
