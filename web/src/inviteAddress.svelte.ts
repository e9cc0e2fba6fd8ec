/** The address that friends can use. On the server's own machine the page's address works for nobody else. */
import { request } from "./http";
import type { Server } from "./messages";

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

class Invitations {
  #server = $state.raw<Server | null>(null);

  /** Ask the server how others reach it; only needed where the page's own address is of no use to them. */
  async look(): Promise<void> {
    if (!LOCAL.has(location.hostname) || this.#server !== null) return;
    this.#server = await request<Server>("server").catch(() => null);
  }

  /** Whether the server can be reached from this machine only. */
  get isAlone(): boolean {
    return this.#server?.alone === true;
  }

  /** The whole address of a place, such as `#t/ID`, for friends. */
  linkTo(hash: string): string {
    const here = `${location.origin}${location.pathname}`;
    return (this.#server === null || this.isAlone ? here : this.#server.address) + hash;
  }
}

export const invitations = new Invitations();
