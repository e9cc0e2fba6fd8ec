/* What must hold at every move of Lanternes, asserted slowly and without the fast paths of lanternes_tuned.h.
 *
 * Built with -DCHECK, the tuned loop calls `check` on every position. The moves are listed a second time by asking of
 * every conceivable one whether the rules allow it.
 */
#undef NDEBUG
#include <assert.h>

enum { MOST_SWAPS = 43, MOST_REWARDS = 48 };
static const int MOST_PLACEMENTS[SEATS + 1] = {[2] = 456, [3] = 528, [4] = 600};

static int hand_total(Cards cards) {
    int total = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        total += cards_of(cards, colour);
    return total;
}

static void check_cards(const Box *box, const State *s) {
    int total = box->cards_per_colour[s->players];
    assert(cards_of(s->supply, COLOURS) == 0);
    for (int colour = 0; colour < COLOURS; colour++) {
        int sum = cards_of(s->supply, colour);
        for (int seat = 0; seat < SEATS; seat++) {
            assert(cards_of(s->cards[seat], colour) <= total);
            sum += cards_of(s->cards[seat], colour);
        }
        assert(sum == total);
    }
    for (int seat = 0; seat < SEATS; seat++) {
        assert(cards_of(s->cards[seat], COLOURS) == 0);
        assert(s->boats[seat] <= 5 * s->placements);
        assert(seat < s->players || (!s->cards[seat] && !s->boats[seat] && !s->points[seat]));
    }
    for (int stack = 0; stack < STACKS; stack++)
        assert(s->left[stack] <= box->stack_size[s->players][stack]);
}

static void check_list(const uint8_t *list, int size, int room, int *places) {
    for (int i = 0; i < size; i++) {
        assert(list[i] > (i ? list[i - 1] : 0) && list[i] < TILES);
        places[list[i]]++;
    }
    for (int i = size; i < room; i++)
        assert(list[i] == NO_TILE);
}

static void check_lake(const State *s, int *places) {
    int rank = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (s->lake[cell] == WATER) continue;
        int neighbours = 0;
        for (int side = 0; side < SIDES; side++)
            neighbours += s->lake[cell + STEP[side]] >= FACE;
        if (s->lake[cell] == FREE) {
            assert(neighbours > 0 && nth_cell(s, rank) == cell);
            rank++;
        } else {
            assert(neighbours > 0 || cell == MIDDLE);
            for (int side = 0; side < SIDES; side++)
                assert(s->lake[cell + STEP[side]] != WATER);
            places[(s->lake[cell] - FACE) / SIDES]++;
        }
    }
    assert(rank == s->border_size && rank <= BORDER_AT_MOST);
    for (int i = 0; i < MARGIN; i++)
        assert(s->border[i] == NO_CELL);
    for (; rank < BORDER_ROOM + MARGIN; rank++)
        assert(nth_cell(s, rank) == NO_CELL);
}

/* Every tile is in one place. */
static void check_tiles(const Box *box, const State *s) {
    int places[TILES] = {s->phase == DRAW_FIRST};
    check_lake(s, places);
    check_list(s->unseen, s->unseen_size, UNSEEN_ROOM, places);
    for (int seat = 0; seat < SEATS; seat++) {
        check_list(s->hand[seat], s->hand_size[seat], HAND_ROOM, places);
        assert(s->hand_size[seat] <= HAND && (seat < s->players || !s->hand_size[seat]));
    }
    for (int tile = 0; tile < TILES; tile++)
        assert(places[tile] == 1);
    assert(s->pile + box->tiles_removed[s->players] == s->unseen_size);
}

static int may_pass(const State *s) {
    return s->phase == EXCHANGE
        || (s->phase == REWARD && (s->turn >= s->placements || hand_total(s->cards[s->seat]) <= HELD_AT_MOST));
}

static int may_swap(const State *s, int give, int take) {
    return s->phase == EXCHANGE && s->boats[s->seat] >= 2 && give != take && cards_of(s->cards[s->seat], give)
        && cards_of(s->supply, take);
}

static int may_take(const State *s, int cards, int colours) {
    for (int colour = 0; colour < COLOURS; colour++)
        if (colours >> colour & 1 && cards_of(s->cards[s->seat], colour) < cards) return 0;
    return s->phase == REWARD;
}

static int may_drop(const State *s, int colour) {
    return (s->phase == REWARD || s->phase == DISCARD) && s->turn < s->placements
        && hand_total(s->cards[s->seat]) > HELD_AT_MOST && cards_of(s->cards[s->seat], colour);
}

/* A rotation is a move of its own unless a smaller one looks the same. */
static int may_lay(const Box *box, const State *s, int tile, int rotation) {
    int face = FACE + SIDES * tile;
    if (s->phase != PLACE || !memchr(s->hand[s->seat], tile, HAND)) return 0;
    for (int other = 0; other < rotation; other++)
        if (!memcmp(box->sides[face + rotation], box->sides[face + other], SIDES)) return 0;
    return 1;
}

typedef struct {
    Move move[1024];
    int size;
} Moves;

static void add(Moves *moves, int allowed, Move move) {
    if (allowed) moves->move[moves->size++] = move;
}

static void every_move(const Box *box, const State *s, Moves *moves) {
    moves->size = 0;
    for (int seat = 0; seat < s->players; seat++)
        add(moves, s->phase == DRAW_FIRST, (Move){FIRST, seat, 0, 0});
    for (int tile = 1; tile < TILES; tile++)
        add(moves, (s->phase == DEAL || s->phase == DRAW_TILE) && memchr(s->unseen, tile, TILES - 1),
            (Move){TILE, tile, 0, 0});
    for (int give = 0; give < COLOURS; give++)
        for (int take = 0; take < COLOURS; take++)
            add(moves, may_swap(s, give, take), (Move){SWAP, give, take, 0});
    for (int colour = 0; colour < COLOURS; colour++)
        add(moves, may_take(s, 4, 1 << colour), (Move){TAKE, FOUR, 1 << colour, 0});
    for (int a = 0; a < COLOURS; a++)
        for (int b = a + 1; b < COLOURS; b++)
            for (int c = b + 1, colours; c < COLOURS; c++) {
                colours = 1 << a | 1 << b | 1 << c;
                add(moves, may_take(s, 2, colours), (Move){TAKE, PAIRS, colours, 0});
            }
    add(moves, may_take(s, 1, ALL_COLOURS), (Move){TAKE, SEVEN, ALL_COLOURS, 0});
    for (int colour = 0; colour < COLOURS; colour++)
        add(moves, may_drop(s, colour), (Move){DROP, colour, 0, 0});
    for (int tile = 0; tile < TILES; tile++)
        for (int rotation = 0; rotation < SIDES; rotation++)
            for (int rank = 0; rank < s->border_size && may_lay(box, s, tile, rotation); rank++)
                add(moves, 1, (Move){LAY, tile, rotation, rank});
    add(moves, may_pass(s), (Move){PASS, 0, 0, 0});
}

static void check_moves(const Box *box, const State *s) {
    static Moves moves;
    every_move(box, s, &moves);
    assert(move_count(box, s) == moves.size);
    for (int n = 0; n < moves.size; n++) {
        Move move = nth_move(box, s, n);
        assert(!memcmp(&move, &moves.move[n], sizeof move));
    }
    switch ((Phase)s->phase) {
    case EXCHANGE: assert(moves.size > 1 && moves.size <= MOST_SWAPS); break;
    case REWARD: assert(moves.size > 1 && moves.size <= MOST_REWARDS); break;
    case PLACE: assert(moves.size > 0 && moves.size <= MOST_PLACEMENTS[s->players]); break;
    case OVER: assert(moves.size == 0); break;
    default: assert(moves.size > 0);
    }
}

static void check_turn(const State *s) {
    if (s->phase == DRAW_FIRST || s->phase == DEAL) {
        assert(s->turn == 0);
        return;
    }
    assert(s->seat == (s->first + s->turn) % s->players);
    assert(s->turn <= s->placements + s->players);
    assert((s->phase == OVER) == (s->turn == s->placements + s->players));
    assert(s->phase != PLACE || hand_total(s->cards[s->seat]) <= HELD_AT_MOST);
    assert(s->phase != DISCARD || hand_total(s->cards[s->seat]) > HELD_AT_MOST);
    for (int seat = 0; seat < s->players; seat++) {
        assert(s->turn < s->placements || s->hand_size[seat] == 0);
        assert(!s->pile || s->hand_size[seat] == HAND || (s->phase == DRAW_TILE && seat == s->seat));
    }
}

static void check(const Box *box, const State *s) {
    check_cards(box, s);
    check_tiles(box, s);
    check_turn(s);
    check_moves(box, s);
}
