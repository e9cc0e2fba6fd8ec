/** A tree of variations: moves of seats and of chance, from a position on. The first of several branches is the main line. */
import type { ExploredStep, SavedBoard } from "../../messages";

export type Move = Record<string, unknown>;

/** A game as a file has it: complete with all that is in the box, and the moves of everybody. */
export interface GameRecord extends Record<string, unknown> {
  game: string;
  players: number;
  options: Record<string, unknown>;
  edition: { hash: string; components: Record<string, unknown> };
  seats: { name: string; kind?: "human" | "bot"; level?: string | null }[];
  moves: [number | "chance", Move][];
}

export interface TreeNode {
  readonly id: number;
  readonly parent: TreeNode | null;
  /** Who moved; -1 is chance. */
  readonly seat: number;
  readonly move: Move;
  children: TreeNode[];
  /** What the move did, in words for `audience`. */
  step: ExploredStep | null;
  audience: string;
}

/** A line of the list of variations: a move, or several draws in a row. */
export interface Row {
  node: TreeNode;
  draws: number;
  depth: number;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export class Tree {
  #next = 0;
  readonly root: TreeNode = this.#node(null, -1, {});
  /** The node that is looked at. */
  at = $state.raw<TreeNode>(this.root);
  /** Changes with every change of the tree. */
  version = $state(0);

  #node(parent: TreeNode | null, seat: number, move: Move): TreeNode {
    return { id: this.#next++, parent, seat, move, children: [], step: null, audience: "" };
  }

  /** Go on by a move, on a branch of its own unless it was made there before. */
  add(seat: number, move: Move): TreeNode {
    const parent = this.at;
    let node = parent.children.find((child) => child.seat === seat && same(child.move, move));
    if (node === undefined) {
      node = this.#node(parent, seat, move);
      parent.children.push(node);
    }
    this.at = node;
    this.version++;
    return node;
  }

  /** The moves from the beginning to a node. */
  path(node: TreeNode = this.at): TreeNode[] {
    const found: TreeNode[] = [];
    for (let one: TreeNode | null = node; one?.parent; one = one.parent) found.unshift(one);
    return found;
  }

  /** Remove a node with all that follows; what is looked at is then the move before it. */
  remove(node: TreeNode): void {
    const { parent } = node;
    if (parent === null) return;
    if (this.path().includes(node)) this.at = parent;
    parent.children = parent.children.filter((child) => child !== node);
    this.version++;
  }

  /** Make the line to a node the main line. */
  promote(node: TreeNode): void {
    for (const one of this.path(node)) {
      const parent = one.parent!;
      parent.children = [one, ...parent.children.filter((child) => child !== one)];
    }
    this.version++;
  }

  /** Whether a node lies on the main line. */
  isMain(node: TreeNode): boolean {
    return this.path(node).every((one) => one.parent!.children[0] === one);
  }

  /** Go to the branch beside this one. */
  beside(way: 1 | -1): void {
    const branches = this.at.parent?.children ?? [];
    this.at = branches[branches.indexOf(this.at) + way] ?? this.at;
  }

  /** The ends of all lines but the one that is looked at. */
  leaves(): TreeNode[] {
    const found: TreeNode[] = [];
    const visit = (node: TreeNode): void => {
      if (node.children.length === 0) found.push(node);
      else node.children.forEach(visit);
    };
    visit(this.root);
    return found.filter((leaf) => leaf !== this.at);
  }

  /** All moves as a list: the main line first, each other branch indented below the move that it replaces. */
  rows(): Row[] {
    void this.version;
    const found: Row[] = [];
    const follow = (start: TreeNode, depth: number): void => {
      let draws = 0;
      for (let node: TreeNode | undefined = start; node !== undefined; node = node.children[0]) {
        const next: TreeNode | undefined = node.children[0];
        draws = node.seat < 0 ? draws + 1 : 0;
        const others: TreeNode[] = node.parent!.children;
        const isRun = node.seat < 0 && next?.seat === -1 && node.children.length === 1 && others.length === 1;
        if (!isRun) {
          found.push({ node, draws, depth });
          draws = 0;
        }
        if (others[0] === node) others.slice(1).forEach((other: TreeNode) => follow(other, depth + 1));
      }
    };
    const first = this.root.children[0];
    if (first !== undefined) follow(first, 0);
    return found;
  }

  /** The tree as it is kept. */
  saved(record: GameRecord): SavedBoard {
    const nodes: SavedBoard["nodes"] = [];
    let at = -1;
    const visit = (node: TreeNode, parent: number): void => {
      for (const child of node.children) {
        const index = nodes.push({ parent, seat: child.seat, move: child.move }) - 1;
        if (child === this.at) at = index;
        visit(child, index);
      }
    };
    visit(this.root, -1);
    return { record, nodes, at };
  }

  /** Return the tree that was kept. */
  static from(board: SavedBoard): Tree {
    const tree = new Tree();
    const made = board.nodes.map(() => tree.root);
    board.nodes.forEach(({ parent, seat, move }, i) => {
      tree.at = parent < 0 ? tree.root : made[parent]!;
      made[i] = tree.add(seat, move);
    });
    tree.at = board.at < 0 ? tree.root : made[board.at]!;
    return tree;
  }
}
