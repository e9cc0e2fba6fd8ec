/* Random games of Lanternes as a C loop driven as far as we could: packed cards, moves counted and never listed,
 * sorted lists changed without a branch, one stream of random numbers. lanternes.c is the plain one.
 *
 *     cc -std=c11 -O3 -march=native lanternes_tuned.c -o lanternes_tuned
 *     ./lanternes_tuned PLAYERS GAMES SEED [first|active] < components
 *
 * plays and prints as lanternes.c does, but other games for the same seed. Built with -DCHECK, every position is tried
 * against the invariants of check.h.
 */
#include "loop.h"

#include "lanternes_tuned.h"

#ifdef CHECK
#include "check.h"
#else
#define check(box, state) ((void)0)
#endif

static void make_tile(Box *box, int tile, const uint8_t *colours, int symbol) {
    box->rotations[tile] = looks(colours);
    for (int rotation = 0; rotation < SIDES; rotation++) {
        int face = FACE + SIDES * tile + rotation;
        box->symbol[face] = symbol;
        for (int side = 0; side < SIDES; side++)
            box->sides[face][side] = colours[(side - rotation + SIDES) % SIDES];
    }
}

static void make_box(Box *box, const Components *from) {
    memset(box, 0, sizeof *box);
    memset(box->sides, NO_COLOUR, sizeof box->sides);
    make_tile(box, 0, from->start, 0);
    for (int tile = 0; tile < LAKE_TILES; tile++)
        make_tile(box, 1 + tile, from->lake[tile], from->symbol[tile]);
    box->red = from->red;
    memcpy(box->tiles_removed, from->tiles_removed, sizeof box->tiles_removed);
    memcpy(box->cards_per_colour, from->cards_per_colour, sizeof box->cards_per_colour);
    memcpy(box->stack_size, from->stack_size, sizeof box->stack_size);
    for (int players = 2; players <= SEATS; players++)
        for (int stack = 0; stack < STACKS; stack++) {
            int size = from->stack_size[players][stack];
            box->points[players][stack][0] = from->neutral;
            for (int i = 0; i < size; i++)
                box->points[players][stack][size - i] = from->points[players][stack][i];
        }
    for (int n = 3; n <= COLOURS; n++)
        for (int a = 0, i = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                for (int c = b + 1; c < n; c++)
                    box->triple[n][i++] = 1 << a | 1 << b | 1 << c;
}

static void play(const Box *box, State *s, uint64_t *rng, Tally *tally) {
    long moves = 0, decisions = 0;
    check(box, s);
    while (s->phase != OVER) {
        Move move = nth_move(box, s, random_index(rng, move_count(box, s)));
        apply(box, s, move);
        moves++;
        decisions += !is_chance(move.kind);
        check(box, s);
    }
    count_game(tally, moves, decisions);
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
        if (standing(s, seat) == best) tally->shares[seat] += SHARE / winners;
}

int main(int argc, char **argv) {
    static Components components;
    static Box box;
    static State state;
    Arguments args = read_arguments(argc, argv);
    Tally tally = {0};
    read_components(&components);
    make_box(&box, &components);

    uint64_t rng = args.seed;
    double start = seconds();
    for (long game = 0; game < args.games; game++) {
        setup(&box, &state, args.players, args.from_active);
        play(&box, &state, &rng, &tally);
        settle(&state, &tally);
    }
    print_figures(&tally, args.players, seconds() - start);
    return 0;
}
