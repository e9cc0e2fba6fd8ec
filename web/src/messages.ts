// Made from messages.py and the *_types.py in src/lampion/server/protocol; do not edit.
export const VERSION = 2;

/** The first message: which seats the socket holds and what it has seen. */
export interface Hello {
  do: "hello";
  id?: number | null;
  version: number;
  tokens?: string[];
  since?: number;
  language?: "en" | "fr";
}

/** Use another language from now on. */
export interface Speak {
  do: "speak";
  id?: number | null;
  language: "en" | "fr";
}

/** Take a free seat; the answer is `yours`, with its token. */
export interface Sit {
  do: "sit";
  id?: number | null;
  seat: number;
  name: string;
  commit?: string | null;
  token?: string | null;
}

/** Commit an own seat to a nonce, before the game: `commit` is the SHA-256 of the nonce's 32 bytes. */
export interface Commit {
  do: "commit";
  id?: number | null;
  seat: number;
  commit: string;
}

/** Reveal the nonce of an own seat, after the commitments were sealed. */
export interface Reveal {
  do: "reveal";
  id?: number | null;
  seat: number;
  nonce: string;
}

/** Leave a seat: before the game it is free again, later a bot plays on. */
export interface Stand {
  do: "stand";
  id?: number | null;
  seat: number;
  level?: string | null;
}

/** The host: a bot for a seat. */
export interface PutBot {
  do: "put_bot";
  id?: number | null;
  seat: number;
  level: string;
}

/** The host: free a seat; during the game a bot plays on and the seat's token is worth nothing. */
export interface Kick {
  do: "kick";
  id?: number | null;
  seat: number;
  level?: string | null;
}

/** The host: begin. Where somebody committed to a nonce, commitments are sealed and nonces revealed first. */
export interface Start {
  do: "start";
  id?: number | null;
}

/** Move; `seq` is the last the sender has seen. Anything else is stale, except in a simultaneous step. */
export interface Move {
  do: "move";
  id?: number | null;
  seat: number;
  seq: number;
  move: Record<string, unknown>;
}

/** In a guided game: a step was read, the next one please. */
export interface GoOn {
  do: "go_on";
  id?: number | null;
  seat: number;
  step: number;
}

/** Take the last own move back, or ask the others to. */
export interface Undo {
  do: "undo";
  id?: number | null;
  seat: number;
  seq: number;
}

/** Agree to a step back, or not. */
export interface Answer {
  do: "answer";
  id?: number | null;
  seat: number;
  agrees: boolean;
}

/** Ask what these moves would do; with `views`, also what the seat would see then. */
export interface Preview {
  do: "preview";
  id?: number | null;
  seat: number;
  moves: Record<string, unknown>[];
  views?: boolean;
}

/** Ask for the best moves of an own seat, where the table has hints. The answer is `hinted`. */
export interface Hint {
  do: "hint";
  id?: number | null;
  seat: number;
}

/** Ask what the receiver saw after `ply` moves. The answer is `looked`. */
export interface LookBack {
  do: "look";
  id?: number | null;
  ply: number;
}

/** Stop the clocks, or let them run. */
export interface Pause {
  do: "pause";
  id?: number | null;
  seat: number;
  on: boolean;
}

/** The host: a bot for somebody who has been away for as long as the table says. */
export interface Replace {
  do: "replace";
  id?: number | null;
  seat: number;
  level: string;
}

/** Play again instead of the bot. */
export interface Return {
  do: "return";
  id?: number | null;
  seat: number;
}

/** Ask for a one-time code that moves an own seat to another device; outside the game the host may ask for any. */
export interface Handover {
  do: "handover";
  id?: number | null;
  seat: number;
}

/** Use such a code; the answer is `yours`. A token may be chosen as in `sit`. */
export interface Claim {
  do: "claim";
  id?: number | null;
  code: string;
  token?: string | null;
}

/** Show the private view of one of the seats this socket holds, or of none. */
export interface Curtain {
  do: "curtain";
  id?: number | null;
  seat?: number | null;
}

/** Show an emoji to all. */
export interface Greet {
  do: "greet";
  id?: number | null;
  seat: number;
  emoji: "❤️" | "🎉" | "👋" | "👏" | "😀" | "😢" | "😮" | "🤔";
}

/** Make a table for the same people, each in the same seat. */
export interface Rematch {
  do: "rematch";
  id?: number | null;
}

/** The host: close the table. */
export interface Close {
  do: "close";
  id?: number | null;
}

/** Ask for a `pong`. */
export interface Ping {
  do: "ping";
  id?: number | null;
}

/** What the browser may say. */
export type Wish =
  | Hello
  | Speak
  | Sit
  | Commit
  | Reveal
  | Stand
  | PutBot
  | Kick
  | Start
  | Move
  | GoOn
  | Undo
  | Answer
  | Preview
  | Hint
  | LookBack
  | Pause
  | Replace
  | Return
  | Handover
  | Claim
  | Curtain
  | Greet
  | Rematch
  | Close
  | Ping;

/** The answer to `hello`; an `update` follows. */
export interface Welcome {
  say: "welcome";
  version: number;
  server: string;
  seats: number[];
  host: boolean;
}

/** The clock of a table: none, `seconds` for each move, or for the whole game. When it runs out, a bot moves. */
export interface Clock {
  kind?: "game" | "move" | "none";
  seconds?: number;
  level?: string;
}

/** A seat as everybody sees it. `level` of a person: the bot that plays for them. */
export interface SeatInfo {
  kind: "bot" | "free" | "human";
  name?: string;
  level?: string | null;
  here?: boolean;
  remaining?: number | null;
  thinks?: boolean;
  commit?: string;
  nonce?: string;
  hints?: number;
  undos?: number;
}

/** A step back that waits for the others. */
export interface Wanted {
  seat: number;
  ply: number;
  waits_for: number[];
}

/** The present step of a guided game, in the receiver's language. */
export interface Guide {
  step: number;
  steps: number;
  seat: number;
  say: string;
  ask?: string | null;
  point?: string[];
  move?: unknown;
}

/** The result of a finished game. */
export interface Outcome {
  scores: number[];
  categories: Record<string, number>[];
  keys: number[][];
  ranks: number[];
  shares: number[];
  winners: number[];
  decided_by: string | null;
}

/** A table as everybody sees it. */
export interface TableInfo {
  id: string;
  game: string;
  rules?: number;
  players: number;
  hidden: boolean;
  options: Record<string, unknown>;
  edition: string;
  standard: boolean;
  clock: Clock;
  absence: number;
  promise: string;
  seal?: string | null;
  status: "closed" | "open" | "over" | "playing";
  seats: SeatInfo[];
  ply: number;
  pending: number[];
  paused?: boolean;
  undo?: Wanted | null;
  watchers?: number;
  after?: string | null;
  next?: string | null;
  guide?: Guide | null;
  tutorial?: boolean;
  exercises?: boolean;
  broken?: string | null;
  hints?: number;
  continued?: boolean;
  secret?: string | null;
  result?: Outcome | null;
}

/** One thing that happened: whom it concerns, what, how many and why. `thing` is None where none is told. */
export interface Event {
  kind: string;
  seat: number | null;
  thing: string | null;
  number: number;
  why: string;
}

/** A move: `seat` -1 is chance; `move` is missing where the viewer cannot tell which it was. */
export interface MovedChange {
  kind: "moved";
  seq: number;
  at: number;
  seat: number;
  by: "bot" | "clock" | "player";
  move?: unknown;
  notation?: string | null;
  held?: boolean;
  events: Event[];
  told: string[];
  gained?: number[] | null;
}

/** Any other event of a table; `what` names it. */
export interface TableChange {
  kind: "table";
  seq: number;
  at: number;
  what: "bot_sat" | "closed" | "code_made" | "committed" | "ended" | "followed" | "freed" | "greeted" | "guided" | "hinted" | "made" | "nonce_added" | "noted" | "paused" | "replaced" | "reseated" | "resumed" | "returned" | "revealed" | "sat" | "sealed" | "started" | "undo_answered" | "undo_asked" | "undone";
  seat?: number | null;
  name?: string | null;
  level?: string | null;
  emoji?: string | null;
  agrees?: boolean | null;
  kicked?: boolean | null;
  ply?: number | null;
  whole?: boolean | null;
}

/** The score as it stands, by seat, where everybody may know it: in all, and by category. */
export interface Standing {
  scores: number[];
  categories: Record<string, number>[];
}

/** What one viewer sees: `seat` is missing for a spectator. `moves` are the legal ones, typed. */
export interface SeatView {
  seat?: number | null;
  view: unknown;
  asked?: string | null;
  moves?: unknown[];
  can_undo?: boolean;
  standing?: Standing | null;
}

/** All that is new since `since`, the table as it is now, and what the receiver may see. */
export interface Update {
  say: "update";
  since: number;
  seq: number;
  table: TableInfo;
  changes: (MovedChange | TableChange)[];
  view: SeatView;
}

/** The seats whose holders are connected, and the number of watchers. */
export interface Presence {
  say: "presence";
  here: number[];
  watchers: number;
}

/** A seat is the receiver's: its token, to be kept and shown to nobody. */
export interface Yours {
  say: "yours";
  id?: number | null;
  seat: number;
  token: string;
}

/** A one-time code that moves a seat to another device. */
export interface Code {
  say: "code";
  id?: number | null;
  seat: number;
  code: string;
}

/** A seat is held by another token now. */
export interface Lost {
  say: "lost";
  seat: number;
}

/** What one move would do, up to the first draw; or why it cannot be made. */
export interface Outlook {
  move: unknown;
  notation?: string;
  events?: Event[];
  told?: string[];
  standing?: Standing | null;
  view?: unknown;
  reason?: string | null;
}

/** The answer to `preview`, in the order asked. */
export interface Previews {
  say: "previews";
  id?: number | null;
  seat: number;
  seq: number;
  outlooks: Outlook[];
}

/** A good move in words, in the language in use. */
export interface MoveHint {
  move: unknown;
  share: number;
  margin: number;
  told: string[];
  promise: string;
  why: string[];
}

/** The answer to `hint`: the best moves, the best first. */
export interface Hinted {
  say: "hinted";
  id?: number | null;
  seat: number;
  seq: number;
  hints: MoveHint[];
  used: number;
}

/** The answer to `look`: the table as the receiver saw it then. */
export interface Looked {
  say: "looked";
  id?: number | null;
  ply: number;
  pending: number[];
  view: SeatView;
}

/** The wish was fulfilled and is stored; `seq` is the last event. */
export interface Done {
  say: "done";
  id?: number | null;
  seq: number;
}

/** The wish was refused, and nothing was changed. `code` is for programs, `reason` for people. */
export interface No {
  say: "no";
  id?: number | null;
  code: string;
  reason: string;
  seq?: number | null;
}

/** A bot thinks; `slow` where it must think less because many wait, `preparing` while it is being compiled. */
export interface Thinking {
  say: "thinking";
  seat: number;
  slow?: boolean;
  preparing?: boolean;
}

/** The server stops for a moment: connect again with `since`. */
export interface Bye {
  say: "bye";
  reason: string;
}

/** The answer to `ping`. */
export interface Pong {
  say: "pong";
  id?: number | null;
}

/** What the server may say. */
export type Word =
  | Welcome
  | Update
  | Presence
  | Yours
  | Code
  | Lost
  | Previews
  | Hinted
  | Looked
  | Done
  | No
  | Thinking
  | Bye
  | Pong;

/** A seat of a new table: free, a bot, or somebody at the maker's own screen. */
export interface SeatPlan {
  kind?: "bot" | "open" | "screen";
  name?: string | null;
  level?: string | null;
  commit?: string | null;
}

/** POST /api/tables: make a table. */
export interface NewTable {
  game: string;
  seats: SeatPlan[];
  options?: Record<string, unknown>;
  components?: unknown;
  edition?: string | null;
  clock?: Clock;
  absence?: number;
  hints?: number;
  start?: boolean;
}

/** POST /api/tutorials/{game}: a table at which the asker is taught a game. */
export interface NewTutorial {
  name?: string | null;
}

/** POST /api/tables/{table}/unfinished: the game so far as a file, for whoever holds all seats of people. */
export interface UnfinishedRequest {
  tokens: string[];
}

/** The answer: where it is, the host's token, and those of the seats at the maker's own screen. */
export interface MadeTable {
  table: string;
  host: string;
  tokens: Record<number, string>;
  promise: string;
}

/** POST /api/tables/{table}/replay/{ply}/note: what a player writes about a moment; an empty text takes it back. */
export interface NoteRequest {
  text: string;
}

/** POST /api/tables/look: the ids of tables to summarize. */
export interface SummaryRequest {
  tables: string[];
}

/** A seat in a table's summary. `level` of a person: the bot that plays for them. */
export interface SeatSummary {
  kind: "bot" | "free" | "human";
  name?: string;
  level?: string | null;
}

/** The summary of a table. `gone`: there is none with that id, or no longer. */
export interface TableSummary {
  id: string;
  status: "closed" | "gone" | "open" | "over" | "playing";
  game?: string;
  players?: number;
  made?: number;
  changed?: number;
  seq?: number;
  seats?: SeatSummary[];
  pending?: number[];
  result?: Outcome | null;
  next?: string | null;
  aborted?: boolean;
  broken?: string | null;
  sockets?: number;
}

/** A player, as the record names them. */
export interface Player {
  name: string;
  kind?: "bot" | "human";
  level?: string | null;
  version?: string | null;
}

/** A move of a replayed game: `seat` -1 is chance; `move` is missing where the viewer could not tell which. */
export interface Step {
  seat: number;
  move?: unknown;
  notation?: string | null;
  events: Event[];
  told: string[];
  gains?: number[];
  milliseconds?: number | null;
  scores: number[];
}

/** What somebody wrote about a moment of a game: after `ply` moves. */
export interface Note {
  ply: number;
  seat: number;
  text: string;
}

/** A game from its set-up to its last move; views are asked for by ply. */
export interface Story {
  game: string;
  rules: number;
  players: number;
  options: Record<string, unknown>;
  edition: string;
  standard: boolean;
  seats: Player[];
  date: string;
  chance: "entropy" | "manual" | "promised" | "seeded";
  seat?: number | null;
  last: number;
  opening: Event[];
  steps: Step[];
  hints?: number[];
  notes?: Note[];
  result?: Outcome | null;
}

/** A replayed game after `ply` moves. */
export interface Scene {
  ply: number;
  last: number;
  seat?: number | null;
  view: unknown;
  pending: number[];
  count: Outcome;
}

/** GET /api/server: the server's version, and the address for invitations. */
export interface Server {
  version: string;
  protocol: number;
  languages: string[];
  address: string;
  alone?: boolean;
}

/** How far the analysis of a game is. `done` of `total` parts are through; both are 0 while it waits. */
export interface AnalysisState {
  state: "done" | "failed" | "making" | "none" | "waiting";
  done?: number;
  total?: number;
}

/** A decision, or the draws between two decisions, and by how much it changed a seat's chance to win. */
export interface ReportMoment {
  first: number;
  last: number;
  kind: "decision" | "luck";
  mover?: number | null;
  seat: number;
  change: number;
  told: string;
  better?: string;
}

/** A player's game in figures: chances to win from 0 to 1, and what changed them. */
export interface ReportPlayer {
  seat: number;
  points: number;
  accuracy?: number | null;
  decisions: number;
  costly: number;
  start: number;
  luck: number;
  cost: number;
  gifts: number;
  unforeseen: number;
  end: number;
  best?: ReportMoment | null;
  worst?: ReportMoment | null;
}

/** A decision that cost something. */
export interface ReportDecision {
  ply: number;
  seat: number;
  cost: number;
  sure: number;
  options: number;
  played: string;
  better: string;
  why: string[];
}

/** GET /api/tables/{table}/analysis/report: what decided a game, in the asker's language. */
export interface Report {
  game: string;
  names: string[];
  bots: boolean[];
  shares: number[][];
  movers: number[];
  players: ReportPlayer[];
  turning_points: ReportMoment[];
  decisions: ReportDecision[];
  source: "estimate" | "net";
  simulations: number;
}

/** GET /api/tables/{table}/analysis/{ply}: a decision as its seat knew it, and what followed from two moves. */
export interface DecisionScenes {
  ply: number;
  seat: number;
  pending: number[];
  before: SeatView;
  played: Outlook;
  best: Outlook;
}

/** POST /api/tables/{table}/analysis/{ply}/preview: moves that somebody thinks of in an exercise. */
export interface PreviewRequest {
  moves: Record<string, unknown>[];
  views?: boolean;
}

/** What they would do, in the order asked. */
export interface PreviewAnswer {
  outlooks: Outlook[];
}

/** POST /api/tables/{table}/analysis/{ply}/try: a move in the place of the one that was played. */
export interface TryRequest {
  move: Record<string, unknown>;
}

/** How good that move is, by what the seat knew. */
export interface Judgement {
  is_good: boolean;
  share: number;
  best_share: number;
  cost: number;
  sure: number;
  why: string[];
}

/** POST /api/tables/{table}/replay/{ply}/play: a new table that begins at that moment, against bots. */
export interface PlayOnRequest {
  seat: number;
  name: string;
  level?: string;
}

/** POST /api/explore/new: the record of a game that has not begun, to explore. */
export interface NewBoard {
  game: string;
  players: number;
}

/** POST /api/explore: a line, as a record that need not be over, and whose eyes look at it. */
export interface ExploreRequest {
  record: Record<string, unknown>;
  seat?: number | null;
  since?: number | null;
  draw?: "all" | "one" | null;
}

/** The score as it stands, by seat: in all, and by category. */
export interface ExploredScore {
  scores: number[];
  categories: Record<string, number>[];
}

/** What chance may bring, and its weight beside the other outcomes. */
export interface ChanceOutcome {
  move: unknown;
  weight: number;
  events: Event[];
  told: string[];
}

/** A move of the line: `seat` -1 is chance. The move is always there, its events as the viewer may know them. */
export interface ExploredStep {
  seat: number;
  move: unknown;
  events: Event[];
  told: string[];
}

/** A position as a viewer sees it, and the steps of its line that were asked for. */
export interface Explored {
  ply: number;
  turn: "chance" | "over" | "seat";
  pending: number[];
  seat: number | null;
  view: unknown;
  asked: string;
  moves: unknown[];
  standing: ExploredScore | null;
  chances: ChanceOutcome[];
  steps: ExploredStep[];
  standard: boolean;
  names: string[];
  result: Outcome | null;
}

/** POST /api/explore/preview: what moves would do there. */
export interface ExplorePreview {
  record: Record<string, unknown>;
  seat?: number | null;
  moves: Record<string, unknown>[];
  views?: boolean;
}

/** What one move would do, up to the first draw; or why it cannot be made. */
export interface ExploredOutlook {
  move: unknown;
  events?: Event[];
  told?: string[];
  standing?: ExploredScore | null;
  view?: unknown;
  reason?: string | null;
}

/** The answer, in the order asked. */
export interface ExploreOutlooks {
  outlooks: ExploredOutlook[];
}

/** POST /api/explore/setup: change a position by hand: a control by its name, or all of it as a view. */
export interface SetUpRequest {
  record: Record<string, unknown>;
  name?: string | null;
  value?: number | string | null;
  view?: Record<string, unknown> | null;
}

/** A number that goes up and down. */
export interface Stepper {
  kind: "stepper";
  name: string;
  seat: number | null;
  group: string;
  label: string;
  value: number;
  least: number;
  most: number;
}

/** One of the values of a choice. */
export interface Option {
  value: string;
  label: string;
}

/** One of several values. */
export interface Choice {
  kind: "choice";
  name: string;
  seat: number | null;
  group: string;
  label: string;
  value: string;
  options: Option[];
}

/** One of the choices that make a placing. */
export interface Part {
  label: string;
  value: string;
  options: Option[];
}

/** Something that is put somewhere: several choices that are made together, such as what, where and how turned. */
export interface Placing {
  kind: "placing";
  name: string;
  seat: number | null;
  group: string;
  label: string;
  parts: Part[];
}

/** The answer: the record of a game that begins at that position, the position as data, and what can be changed. */
export interface SetUpBoard {
  record: Record<string, unknown>;
  view: unknown;
  controls: (Stepper | Choice | Placing)[];
}

/** POST /api/explore/worth: what a position is worth, by what a seat knows, or without a seat by all there is. */
export interface WorthRequest {
  record: Record<string, unknown>;
  seat?: number | null;
}

/** What a position is worth to a seat. */
export interface SeatWorth {
  share: number;
  margin: number;
  sure: number;
}

/** A move with what it is worth. */
export interface BoardMove {
  move: unknown;
  events: Event[];
  told: string[];
  share: number;
  margin: number;
  behind: number;
  sure: number;
  why: string[];
}

/** What a position is worth to whoever looks. */
export interface BoardWorth {
  seats: SeatWorth[];
  mover: number | null;
  moves: BoardMove[];
  options: number;
  simulations: number;
  source: string;
}

/** A move of a tree of variations: after which other it was made, -1 for the first of a line; seat -1 is chance. */
export interface BoardNode {
  parent: number;
  seat: number;
  move: Record<string, unknown>;
}

/** POST /api/explore/saved: a tree of variations, and GET /api/explore/saved/{board}: the same again. */
export interface SavedBoard {
  record: Record<string, unknown>;
  nodes: BoardNode[];
  at: number;
}

/** The answer: under which id it is kept. */
export interface KeptBoard {
  board: string;
}

/** A puzzle in the list that GET /api/puzzles answers with. */
export interface PuzzleInfo {
  game: string;
  id: string;
  number: number;
  players: number;
  theme: string;
  degree: number;
}

/** How good a move is. */
export interface PuzzleAnswer {
  cost: number;
  why: string[];
  but: string[];
}

/** GET /api/puzzles/{game}/{puzzle}: a puzzle with all that is needed to solve it, in the asker's language. */
export interface PuzzleScene {
  options: Record<string, unknown>;
  edition: string;
  seat: number;
  names: string[];
  pending: number[];
  before: SeatView;
  outlooks: Outlook[];
  best: number;
  info: PuzzleInfo;
  answers: PuzzleAnswer[];
  tempting: number;
  share: number;
}

/** A position in which one move is asked for, with all that is needed to answer, in the asker's language. */
export interface BoardTask {
  options: Record<string, unknown>;
  edition: string;
  seat: number;
  names: string[];
  pending: number[];
  before: SeatView;
  outlooks: Outlook[];
  best: number;
}

/** An exercise in the list that GET /api/exercises/{game} answers with, in the asker's language. */
export interface ExerciseInfo {
  game: string;
  id: string;
  number: number;
  title: string;
}

/** What is said to a move, and whether it is right. */
export interface ExerciseAnswer {
  right: boolean;
  say: string;
}

/** GET /api/exercises/{game}/{exercise}: an exercise with all that is needed to do it. */
export interface ExerciseScene {
  options: Record<string, unknown>;
  edition: string;
  seat: number;
  names: string[];
  pending: number[];
  before: SeatView;
  outlooks: Outlook[];
  best: number;
  info: ExerciseInfo;
  ask: string;
  answers: ExerciseAnswer[];
}

/** Chance: a firework that is in play. */
export interface DiceFirework {
  kind: "firework";
  shape: "bar" | "corner" | "cross" | "cup" | "hook" | "square" | "tee" | "zigzag";
}

/** Chance: the side of an emperor card, 1 to 3, that is up. */
export interface DiceSideUp {
  kind: "side";
  card: number;
  side: "A" | "B";
}

/** Chance: a die, corner after corner. */
export interface DiceRoll {
  kind: "roll";
  colour: "B" | "G" | "O" | "P" | "R" | "W";
}

/** One gift to roll all dice again. */
export interface DiceReroll {
  kind: "reroll";
}

/** Turn the tray: the player at corner k faces the die that lay at (k + r) mod 4. */
export interface DiceTurn {
  kind: "turn";
  r: number;
}

/** Shade a zone: pond * 2, one more for the lower triangle; a pond is row * 9 + column. */
export interface DiceShade {
  kind: "shade";
  zone: number;
}

/** Pay for the action of an emperor card, 1 to 3; its zones follow. */
export interface DiceEmperor {
  kind: "emperor";
  card: number;
}

/** Lay the top firework of a stack on these ponds. */
export interface DiceLaunch {
  kind: "launch";
  shape: "bar" | "corner" | "cross" | "cup" | "hook" | "square" | "tee" | "zigzag";
  ponds: number[];
}

/** Nothing in this step. */
export interface DicePass {
  kind: "pass";
}

/** The moves of dice. */
export type DiceAnyMove =
  | DiceFirework
  | DiceSideUp
  | DiceRoll
  | DiceReroll
  | DiceTurn
  | DiceShade
  | DiceEmperor
  | DiceLaunch
  | DicePass;

/** A firework in play and the points on the tiles that are left, top first. */
export interface DiceStack {
  shape: "bar" | "corner" | "cross" | "cup" | "hook" | "square" | "tee" | "zigzag";
  left: number[];
}

/** A firework on a sheet: `tile` is its number in the stack from the top, `points` what is printed on it. */
export interface DiceLaunched {
  shape: "bar" | "corner" | "cross" | "cup" | "hook" | "square" | "tee" | "zigzag";
  ponds: number[];
  tile: number;
  points: number | null;
}

/** An emperor action under way: zones left to shade, colours it has shaded, the pond it is bound to. */
export interface DiceAction {
  card: number;
  left: number;
  colours: string;
  pond: number | null;
}

/** A boat that can still score: its pond, and how many of the four beside it are not yet complete. */
export interface DiceBoat {
  pond: number;
  missing: number;
}

/** A player's sheet and what the player is asked. `platform` is the pond whose bonus is to be used now. */
export interface DiceSeat {
  sheet: "A" | "B" | "C" | "D";
  gifts: number;
  shaded: number[];
  fireworks: DiceLaunched[];
  step: "action" | "bonus" | "die" | "emperor" | "launch" | "turn" | null;
  platform: number | null;
  action: DiceAction | null;
  corner: number | null;
  faces: "B" | "G" | "O" | "P" | "R" | "W" | null;
  bonuses: string | null;
  spent: number | null;
  points: Record<string, number> | null;
  groups: number[] | null;
  boats: DiceBoat[] | null;
  lacking: Record<string, number> | null;
}

/** What everybody sees. `turn` counts the turns of all players from 0, then the final launches; `dice` lie as their corners see them, clockwise; `sides` are those of the emperor cards 1 to 3. */
export interface DiceView {
  players: number;
  step: "ended" | "final" | "fireworks" | "roll" | "shade" | "sides" | "turn";
  turn: number;
  sides: ("A" | "B" | null)[];
  dice: ("B" | "G" | "O" | "P" | "R" | "W" | null)[];
  stacks: DiceStack[];
  seats: DiceSeat[];
  turns: number | null;
  active: number | null;
  bonus: "B" | "G" | "O" | "P" | "R" | "W" | null;
}

/** An event of Lanternes Dice, with the zone, pond or emperor card it is about, or the firework and its ponds. */
export interface DiceEvent {
  kind: string;
  seat: number | null;
  thing: string | null;
  number: number;
  why: string;
  zone?: number;
  colour?: "B" | "G" | "O" | "P" | "R" | "W";
  pond?: number;
  card?: number;
  side?: "A" | "B";
  shape?: "bar" | "corner" | "cross" | "cup" | "hook" | "square" | "tee" | "zigzag";
  ponds?: number[];
}

/** Chance: who is the first lookout. */
export interface IlesFirst {
  kind: "first";
  seat: number;
}

/** The lookout opens a pile. */
export interface IlesPile {
  kind: "pile";
  pile: "bottom" | "centre" | "dream" | "top";
}

/** Chance: a tile from the open pile, or what a tile taken face down turns out to be. */
export interface IlesDraw {
  kind: "draw";
  tile: number | "camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake";
}

/** Of two players the lookout leaves the tile in this slot face down. */
export interface IlesHide {
  kind: "hide";
  slot: number;
}

/** A tile from the table onto a column of its row; no column for a dream or a tile taken face down. */
export interface IlesTake {
  kind: "take";
  slot: number;
  column: number | null;
}

/** The column for a tile that was taken face down. */
export interface IlesLay {
  kind: "lay";
  column: number;
}

/** Who takes next. */
export interface IlesName {
  kind: "name";
  seat: number;
}

/** The moves of iles. */
export type IlesAnyMove =
  | IlesFirst
  | IlesPile
  | IlesDraw
  | IlesHide
  | IlesTake
  | IlesLay
  | IlesName;

/** A pile: how many tiles are left in it and for how many rounds it was opened. */
export interface IlesPileView {
  tiles: number;
  rounds: number;
  unseen: (number | "camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake")[];
  away: (number | "camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake")[];
}

/** A tile on the table. `secret`: the lookout alone has seen it; `tile` is then None for all others. */
export interface IlesSlot {
  tile: number | "camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake" | null;
  secret: boolean;
}

/** A tile on an island; `down` shows the genie. */
export interface IlesCell {
  tile: number;
  down: boolean;
}

/** A player's island by rows from the top, columns from the board outwards, and dreams in no order. */
export interface IlesSeat {
  island: ((IlesCell | null)[])[];
  dreams: ("camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake")[];
  points: Record<string, number> | null;
}

/** What a viewer sees. */
export interface IlesView {
  players: number;
  step: "draw" | "ended" | "first" | "hide" | "lay" | "name" | "pile" | "take" | "turn_up";
  lookout: number | null;
  active: number | null;
  piles: Record<string, IlesPileView>;
  open: "bottom" | "centre" | "dream" | "top" | null;
  table: (IlesSlot | null)[];
  turned_up: number | null;
  waiting: number[];
  seats: IlesSeat[];
}

/** An event of 1001 Îles, with the pile and the tile it is about, and the slot or the column where that is. */
export interface IlesEvent {
  kind: string;
  seat: number | null;
  thing: string | null;
  number: number;
  why: string;
  pile?: "bottom" | "centre" | "dream" | "top";
  tile?: number | "camel" | "elephant" | "fennec" | "gem_columns" | "gem_rows" | "genie" | "lamp" | "monkey" | "rokh" | "snake";
  slot?: number;
  column?: number;
}

/** Chance: who is first. */
export interface LanternesFirst {
  kind: "first";
  seat: number;
}

/** Chance: a tile from the pile. */
export interface LanternesDraw {
  kind: "draw";
  tile: number;
}

/** Two boats and a card for a card of another colour. */
export interface LanternesExchange {
  kind: "exchange";
  give: "B" | "G" | "K" | "O" | "P" | "R" | "W";
  take: "B" | "G" | "K" | "O" | "P" | "R" | "W";
}

/** A combination of cards for the top card of its stack; `colours` names those paid, each once. */
export interface LanternesReward {
  kind: "reward";
  combination: "four" | "pairs" | "seven";
  colours: string | ("B" | "G" | "K" | "O" | "P" | "R" | "W")[];
}

/** One card back to the supply. */
export interface LanternesDiscard {
  kind: "discard";
  colour: "B" | "G" | "K" | "O" | "P" | "R" | "W";
}

/** A tile from hand onto the lake, turned by clockwise quarters. */
export interface LanternesPlace {
  kind: "place";
  tile: number;
  x: number;
  y: number;
  turn: number;
}

/** Nothing in this step. */
export interface LanternesPass {
  kind: "pass";
}

/** The moves of lanternes. */
export type LanternesAnyMove =
  | LanternesFirst
  | LanternesDraw
  | LanternesExchange
  | LanternesReward
  | LanternesDiscard
  | LanternesPlace
  | LanternesPass;

/** A tile that lies on the lake. */
export interface LanternesLakeTile {
  tile: number;
  x: number;
  y: number;
  turn: number;
}

/** What lies in front of a player, and the side of the lake that the player faces: 0 north, 1 east, 2 south, 3 west. */
export interface LanternesSeat {
  cards: Record<string, number>;
  boats: number;
  points: Record<string, number>;
  tiles: number;
  hand: number[] | null;
  side: number | null;
}

/** What a viewer sees. `unseen` are the tiles that the viewer has not seen; `stacks` the rewards left, top first. */
export interface LanternesView {
  players: number;
  distribution: "active" | "first";
  first: number | null;
  active: number | null;
  step: "deal" | "discard" | "draw" | "ended" | "exchange" | "first" | "place" | "reward";
  final: boolean;
  lake: LanternesLakeTile[];
  supply: Record<string, number>;
  stacks: Record<string, number[]>;
  pile: number;
  unseen: number[];
  seats: LanternesSeat[];
}

/** An event of Lanternes, with the number of the tile that was drawn or placed, and where and how it lies. */
export interface LanternesEvent {
  kind: string;
  seat: number | null;
  thing: string | null;
  number: number;
  why: string;
  tile?: number;
  x?: number;
  y?: number;
  turn?: number;
}

/** Chance: a token from the bag, named by its kind. */
export interface LumensDraw {
  kind: "draw";
  token: number;
}

/** The face that the first token shows on the start marker. */
export interface LumensFace {
  kind: "face";
  face: number;
}

/** Chance: who is first. */
export interface LumensFirst {
  kind: "first";
  seat: number;
}

/** The token in hand on a cell, with the face that it shows. */
export interface LumensPlace {
  kind: "place";
  x: number;
  y: number;
  face: number;
}

/** The moves of lumens. */
export type LumensAnyMove =
  | LumensDraw
  | LumensFace
  | LumensFirst
  | LumensPlace;

/** A token on the board: whose, and the number that it shows. */
export interface LumensToken {
  seat: number;
  face: number;
}

/** A cell that is not empty; of two tokens the covered one comes first. */
export interface LumensCell {
  x: number;
  y: number;
  tokens: LumensToken[];
}

/** A player's tokens not on the board, by kind, and whether one is in hand; `hand` is there for who may see it. */
export interface LumensSeat {
  left: number[];
  holding: boolean;
  hand: number | null;
  out: boolean;
}

/** A room as it would be counted now, by seat. */
export interface LumensRoom {
  sums: number[];
  points: number[];
}

/** A place on the board. */
export interface LumensSpot {
  x: number;
  y: number;
}

/** A cell where the active player may place, and the cells of the tokens from which a line leads there. */
export interface LumensTarget {
  x: number;
  y: number;
  sources: LumensSpot[];
}

/** What a viewer sees. `rooms` and `targets` follow from the rest, so a position may be given without them. */
export interface LumensView {
  players: number;
  first: number | null;
  active: number | null;
  step: "deal_hand" | "deal_start" | "draw" | "ended" | "face" | "first" | "place";
  cells: LumensCell[];
  seats: LumensSeat[];
  rooms: Record<string, LumensRoom>;
  targets: LumensTarget[];
}

/** An event of Lumens, with the kind of the token that was drawn, or where one lies and the face it shows. */
export interface LumensEvent {
  kind: string;
  seat: number | null;
  thing: string | null;
  number: number;
  why: string;
  token?: number;
  x?: number;
  y?: number;
  face?: number;
}
