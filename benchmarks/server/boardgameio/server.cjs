// A boardgame.io server with a tiny endless game for two: in turn, each claims one of nine places. PORT [FOLDER]: its
// matches are in memory, or with its own storage of files in a folder.
const { FlatFile, Server } = require("boardgame.io/server");

const [port, folder] = process.argv.slice(2);

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

const server = Server({ games: [places], origins: [/.*/], db: folder && new FlatFile({ dir: folder }) });
server.run({ port: Number(port), callback: () => console.log("open") });
