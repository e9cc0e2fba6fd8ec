/* Random games of Lanternes as a plain hand-written C loop: what our language costs is measured against it.
 *
 *     cc -std=c11 -O3 -march=native lanternes.c -o lanternes
 *     ./lanternes PLAYERS GAMES SEED [first|active] < components
 *
 * plays uniformly random legal moves to the end of every game and prints one line of JSON: games, moves (chance
 * included), decisions (moves of seats), seconds, moves per game, the shortest and the longest game, and for each seat
 * its mean score and share of wins. The components are words, see loop.h; the module beside this file writes them.
 *
 * The rules (lanternes.h) and this loop are those of the package, in the same order and with the same random numbers:
 * `lampion simulate lanternes` plays the very same games from the same seed.
 */
#include <stdbool.h>

#include "loop.h"

#include "lanternes.h"

static void make_tile(Box *box, int tile, const uint8_t *colours, int symbol) {
    box->symbols[tile] = symbol;
    box->turns[tile] = looks(colours);
    for (int turn = 0; turn < 4; turn++)
        for (int side = 0; side < 4; side++)
            box->faces[1 + tile * 4 + turn][side] = colours[(side - turn) & 3];
}

static void make_box(Box *box, const Components *from) {
    memset(box, 0, sizeof *box);
    for (int tile = 0; tile < TILES; tile++)
        make_tile(box, tile, from->lake[tile], from->symbol[tile]);
    make_tile(box, START, from->start, 0);
    box->red = from->red;
    box->neutral = from->neutral;
    memcpy(box->rewards, from->points, sizeof box->rewards);
    memcpy(box->stack_sizes, from->stack_size, sizeof box->stack_sizes);
    memcpy(box->removed, from->tiles_removed, sizeof box->removed);
    memcpy(box->cards, from->cards_per_colour, sizeof box->cards);
    memcpy(box->sides, FACED_SIDE, sizeof box->sides);
    int number = 0;
    for (int a = 0; a < COLOURS; a++)
        for (int b = a + 1; b < COLOURS; b++)
            for (int c = b + 1; c < COLOURS; c++, number++) {
                box->triples[number][0] = a;
                box->triples[number][1] = b;
                box->triples[number][2] = c;
                box->triple_from[a][b] = number - c;
            }
}

static bool is_before(const int *a, const int *b) {
    for (int i = 0; i < KEYS; i++)
        if (a[i] != b[i]) return a[i] > b[i];
    return false;
}

static int place_of(int keys[][KEYS], int players, int seat) {
    int place = 1;
    for (int other = 0; other < players; other++)
        place += is_before(keys[other], keys[seat]);
    return place;
}

static void add_up(const State *state, int players, long moves, long decisions, Tally *tally) {
    int keys[SEATS][KEYS], winners = 0;
    count_game(tally, moves, decisions);
    for (int seat = 0; seat < players; seat++)
        key(state, seat, keys[seat]);
    for (int seat = 0; seat < players; seat++)
        winners += place_of(keys, players, seat) == 1;
    for (int seat = 0; seat < players; seat++) {
        tally->score[seat] += keys[seat][0];
        if (place_of(keys, players, seat) == 1) tally->shares[seat] += SHARE / winners;
    }
}

static void play_game(const Box *box, State *state, const Arguments *args, long game, Tally *tally) {
    int ids[MOST + 1], weights[MOST + 1], drawn[SOURCES] = {0}, who;
    long moves = 0, decisions = 0;
    uint64_t stream = game_seed(args->seed, game, 0), player = game_seed(args->seed, game, 1);
    setup(box, state, args->players, args->from_active);
    while ((who = actor(state)) != OVER) {
        int move;
        if (who == CHANCE) {
            int from = source(state);
            uint64_t chance = name_draw(stream, from, drawn[from]++);
            move = pick(box, state, who, &chance, ids, weights);
        } else {
            decisions++;
            move = pick(box, state, who, &player, ids, weights);
        }
        apply(box, state, move);
        moves++;
    }
    add_up(state, args->players, moves, decisions, tally);
}

int main(int argc, char **argv) {
    static Components components;
    static Box box;
    static State state;
    Arguments args = read_arguments(argc, argv);
    Tally tally = {0};
    read_components(&components);
    make_box(&box, &components);

    double start = seconds();
    for (long game = 0; game < args.games; game++)
        play_game(&box, &state, &args, game, &tally);
    print_figures(&tally, args.players, seconds() - start);
    return 0;
}
