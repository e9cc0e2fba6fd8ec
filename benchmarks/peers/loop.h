/* What the C loops of Lanternes share: the command line, the components, and the figures they print. */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 4, COLOURS = 7, SIDES = 4, STACKS = 3, STACK_AT_MOST = 9, LAKE_TILES = 35 };
enum { NORTH, EAST, SOUTH, WEST };

static const uint8_t FACED_SIDE[SEATS + 1][SEATS] = {
    [2] = {SOUTH, NORTH}, [3] = {SOUTH, WEST, NORTH}, [4] = {SOUTH, WEST, NORTH, EAST}};

/* The command line. */

typedef struct {
    int players;
    long games;
    uint64_t seed;
    int from_active;
} Arguments;

static Arguments read_arguments(int argc, char **argv) {
    Arguments args = {0};
    if (argc == 4 || argc == 5) {
        args.players = atoi(argv[1]);
        args.games = atol(argv[2]);
        args.seed = strtoull(argv[3], NULL, 10);
        args.from_active = argc == 5 && !strcmp(argv[4], "active");
    }
    if (args.players < 2 || args.players > SEATS || args.games < 1
        || (argc == 5 && !args.from_active && strcmp(argv[4], "first"))) {
        fprintf(stderr, "usage: %s PLAYERS GAMES SEED [first|active] < components\n", argv[0]);
        exit(2);
    }
    return args;
}

/* Components: the tiles, the start tile first; for each stack, then for the neutral rewards, a number of cards and
 * points and dots of each; for 2, 3 and 4 players tiles removed and cards per colour. */

typedef struct {
    uint8_t start[SIDES], lake[LAKE_TILES][SIDES]; /* colours clockwise from the north */
    uint8_t symbol[LAKE_TILES];
    uint8_t red; /* side of the start tile */
    uint8_t stack_size[SEATS + 1][STACKS];
    uint8_t points[SEATS + 1][STACKS][STACK_AT_MOST]; /* top of the stack first */
    uint8_t neutral;
    uint8_t tiles_removed[SEATS + 1], cards_per_colour[SEATS + 1];
} Components;

static const char COLOUR_LETTERS[COLOURS + 1] = "WORPBGK";

static void refuse(const char *what) {
    fprintf(stderr, "components: %s\n", what);
    exit(2);
}

static int read_number(int most) {
    int n;
    if (scanf("%d", &n) != 1 || n < 0 || n > most) refuse("a number is missing or out of range");
    return n;
}

/* Whether the tile has a symbol. */
static int read_tile(uint8_t *colours) {
    char word[SIDES + 2] = "";
    if (scanf("%5s", word) != 1) refuse("a tile is missing");
    for (int side = 0; side < SIDES; side++) {
        const char *letter = word[side] ? strchr(COLOUR_LETTERS, word[side]) : NULL;
        if (!letter) refuse("a tile has four sides of known colours");
        colours[side] = letter - COLOUR_LETTERS;
    }
    if (word[SIDES] && word[SIDES] != '*') refuse("only * may follow the sides of a tile");
    return word[SIDES] == '*';
}

/* A card with more dots than there are players leaves the game. */
static void read_stack(Components *box, int stack) {
    for (int cards = read_number(STACK_AT_MOST); cards; cards--) {
        int points = read_number(100), dots = read_number(SEATS);
        for (int players = 2; players <= SEATS; players++)
            if (dots <= players) box->points[players][stack][box->stack_size[players][stack]++] = points;
    }
}

static void read_components(Components *box) {
    memset(box, 0, sizeof *box);
    if (read_tile(box->start)) refuse("the start tile has no symbol");
    for (int tile = 0; tile < LAKE_TILES; tile++)
        box->symbol[tile] = read_tile(box->lake[tile]);
    while (COLOUR_LETTERS[box->start[box->red]] != 'R')
        if (++box->red == SIDES) refuse("the start tile has no red side");
    for (int stack = 0; stack < STACKS; stack++)
        read_stack(box, stack);
    for (int cards = read_number(STACK_AT_MOST); cards; cards--) {
        box->neutral = read_number(100);
        read_number(SEATS);
    }
    for (int players = 2; players <= SEATS; players++) {
        box->tiles_removed[players] = read_number(LAKE_TILES - SEATS * 3);
        box->cards_per_colour[players] = read_number(31);
    }
}

/* How many rotations of a tile look different. */
static int looks(const uint8_t *colours) {
    if (colours[0] != colours[2] || colours[1] != colours[3]) return 4;
    return colours[0] == colours[1] ? 1 : 2;
}

/* Figures. */

enum { SHARE = 60 }; /* a victory in whole parts that two, three or four winners can share */

typedef struct {
    long games, moves, decisions, shortest, longest, score[SEATS], shares[SEATS];
} Tally;

static void count_game(Tally *tally, long moves, long decisions) {
    if (!tally->games || moves < tally->shortest) tally->shortest = moves;
    if (moves > tally->longest) tally->longest = moves;
    tally->games++;
    tally->moves += moves;
    tally->decisions += decisions;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void print_means(const char *name, const long *sums, double parts, int players, long games) {
    printf(", \"%s\": [", name);
    for (int seat = 0; seat < players; seat++)
        printf("%s%.17g", seat ? ", " : "", sums[seat] / parts / games);
    printf("]");
}

static void print_figures(const Tally *tally, int players, double spent) {
    printf("{\"players\": %d, \"games\": %ld, \"moves\": %ld, \"decisions\": %ld, \"seconds\": %.6f", players,
        tally->games, tally->moves, tally->decisions, spent);
    printf(", \"moves_per_game\": %.17g", (double)tally->moves / tally->games);
    printf(", \"shortest\": %ld, \"longest\": %ld", tally->shortest, tally->longest);
    print_means("score", tally->score, 1, players, tally->games);
    print_means("wins", tally->shares, SHARE, players, tally->games);
    printf("}\n");
}
