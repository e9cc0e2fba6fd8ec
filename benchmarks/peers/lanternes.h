/* The rules of Lanternes as in the package's rules.py, function by function, without its log of events.
 *
 * Plain C: the same fields, the same lists kept the same way, the same move ids, the same random numbers.
 */
enum {
    TILES = LAKE_TILES,
    START = TILES, /* the start tile's number, behind the lake tiles */
    HAND = 3,
    HAND_LIMIT = 12,
    TRIPLES = 35,
    EXCHANGE_BOATS = 2,
    NEUTRAL = STACKS, /* the category of rewards from empty stacks */
    REACH = 34,
    WIDTH = 2 * REACH + 1,
    CELLS = WIDTH * WIDTH,
    CENTRE = REACH * WIDTH + REACH,
    BORDER = 68,
    RANKS = 66,
    NOBODY = -1,
    NO_TILE = 255,
    NO_CELL = 32767,
    FREE = 255,
    KEYS = 3,
};

enum { CHANCE = -1, OVER = -2 };
enum { SOURCE_FIRST, SOURCE_PILE, SOURCES };
enum { CHOOSE_FIRST, DEAL, EXCHANGE, REWARD, DISCARD, PLACE, DRAW, ENDED };
enum { FOUR, PAIRS, SEVEN };

/* Move ids, one range after another */
enum {
    PLACES = 0,
    EXCHANGES = PLACES + TILES * 4 * RANKS,
    FOURS = EXCHANGES + COLOURS * COLOURS,
    PAIRS_OF = FOURS + COLOURS,
    SEVENS = PAIRS_OF + TRIPLES,
    DISCARDS = SEVENS + 1,
    PASS = DISCARDS + COLOURS,
    DRAWS = PASS + 1,
    FIRSTS = DRAWS + TILES,
    MOST = 600,
};

typedef struct {
    int8_t faces[4 * (TILES + 1) + 1][4]; /* colours of a turned tile by its code on the lake */
    int8_t symbols[TILES + 1];
    int8_t turns[TILES + 1]; /* rotations that look different */
    int8_t rewards[SEATS + 1][STACKS][STACK_AT_MOST];
    int8_t stack_sizes[SEATS + 1][STACKS];
    int8_t neutral;
    int8_t removed[SEATS + 1];
    int8_t cards[SEATS + 1];
    int8_t sides[SEATS + 1][SEATS];
    int8_t triples[TRIPLES][3];
    int8_t triple_from[COLOURS][COLOURS];
    int8_t red;
} Box;

typedef struct {
    int16_t border[BORDER]; /* the free cells, ascending, NO_CELL behind */
    int16_t points[SEATS][STACKS + 1];
    uint8_t lake[CELLS]; /* 1 + tile * 4 + turn, FREE beside a tile, else 0 */
    uint8_t unseen[TILES]; /* as hands ascending, NO_TILE behind */
    uint8_t hands[SEATS][HAND];
    int8_t cards[SEATS][COLOURS];
    int8_t supply[COLOURS];
    int8_t boats[SEATS];
    int8_t taken[STACKS];
    int8_t border_count;
    int8_t unseen_count;
    int8_t pile;
    int8_t placed;
    int8_t players;
    int8_t by_active;
    int8_t step;
    int8_t first;
    int8_t active;
    int8_t final;
} State;

/* Random numbers, as in rng.py. */

static const uint64_t STEP = 0x9e3779b97f4a7c15;

static uint64_t mixed(uint64_t value) {
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
    value = (value ^ value >> 27) * 0x94d049bb133111eb;
    return value ^ value >> 31;
}

static uint64_t random_bits(uint64_t *rng) {
    *rng += STEP;
    return mixed(*rng);
}

static int below(uint64_t *rng, uint32_t n) {
    uint64_t product = (random_bits(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t uneven = -n % n;
        while ((uint32_t)product < uneven)
            product = (random_bits(rng) >> 32) * n;
    }
    return product >> 32;
}

/* The generator of the k-th draw from a source in the stream `seed`. */
static uint64_t name_draw(uint64_t seed, int source, int k) {
    return mixed(mixed(mixed(seed + STEP) + source) + k);
}

static uint64_t game_seed(uint64_t seed, long game, int part) {
    return mixed(mixed(mixed(seed) ^ game) ^ (uint64_t)part << 32);
}

/* The lake. */

static bool has_tile(const State *state, int cell) {
    return state->lake[cell] > 0 && state->lake[cell] < FREE;
}

static int side_colour(const Box *box, const State *state, int cell, int side) {
    return box->faces[state->lake[cell]][side];
}

static int neighbour(int cell, int side) {
    static const int8_t beyond[4] = {[NORTH] = WIDTH, [EAST] = 1, [SOUTH] = -WIDTH, [WEST] = -1};
    return cell + beyond[side];
}

static int min(int a, int b) { return a < b ? a : b; }

static int max(int a, int b) { return a > b ? a : b; }

/* Put a tile on a cell: it leaves the border and its untouched neighbours join. */
static void settle(State *state, int cell, int code) {
    int16_t *border = state->border;
    if (state->lake[cell] == FREE) {
        int16_t gone = cell;
        state->border_count--;
        for (int i = 0; i < BORDER - 1; i++) {
            int16_t here = border[i], next = border[i + 1]; /* both read at once: a compiler takes many in a step */
            border[i] = here < gone ? here : next;
        }
        border[BORDER - 1] = NO_CELL;
    }
    state->lake[cell] = code;
    for (int side = 0; side < 4; side++) {
        int free = neighbour(cell, side);
        if (state->lake[free] == 0) {
            state->lake[free] = FREE;
            state->border_count++;
            int16_t new = free;
            for (int i = BORDER - 1; i > 0; i--)
                border[i] = min(border[i], max(border[i - 1], new));
            border[0] = min(border[0], new);
        }
    }
}

/* Set-up. */

/* One lantern card from the supply, if there is one left. */
static void receive(State *state, int seat, int colour) {
    if (state->supply[colour] == 0) return;
    state->supply[colour]--;
    state->cards[seat][colour]++;
}

/* Everybody takes a card of the colour that faces them, clockwise from the first player or the active one. */
static void distribute(const Box *box, State *state, int cell) {
    int players = state->players;
    int seat = state->by_active ? state->active : state->first;
    for (int i = 0; i < players; i++) {
        receive(state, seat, side_colour(box, state, cell, box->sides[players][seat]));
        seat = seat + 1 < players ? seat + 1 : 0;
    }
}

static void setup(const Box *box, State *state, int players, int by_active) {
    memset(state, 0, sizeof *state);
    state->players = players;
    state->by_active = by_active;
    for (int colour = 0; colour < COLOURS; colour++)
        state->supply[colour] = box->cards[players];
    for (int tile = 0; tile < TILES; tile++)
        state->unseen[tile] = tile;
    for (int i = 0; i < BORDER; i++)
        state->border[i] = NO_CELL;
    state->unseen_count = TILES;
    state->pile = TILES - box->removed[players];
    memset(state->hands, NO_TILE, sizeof state->hands);
    settle(state, CENTRE, 1 + START * 4);
    state->first = NOBODY;
    state->active = NOBODY;
    state->step = CHOOSE_FIRST;
}

/* The first player is known: the start tile shows them red, and everybody takes the card that faces them. */
static void begin(const Box *box, State *state, int seat) {
    state->first = seat;
    state->active = seat;
    state->step = DEAL;
    int side = box->sides[state->players][seat];
    state->lake[CENTRE] = 1 + START * 4 + ((side - box->red) & 3);
    distribute(box, state, CENTRE);
}

/* Whose move it is, and what may be done. */

static int actor(const State *state) {
    if (state->step >= EXCHANGE && state->step <= PLACE) return state->active;
    return state->step == ENDED ? OVER : CHANCE;
}

static int source(const State *state) { return state->step == CHOOSE_FIRST ? SOURCE_FIRST : SOURCE_PILE; }

static int held(const State *state, int seat) {
    int total = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        total += state->cards[seat][colour];
    return total;
}

static bool can_exchange(const State *state, int seat) {
    if (state->boats[seat] < EXCHANGE_BOATS) return false;
    for (int give = 0; give < COLOURS; give++)
        if (state->cards[seat][give] > 0)
            for (int take = 0; take < COLOURS; take++)
                if (take != give && state->supply[take] > 0) return true;
    return false;
}

static bool can_reward(const State *state, int seat) {
    int kinds = 0, pairs = 0, fours = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        int have = state->cards[seat][colour];
        kinds += have >= 1;
        pairs += have >= 2;
        fours += have >= 4;
    }
    return fours > 0 || pairs >= 3 || kinds == COLOURS;
}

/* More than twelve cards bind the active player, but not in the final turn, which places no tile. */
static bool over_limit(const State *state, int seat) { return !state->final && held(state, seat) > HAND_LIMIT; }

static int legal_exchanges(const State *state, int seat, int *ids) {
    int n = 0;
    for (int give = 0; give < COLOURS; give++)
        if (state->cards[seat][give] > 0)
            for (int take = 0; take < COLOURS; take++)
                if (take != give && state->supply[take] > 0) ids[n++] = EXCHANGES + give * COLOURS + take;
    return n;
}

static int legal_rewards(const Box *box, const State *state, int seat, int *ids) {
    const int8_t *cards = state->cards[seat];
    int n = 0, kinds = 0;
    for (int colour = 0; colour < COLOURS; colour++) {
        kinds += cards[colour] >= 1;
        if (cards[colour] >= 4) ids[n++] = FOURS + colour;
    }
    for (int a = 0; a < COLOURS - 2; a++)
        if (cards[a] >= 2)
            for (int b = a + 1; b < COLOURS - 1; b++)
                if (cards[b] >= 2)
                    for (int c = b + 1; c < COLOURS; c++)
                        if (cards[c] >= 2) ids[n++] = PAIRS_OF + box->triple_from[a][b] + c;
    if (kinds == COLOURS) ids[n++] = SEVENS;
    return n;
}

static int legal_discards(const State *state, int seat, int *ids, int n) {
    for (int colour = 0; colour < COLOURS; colour++)
        if (state->cards[seat][colour] > 0) ids[n++] = DISCARDS + colour;
    return n;
}

/* What the active player may do in a step before placing. */
static int legal(const Box *box, const State *state, int seat, int *ids) {
    int n;
    if (state->step == EXCHANGE) {
        n = legal_exchanges(state, seat, ids);
    } else if (state->step == REWARD) {
        n = legal_rewards(box, state, seat, ids);
        if (over_limit(state, seat)) return legal_discards(state, seat, ids, n);
    } else {
        return legal_discards(state, seat, ids, 0);
    }
    ids[n] = PASS;
    return n + 1;
}

/* Every seat may be first; tiles are drawn without a list. */
static int chances(const State *state, int *ids, int *weights) {
    for (int seat = 0; seat < state->players; seat++) {
        ids[seat] = FIRSTS + seat;
        weights[seat] = 1;
    }
    return state->players;
}

/* One move at random: of chance by its weights, of a seat with equal odds. */
static int pick_listed(const Box *box, const State *state, int seat, uint64_t *rng, int *ids, int *weights) {
    if (seat != CHANCE) return ids[below(rng, legal(box, state, seat, ids))];
    int n = chances(state, ids, weights), total = 0;
    for (int i = 0; i < n; i++)
        total += weights[i];
    int left = below(rng, total), i = 0;
    while ((left -= weights[i]) >= 0)
        i++;
    return ids[i];
}

/* One move at random; placements and draws, the many, are counted instead of listed. */
static int pick(const Box *box, const State *state, int seat, uint64_t *rng, int *ids, int *weights) {
    if (state->step == DEAL || state->step == DRAW) return DRAWS + state->unseen[below(rng, state->unseen_count)];
    if (state->step != PLACE) return pick_listed(box, state, seat, rng, ids, weights);
    const uint8_t *hand = state->hands[seat];
    int rotations = 0;
    for (int slot = 0; slot < HAND; slot++)
        if (hand[slot] != NO_TILE) rotations += box->turns[hand[slot]];
    int k = below(rng, rotations * state->border_count);
    int turn = k / state->border_count, slot = 0;
    while (turn >= box->turns[hand[slot]])
        turn -= box->turns[hand[slot++]];
    return PLACES + (hand[slot] * 4 + turn) * RANKS + k % state->border_count;
}

/* What a move does. */

/* From `step` on, stop at the first step that has something to ask; the end of a turn is behind the last. */
static void proceed(State *state, int step) {
    int seat = state->active;
    for (;; step++) {
        if (step == EXCHANGE) {
            if (can_exchange(state, seat)) break;
        } else if (step == REWARD) {
            if (can_reward(state, seat) || over_limit(state, seat)) break;
        } else if (step == DISCARD) {
            if (over_limit(state, seat)) break;
        } else if (step == PLACE) {
            if (!state->final) break;
        } else if (step == DRAW) {
            if (state->pile > 0 && !state->final) break;
        } else {
            seat = seat + 1 < state->players ? seat + 1 : 0;
            if (seat == state->first) {
                if (state->final) break;
                if (state->hands[seat][0] == NO_TILE) state->final = 1;
            }
            step = EXCHANGE - 1;
        }
    }
    state->active = seat;
    state->step = step;
}

/* Two boats and a card for a card of another colour. */
static void exchange(State *state, int seat, int move) {
    int give = move / COLOURS, take = move % COLOURS;
    state->boats[seat] -= EXCHANGE_BOATS;
    state->cards[seat][give]--;
    state->supply[give]++;
    state->supply[take]--;
    state->cards[seat][take]++;
}

static void pay(State *state, int seat, int colour, int number) {
    state->cards[seat][colour] -= number;
    state->supply[colour] += number;
}

/* Pay a combination and take the top card of its stack, or the neutral points where the stack is empty. */
static void take_reward(const Box *box, State *state, int seat, int move) {
    int stack;
    if (move == SEVENS) {
        stack = SEVEN;
        for (int colour = 0; colour < COLOURS; colour++)
            pay(state, seat, colour, 1);
    } else if (move >= PAIRS_OF) {
        stack = PAIRS;
        for (int i = 0; i < 3; i++)
            pay(state, seat, box->triples[move - PAIRS_OF][i], 2);
    } else {
        stack = FOUR;
        pay(state, seat, move - FOURS, 4);
    }
    int top = state->taken[stack];
    if (top < box->stack_sizes[state->players][stack]) {
        state->taken[stack]++;
        state->points[seat][stack] += box->rewards[state->players][stack][top];
    } else {
        state->points[seat][NEUTRAL] += box->neutral;
    }
}

/* A card too many goes back to the supply. */
static void discard(State *state, int seat, int colour) {
    state->cards[seat][colour]--;
    state->supply[colour]++;
}

/* A card for each side that meets its own colour; then a boat for each tile of the matches that has a symbol. */
static void match_bonus(const Box *box, State *state, int seat, int cell) {
    int own = box->symbols[(state->lake[cell] - 1) >> 2];
    for (int side = 0; side < 4; side++) {
        int beside = neighbour(cell, side);
        if (!has_tile(state, beside)) continue;
        int colour = side_colour(box, state, cell, side);
        if (colour != side_colour(box, state, beside, (side + 2) & 3)) continue;
        receive(state, seat, colour);
        if (own) {
            own = 0;
            state->boats[seat]++;
        }
        if (box->symbols[(state->lake[beside] - 1) >> 2]) state->boats[seat]++;
    }
}

/* Lay a tile from hand, then match bonus, then distribution. */
static void place(const Box *box, State *state, int seat, int move) {
    int tile = move / (4 * RANKS), turn = move / RANKS & 3, cell = state->border[move % RANKS];
    uint8_t *hand = state->hands[seat];
    for (int slot = 0; slot < HAND - 1; slot++)
        hand[slot] = hand[slot] < tile ? hand[slot] : hand[slot + 1];
    hand[HAND - 1] = NO_TILE;
    settle(state, cell, 1 + tile * 4 + turn);
    state->placed++;
    match_bonus(box, state, seat, cell);
    distribute(box, state, cell);
}

static void leave_unseen(State *state, int tile) {
    uint8_t *unseen = state->unseen, gone = tile;
    for (int i = 0; i < TILES - 1; i++) {
        uint8_t here = unseen[i], next = unseen[i + 1];
        unseen[i] = here < gone ? here : next;
    }
    unseen[TILES - 1] = NO_TILE;
    state->unseen_count--;
}

static void take_in_hand(State *state, int seat, int tile) {
    uint8_t *hand = state->hands[seat];
    for (int slot = HAND - 1; slot > 0; slot--)
        hand[slot] = min(hand[slot], max(hand[slot - 1], tile));
    hand[0] = min(hand[0], tile);
}

/* A tile from the pile into the hand. */
static void draw(State *state, int seat, int tile) {
    leave_unseen(state, tile);
    state->pile--;
    take_in_hand(state, seat, tile);
    if (state->step == DRAW) {
        proceed(state, ENDED);
    } else if (state->hands[seat][HAND - 1] != NO_TILE) {
        state->active = seat + 1 < state->players ? seat + 1 : 0;
        if (state->active == state->first) proceed(state, EXCHANGE);
    }
}

static void apply(const Box *box, State *state, int move) {
    int active = state->active;
    if (move < EXCHANGES) {
        place(box, state, active, move);
        proceed(state, DRAW);
    } else if (move >= FIRSTS) {
        begin(box, state, move - FIRSTS);
    } else if (move >= DRAWS) {
        draw(state, active, move - DRAWS);
    } else if (move == PASS) {
        proceed(state, state->step + 1);
    } else if (move >= DISCARDS) {
        discard(state, active, move - DISCARDS);
        proceed(state, DISCARD);
    } else if (move >= FOURS) {
        take_reward(box, state, active, move);
        proceed(state, DISCARD);
    } else {
        exchange(state, active, move - EXCHANGES);
        proceed(state, REWARD);
    }
}

/* Most points, then most boats, then most lantern cards. */
static void key(const State *state, int seat, int *out) {
    out[0] = 0;
    for (int stack = 0; stack < STACKS + 1; stack++)
        out[0] += state->points[seat][stack];
    out[1] = state->boats[seat];
    out[2] = held(state, seat);
}
