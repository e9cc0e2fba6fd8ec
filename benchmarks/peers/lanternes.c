/* Random games of Lanternes as a hand-written C loop: what a compiled rules engine is measured against.
 *
 *     cc -std=c11 -O3 -march=native lanternes.c -o lanternes
 *     ./lanternes PLAYERS GAMES SEED [first|active] < components
 *
 * plays uniformly random legal moves to the end of every game and prints one line of JSON: games, moves (chance
 * included), decisions (moves of seats), seconds, moves per game, and for each seat its mean score and share of wins.
 * The components are words, see read_box; the module beside this file writes them. Built with -DCHECK, every position
 * is tried against the invariants of check.h.
 */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lanternes.h"

#ifdef CHECK
#include "check.h"
#else
#define check(box, state) ((void)0)
#endif

static const char COLOUR_LETTERS[COLOURS + 1] = "WORPBGK";

/* Components: the tiles, the start tile first; for each stack, then for the neutral rewards, a number of cards and
 * points and dots of each; for 2, 3 and 4 players tiles removed and cards per colour. */

static void refuse(const char *what) {
    fprintf(stderr, "components: %s\n", what);
    exit(2);
}

static int read_number(int most) {
    int n;
    if (scanf("%d", &n) != 1 || n < 0 || n > most) refuse("a number is missing or out of range");
    return n;
}

static void read_tile(Box *box, int tile) {
    char word[SIDES + 2] = "";
    uint8_t colours[SIDES];
    if (scanf("%5s", word) != 1) refuse("a tile is missing");
    for (int i = 0; i < SIDES; i++) {
        const char *letter = word[i] ? strchr(COLOUR_LETTERS, word[i]) : NULL;
        if (!letter) refuse("a tile has four sides of known colours");
        colours[i] = letter - COLOUR_LETTERS;
    }
    if (word[SIDES] && word[SIDES] != '*') refuse("only * may follow the sides of a tile");
    int half = colours[0] == colours[2] && colours[1] == colours[3];
    box->rotations[tile] = half ? (colours[0] == colours[1] ? 1 : 2) : 4;
    for (int rotation = 0; rotation < SIDES; rotation++) {
        int face = FACE + SIDES * tile + rotation;
        box->symbol[face] = word[SIDES] == '*';
        for (int side = 0; side < SIDES; side++)
            box->sides[face][side] = colours[(side - rotation + SIDES) % SIDES];
    }
}

/* A card with more dots than there are players leaves the game. */
static void read_stack(Box *box, int stack) {
    uint8_t points[STACK_AT_MOST], dots[STACK_AT_MOST];
    int size = read_number(STACK_AT_MOST);
    for (int i = 0; i < size; i++) {
        points[i] = read_number(100);
        dots[i] = read_number(SEATS);
    }
    for (int players = 2; players <= SEATS; players++)
        for (int i = size - 1; i >= 0; i--)
            if (dots[i] <= players) box->points[players][stack][++box->stack_size[players][stack]] = points[i];
}

static void read_neutral(Box *box) {
    int points = 0;
    for (int cards = read_number(STACK_AT_MOST); cards; cards--) {
        points = read_number(100);
        read_number(SEATS);
    }
    for (int players = 2; players <= SEATS; players++)
        for (int stack = 0; stack < STACKS; stack++)
            box->points[players][stack][0] = points;
}

static void read_box(Box *box) {
    memset(box, 0, sizeof *box);
    memset(box->sides, NO_COLOUR, sizeof box->sides);
    for (int tile = 0; tile < TILES; tile++)
        read_tile(box, tile);
    while (COLOUR_LETTERS[box->sides[FACE][box->red]] != 'R')
        if (++box->red == SIDES) refuse("the start tile has no red side");
    for (int stack = 0; stack < STACKS; stack++)
        read_stack(box, stack);
    read_neutral(box);
    for (int players = 2; players <= SEATS; players++) {
        box->tiles_removed[players] = read_number(TILES - 1 - SEATS * HAND);
        box->cards_per_colour[players] = read_number(31);
    }
    for (int n = 3; n <= COLOURS; n++)
        for (int a = 0, i = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                for (int c = b + 1; c < n; c++)
                    box->triple[n][i++] = 1 << a | 1 << b | 1 << c;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

typedef struct {
    long moves, decisions, score[SEATS];
    double wins[SEATS];
} Tally;

static void play(const Box *box, State *s, uint64_t *rng, Tally *tally) {
    check(box, s);
    while (s->phase != OVER) {
        Move move = nth_move(box, s, random_index(rng, move_count(box, s)));
        apply(box, s, move);
        tally->moves++;
        tally->decisions += !is_chance(move.kind);
        check(box, s);
    }
}

static void settle(const State *s, Tally *tally) {
    int best = 0, winners = 0;
    for (int seat = 0; seat < s->players; seat++) {
        int mine = standing(s, seat);
        winners = mine > best || !seat ? 1 : winners + (mine == best);
        best = mine > best ? mine : best;
        tally->score[seat] += s->points[seat];
    }
    for (int seat = 0; seat < s->players; seat++)
        if (standing(s, seat) == best) tally->wins[seat] += 1.0 / winners;
}

static void print_means(const char *name, const double *sums, int players, long games) {
    printf(", \"%s\": [", name);
    for (int seat = 0; seat < players; seat++)
        printf("%s%.4f", seat ? ", " : "", sums[seat] / games);
    printf("]");
}

int main(int argc, char **argv) {
    int players = argc > 1 ? atoi(argv[1]) : 0;
    long games = argc > 2 ? atol(argv[2]) : 0;
    uint64_t rng = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    int from_active = argc > 4 && strcmp(argv[4], "active") == 0;
    if (argc < 4 || argc > 5 || players < 2 || players > SEATS || games < 1
        || (argc == 5 && !from_active && strcmp(argv[4], "first"))) {
        fprintf(stderr, "usage: lanternes PLAYERS GAMES SEED [first|active] < components\n");
        return 2;
    }
    static Box box;
    static State state;
    Tally tally = {0};
    read_box(&box);

    double start = seconds();
    for (long game = 0; game < games; game++) {
        setup(&box, &state, players, from_active);
        play(&box, &state, &rng, &tally);
        settle(&state, &tally);
    }
    double spent = seconds() - start;

    double score[SEATS];
    for (int seat = 0; seat < SEATS; seat++)
        score[seat] = tally.score[seat];
    printf("{\"players\": %d, \"games\": %ld, \"moves\": %ld, \"decisions\": %ld, \"seconds\": %.6f", players, games,
        tally.moves, tally.decisions, spent);
    printf(", \"moves_per_game\": %.4f", (double)tally.moves / games);
    print_means("score", score, players, games);
    print_means("wins", tally.wins, players, games);
    printf("}\n");
    return 0;
}
