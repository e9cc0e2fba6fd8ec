// A boardgame.io server with a tiny endless game for two: in turn, each claims one of nine places.
const { Server } = require("boardgame.io/server");

const places = {
  name: "places",
  setup: () => ({ places: Array(9).fill(null), taken: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    claim: {
      move: ({ G, playerID }, place) => {
        G.places[place] = playerID;
        G.taken += 1;
      },
      client: false,
    },
  },
};

const server = Server({ games: [places], origins: [/.*/] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("open") });
