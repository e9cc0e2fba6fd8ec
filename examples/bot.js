#!/usr/bin/env node
// A simple player for Lampion in JavaScript, for Node without any package. examples/bot.py tells how it works.
//
//     lampion tournament lumens --bots "random,cmd:node examples/bot.js"

"use strict";

const FIRST = ["reward", "launch", "emperor", "shade", "place", "take", "lay", "turn"];
const LAST = ["exchange", "reroll", "pass"];

/** How much we like this kind of move. */
function eagerness(move) {
  return FIRST.includes(move.kind) ? 2 : LAST.includes(move.kind) ? 0 : 1;
}

/** One of the moves we like best. */
function choose(moves) {
  const most = Math.max(...moves.map((listed) => eagerness(listed.move)));
  const best = moves.filter((listed) => eagerness(listed.move) === most);
  return best[Math.floor(Math.random() * best.length)];
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const question = JSON.parse(line);
    if (question.ask === "move") {
      process.stdout.write(JSON.stringify({ move: choose(question.moves).notation }) + "\n");
    }
  });
