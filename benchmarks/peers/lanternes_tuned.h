/* The rules of Lanternes, tuned for speed in C.
 *
 * The whole game is here: first player and tiles drawn, exchange, reward, discards, placement with bonus and
 * distribution, final turns, the key that orders the places. It does the work of an engine, not of a shortcut: a
 * position is one block of memory that can be copied, compared and searched, and a move is a value that is counted,
 * picked and applied. Moves are ordered as the package orders its move ids.
 */
enum {
    TILES = 1 + LAKE_TILES, /* tile 0 is the start tile, tile i + 1 the lake tile i */
    HAND = 3,
    HELD_AT_MOST = 12, /* lantern cards kept before placing */
    EXCHANGE_BOATS = 2,
    WIDTH = 69, /* 32 tiles in a row, the free cell behind them, and one cell of water around */
    CELLS = WIDTH * WIDTH,
    MIDDLE = CELLS / 2,
    BORDER_AT_MOST = 68, /* 33 tiles in a row */
    TRIPLES = 35, /* choices of three colours among seven */
    ALL_COLOURS = (1 << COLOURS) - 1,
};

static const int STEP[SIDES] = {WIDTH, 1, -WIDTH, -1};
static const uint8_t CHOOSE_THREE[COLOURS + 1] = {0, 0, 0, 1, 4, 10, 20, 35};

/* What a cell of the lake holds: WATER, FREE when a tile may go there, or a face: a tile and its rotation. */
enum { WATER, FREE, FACE };
enum { FACES = FACE + TILES * SIDES, NO_COLOUR = 0xff };

typedef struct {
    uint8_t sides[FACES][SIDES]; /* colours; NO_COLOUR on water, so that water matches nothing */
    uint8_t symbol[FACES];
    uint8_t rotations[TILES]; /* those that look different */
    uint8_t red; /* side of the start tile */
    uint8_t cards_per_colour[SEATS + 1], tiles_removed[SEATS + 1];
    uint8_t stack_size[SEATS + 1][STACKS];
    uint8_t points[SEATS + 1][STACKS][STACK_AT_MOST + 1]; /* by cards left in the stack; the neutral reward at 0 */
    uint8_t triple[COLOURS + 1][TRIPLES]; /* the sets of three among the first n colours, in order */
} Box;

typedef enum { DRAW_FIRST, DEAL, EXCHANGE, REWARD, DISCARD, PLACE, DRAW_TILE, OVER } Phase;

/* Lantern cards are counted in the bytes of a word, one byte a colour. */
typedef uint64_t Cards;

/* A sorted list fills a room of whole vectors, and what lies behind its end is greater than any item. So a change is
 * the same few operations on every place of the room, which compilers turn into vectors without a branch. */
enum { HAND_ROOM = 4, UNSEEN_ROOM = 64, BORDER_ROOM = 96 };
enum { NO_TILE = 0xff, NO_CELL = INT16_MAX };
enum { MARGIN = 4 }; /* around the border: its stretches are read a few places off their own */

/* Equal positions have equal bytes. */
typedef struct {
    Cards supply, cards[SEATS];
    int16_t border[MARGIN + BORDER_ROOM + MARGIN]; /* the free cells; read it through nth_cell */
    uint8_t border_size;
    uint8_t phase, players, from_active, first, seat;
    uint8_t turn, placements; /* turns finished; turns with a placement, the final ones come after */
    uint16_t points[SEATS];
    uint8_t boats[SEATS];
    uint8_t hand[SEATS][HAND_ROOM], hand_size[SEATS];
    uint8_t left[STACKS]; /* reward cards in each stack */
    uint8_t pile, unseen_size;
    uint8_t unseen[UNSEEN_ROOM]; /* the pile and the tiles that left the game, told apart by nobody */
    uint8_t lake[CELLS];
} State;

typedef enum {
    FIRST, /* seat */
    TILE, /* tile */
    SWAP, /* colour given, colour taken */
    TAKE, /* combination, set of colours */
    DROP, /* colour */
    LAY, /* tile, rotation, rank of the cell in the border */
    PASS,
} Kind;

enum { FOUR, PAIRS, SEVEN };

typedef struct {
    uint8_t kind, a, b, c;
} Move;

/* Chance: splitmix64, and an index without bias by multiplication and rejection. */

static inline uint32_t random_bits(uint64_t *rng) {
    uint64_t z = *rng += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) >> 32;
}

static inline uint32_t random_index(uint64_t *rng, uint32_t n) {
    uint64_t product = (uint64_t)random_bits(rng) * n;
    if ((uint32_t)product < n)
        for (uint32_t biased = -n % n; (uint32_t)product < biased;)
            product = (uint64_t)random_bits(rng) * n;
    return product >> 32;
}

/* Lantern cards. */

static const Cards EACH_COLOUR = 0x01010101010101;

static inline Cards card(int colour) { return (Cards)1 << 8 * colour; }

static inline int cards_of(Cards cards, int colour) { return cards >> 8 * colour & 0xff; }

static inline int card_count(Cards cards) { return cards * (EACH_COLOUR | card(COLOURS)) >> 56; }

/* The set of colours with at least n cards: a carry into each byte's top bit, then the seven bits side by side. */
static inline unsigned colours_with(Cards cards, int n) {
    uint64_t reached = (cards + EACH_COLOUR * (0x80 - n)) >> 7 & EACH_COLOUR;
    return reached * 0x0102040810204080 >> 56 & ALL_COLOURS;
}

static inline int size_of(unsigned set) { return __builtin_popcount(set); }

static inline int nth_of(unsigned set, int n) {
    while (n--)
        set &= set - 1;
    return __builtin_ctz(set);
}

/* The members of `set` that stand where `pattern` has ones. */
static inline unsigned deposit(unsigned pattern, unsigned set) {
    unsigned chosen = 0;
    for (; pattern; pattern >>= 1, set &= set - 1)
        chosen |= pattern & 1 ? set & -set : 0;
    return chosen;
}

/* An empty pile gives nothing. */
static inline void receive(State *s, int seat, int colour, int wanted) {
    Cards given = (Cards)(wanted & (cards_of(s->supply, colour) > 0)) << 8 * colour;
    s->supply -= given;
    s->cards[seat] += given;
}

static inline void give_back(State *s, int seat, Cards cards) {
    s->cards[seat] -= cards;
    s->supply += cards;
}

/* The sorted lists. */

static inline int nth_cell(const State *s, int rank) { return s->border[MARGIN + rank]; }

static inline void list_remove(uint8_t *list, int room, uint8_t item) {
    uint8_t old[UNSEEN_ROOM + 1];
    memcpy(old, list, room);
    old[room] = NO_TILE;
    for (int i = 0; i < room; i++)
        list[i] = old[i] < item ? old[i] : old[i + 1];
}

static inline void list_insert(uint8_t *list, int room, uint8_t item) {
    uint8_t old[1 + UNSEEN_ROOM];
    old[0] = 0;
    memcpy(old + 1, list, room);
    for (int i = 0; i < room; i++) {
        uint8_t moved = old[i] > item ? old[i] : item;
        list[i] = old[i + 1] < moved ? old[i + 1] : moved;
    }
}

/* A tile covers the free cell of that rank, and the water around it becomes free. In the border the cell to the south
 * comes earlier, the cell to the north later, and the other two take the covered cell's place: so the border falls into
 * four stretches, each moved by what was gained and lost before it. */
static inline void cover(State *s, int face, int rank) {
    int16_t *border = s->border + MARGIN, merged[BORDER_ROOM];
    int cell = border[rank], gained[SIDES];
    s->lake[cell] = face;
    for (int side = 0; side < SIDES; side++) {
        uint8_t *content = &s->lake[cell + STEP[side]];
        gained[side] = *content == WATER;
        *content += gained[side] * FREE;
    }

    int16_t south = cell - WIDTH, north = cell + WIDTH, south_rank = 0, north_rank = 0;
    for (int i = 0; i < BORDER_ROOM; i++) {
        south_rank += border[i] < south;
        north_rank += border[i] < north;
    }
    int shift_2 = gained[SOUTH];
    int shift_3 = shift_2 + gained[WEST] + gained[EAST] - 1;
    int shift_4 = shift_3 + gained[NORTH];
    int16_t west_rank = rank + shift_2, east_rank = west_rank + gained[WEST];
    north_rank += shift_3;

    const int16_t *from_2 = border - shift_2, *from_3 = border - shift_3, *from_4 = border - shift_4;
    for (int16_t i = 0; i < BORDER_ROOM; i++) {
        int16_t first = border[i], second = from_2[i], third = from_3[i], fourth = from_4[i];
        merged[i] = i < south_rank ? first : i < west_rank ? second : i < north_rank ? third : fourth;
    }
    memcpy(border, merged, sizeof merged);

    int nowhere = BORDER_ROOM - 1; /* never reached by the list */
    border[gained[SOUTH] ? south_rank : nowhere] = south;
    border[gained[WEST] ? west_rank : nowhere] = cell - 1;
    border[gained[EAST] ? east_rank : nowhere] = cell + 1;
    border[gained[NORTH] ? north_rank : nowhere] = north;
    border[nowhere] = NO_CELL;
    s->border_size += shift_4;
}

/* The order of a turn. A step that offers nothing but passing is not asked. */

static inline int is_final(const State *s) { return s->turn >= s->placements; }

static inline int next_seat(const State *s, int seat) { return seat + 1 == s->players ? 0 : seat + 1; }

static inline int swaps(const State *s) {
    if (s->boats[s->seat] < EXCHANGE_BOATS) return 0;
    unsigned held = colours_with(s->cards[s->seat], 1), open = colours_with(s->supply, 1);
    return size_of(held) * size_of(open) - size_of(held & open);
}

static inline int rewards(const State *s) {
    Cards cards = s->cards[s->seat];
    return size_of(colours_with(cards, 4)) + CHOOSE_THREE[size_of(colours_with(cards, 2))]
        + (colours_with(cards, 1) == ALL_COLOURS);
}

static inline int holds_too_many(const State *s) {
    return !is_final(s) && card_count(s->cards[s->seat]) > HELD_AT_MOST;
}

static void begin_turn(State *s);

static inline void end_turn(State *s) {
    s->seat = next_seat(s, s->seat);
    s->turn++;
    begin_turn(s);
}

static inline void after_reward(State *s) {
    if (holds_too_many(s)) s->phase = DISCARD;
    else if (is_final(s)) end_turn(s);
    else s->phase = PLACE;
}

static inline void after_exchange(State *s) {
    if (rewards(s) || holds_too_many(s)) s->phase = REWARD;
    else after_reward(s);
}

static void begin_turn(State *s) {
    if (s->turn == s->placements + s->players) s->phase = OVER;
    else if (swaps(s)) s->phase = EXCHANGE;
    else after_exchange(s);
}

/* Set-up. */

static void setup(const Box *box, State *s, int players, int from_active) {
    memset(s, 0, sizeof *s);
    s->players = players;
    s->from_active = from_active;
    s->supply = EACH_COLOUR * box->cards_per_colour[players];
    memcpy(s->left, box->stack_size[players], sizeof s->left);
    memset(s->hand, NO_TILE, sizeof s->hand);
    memset(s->unseen, NO_TILE, sizeof s->unseen);
    for (int i = 0; i < MARGIN + BORDER_ROOM + MARGIN; i++)
        s->border[i] = NO_CELL;
    s->unseen_size = TILES - 1;
    for (int i = 0; i < s->unseen_size; i++)
        s->unseen[i] = i + 1;
    s->pile = s->placements = s->unseen_size - box->tiles_removed[players];
    s->phase = DRAW_FIRST;
}

/* The start tile turns its red side to the first player. */
static void open_game(const Box *box, State *s, int first) {
    const uint8_t *faced = FACED_SIDE[s->players];
    int face = FACE + ((faced[first] - box->red) & 3);
    s->first = s->seat = first;
    s->lake[MIDDLE] = face;
    static const int ascending[SIDES] = {SOUTH, WEST, EAST, NORTH};
    for (int i = 0; i < SIDES; i++) {
        int cell = MIDDLE + STEP[ascending[i]];
        s->border[MARGIN + i] = cell;
        s->lake[cell] = FREE;
    }
    s->border_size = SIDES;
    for (int seat = 0; seat < s->players; seat++)
        receive(s, seat, box->sides[face][faced[seat]], 1);
    s->phase = DEAL;
}

/* A tile from the pile, in the deal or at the end of a turn. */
static void take_tile(State *s, int tile) {
    list_remove(s->unseen, UNSEEN_ROOM, tile);
    list_insert(s->hand[s->seat], HAND_ROOM, tile);
    s->unseen_size--;
    s->hand_size[s->seat]++;
    s->pile--;
    if (s->phase == DRAW_TILE) {
        end_turn(s);
    } else if (s->hand_size[s->seat] == HAND) {
        s->seat = next_seat(s, s->seat);
        if (s->seat == s->first) begin_turn(s);
    }
}

/* Step 1 and step 2. */

static void exchange(State *s, int give, int take) {
    s->boats[s->seat] -= EXCHANGE_BOATS;
    give_back(s, s->seat, card(give));
    receive(s, s->seat, take, 1);
    after_exchange(s);
}

static void reward(const Box *box, State *s, int combination, unsigned colours) {
    static const int price[] = {[FOUR] = 4, [PAIRS] = 2, [SEVEN] = 1};
    for (; colours; colours &= colours - 1)
        give_back(s, s->seat, price[combination] * card(__builtin_ctz(colours)));
    uint8_t *left = &s->left[combination];
    s->points[s->seat] += box->points[s->players][combination][*left];
    *left -= *left > 0;
    after_reward(s);
}

static void discard(State *s, int colour) {
    give_back(s, s->seat, card(colour));
    after_reward(s);
}

/* Step 3. */

/* A card for each side that meets its colour; if one does, a boat for the tile's symbol and for each symbol met. */
static inline void bonus(const Box *box, State *s, int face, int cell) {
    int matched = 0, boats = 0;
    for (int side = 0; side < SIDES; side++) {
        int neighbour = s->lake[cell + STEP[side]], colour = box->sides[face][side];
        int match = box->sides[neighbour][side ^ 2] == colour;
        receive(s, s->seat, colour, match);
        boats += match & box->symbol[neighbour];
        matched |= match;
    }
    s->boats[s->seat] += boats + (matched & box->symbol[face]);
}

/* A card of the faced colour for everybody, clockwise from the first or the active player. */
static inline void distribute(const Box *box, State *s, int face) {
    int seat = s->from_active ? s->seat : s->first;
    for (int i = 0; i < s->players; i++, seat = next_seat(s, seat))
        receive(s, seat, box->sides[face][FACED_SIDE[s->players][seat]], 1);
}

static void place(const Box *box, State *s, int tile, int rotation, int rank) {
    int face = FACE + SIDES * tile + rotation, cell = nth_cell(s, rank);
    list_remove(s->hand[s->seat], HAND_ROOM, tile);
    s->hand_size[s->seat]--;
    bonus(box, s, face, cell);
    distribute(box, s, face);
    cover(s, face, rank);
    if (s->pile) s->phase = DRAW_TILE;
    else end_turn(s);
}

/* Moves: how many there are, which one is the n-th, and what it does. */

static inline int move_count(const Box *box, const State *s) {
    switch (s->phase) {
    case DRAW_FIRST: return s->players;
    case DEAL:
    case DRAW_TILE: return s->unseen_size;
    case EXCHANGE: return swaps(s) + 1;
    case REWARD: return rewards(s) + (holds_too_many(s) ? size_of(colours_with(s->cards[s->seat], 1)) : 1);
    case DISCARD: return size_of(colours_with(s->cards[s->seat], 1));
    case PLACE: {
        int faces = 0;
        for (int i = 0; i < s->hand_size[s->seat]; i++)
            faces += box->rotations[s->hand[s->seat][i]];
        return faces * s->border_size;
    }
    default: return 0;
    }
}

static inline Move nth_swap(const State *s, int n) {
    unsigned held = colours_with(s->cards[s->seat], 1), open = colours_with(s->supply, 1);
    for (; held; held &= held - 1) {
        unsigned takes = open & ~(held & -held);
        if (n < size_of(takes)) return (Move){SWAP, __builtin_ctz(held), nth_of(takes, n), 0};
        n -= size_of(takes);
    }
    return (Move){PASS, 0, 0, 0};
}

static inline Move nth_discard(const State *s, int n) {
    return (Move){DROP, nth_of(colours_with(s->cards[s->seat], 1), n), 0, 0};
}

static inline Move nth_reward(const Box *box, const State *s, int n) {
    Cards cards = s->cards[s->seat];
    unsigned fours = colours_with(cards, 4), pairs = colours_with(cards, 2), held = colours_with(cards, 1);
    if (n < size_of(fours)) return (Move){TAKE, FOUR, 1 << nth_of(fours, n), 0};
    n -= size_of(fours);
    int triples = CHOOSE_THREE[size_of(pairs)];
    if (n < triples) return (Move){TAKE, PAIRS, deposit(box->triple[size_of(pairs)][n], pairs), 0};
    n -= triples;
    if (held == ALL_COLOURS && n-- == 0) return (Move){TAKE, SEVEN, held, 0};
    return holds_too_many(s) ? nth_discard(s, n) : (Move){PASS, 0, 0, 0};
}

static inline Move nth_placement(const Box *box, const State *s, int n) {
    const uint8_t *tile = s->hand[s->seat];
    int face = n / s->border_size;
    for (; face >= box->rotations[*tile]; tile++)
        face -= box->rotations[*tile];
    return (Move){LAY, *tile, face, n % s->border_size};
}

static inline Move nth_move(const Box *box, const State *s, int n) {
    switch (s->phase) {
    case DRAW_FIRST: return (Move){FIRST, n, 0, 0};
    case DEAL:
    case DRAW_TILE: return (Move){TILE, s->unseen[n], 0, 0};
    case EXCHANGE: return nth_swap(s, n);
    case REWARD: return nth_reward(box, s, n);
    case DISCARD: return nth_discard(s, n);
    default: return nth_placement(box, s, n);
    }
}

static inline void apply(const Box *box, State *s, Move move) {
    switch ((Kind)move.kind) {
    case FIRST: open_game(box, s, move.a); break;
    case TILE: take_tile(s, move.a); break;
    case SWAP: exchange(s, move.a, move.b); break;
    case TAKE: reward(box, s, move.a, move.b); break;
    case DROP: discard(s, move.a); break;
    case LAY: place(box, s, move.a, move.b, move.c); break;
    case PASS: s->phase == EXCHANGE ? after_exchange(s) : after_reward(s); break;
    }
}

static inline int is_chance(Kind kind) { return kind == FIRST || kind == TILE; }

/* Orders the places: points, then boats, then lantern cards. */
static inline int standing(const State *s, int seat) {
    return s->points[seat] << 16 | s->boats[seat] << 8 | card_count(s->cards[seat]);
}
