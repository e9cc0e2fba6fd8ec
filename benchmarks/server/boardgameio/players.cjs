// Players of the tiny game: PORT MATCHES SECONDS. They speak boardgame.io's messages through its own socket.io client,
// without its state machinery, so that they cost as little as can be. The next move follows the answer to the last.
const { io } = require("socket.io-client");

const [port, matches, seconds] = process.argv.slice(2).map(Number);
const random = (most) => Math.floor(Math.random() * most);
let measuring = false;
let moves = 0;
let seated = 0;
let used;
const latencies = [];

function player(match, seat) {
  const socket = io(`http://127.0.0.1:${port}/places`, { transports: ["websocket"], forceNew: true });
  let asked = 0;
  let sent = 0;
  const turn = (state) => {
    if (asked && state._stateID >= asked) {
      if (measuring) {
        moves += 1;
        latencies.push(performance.now() - sent);
      }
      asked = 0;
    }
    if (state.ctx.currentPlayer !== seat || asked) return;
    asked = state._stateID + 1;
    sent = performance.now();
    const action = { type: "MAKE_MOVE", payload: { type: "claim", args: [random(9)], playerID: seat, credentials: null } };
    socket.emit("update", action, state._stateID, match, seat);
  };
  socket.on("sync", (_, info) => {
    seated += 1;
    if (seated === 2 * matches) begin();
    starts.push(() => turn(info.state));
  });
  socket.on("update", (_, state) => turn(state));
  socket.on("connect", () => socket.emit("sync", match, seat, undefined, 2));
}

const starts = [];

function begin() {
  setTimeout(() => {
    console.log("ready");
    used = process.cpuUsage();
    for (const start of starts) start();
    setTimeout(() => {
      measuring = true;
      const began = performance.now();
      setTimeout(() => {
        const spent = (performance.now() - began) / 1000;
        const { user, system } = process.cpuUsage(used);
        const processor = (user + system) / 1e6;
        const told = { seconds: spent, moves, latencies: latencies.map((one) => one / 1000), processor };
        process.stdout.write(`${JSON.stringify(told)}\n`, () => process.exit(0));
      }, seconds * 1000);
    }, 1000);
  }, 200);
}

for (let match = 0; match < matches; match += 1) for (const seat of ["0", "1"]) player(`match${match}`, seat);
