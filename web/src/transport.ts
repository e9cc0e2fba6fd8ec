/** The transport to the room: over the network to a server, or to a room in this page. */

/** What a connection to a table does; a WebSocket does it. */
export interface Pipe extends EventTarget {
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Ask for a path below the room's api. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  connect(table: string): Pipe;
}

const network: Transport = {
  ask: (path, init) => fetch(`./api/${path}`, init),
  connect(table) {
    const address = new URL(`./api/tables/${encodeURIComponent(table)}/socket`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    return new WebSocket(address);
  },
};

/** Whether the room is in this page, as files of a static site: nobody else can come here. */
export const isSite = document.querySelector('meta[name="lampion-room"]') !== null;

let chosen = network;

export const transport: Transport = {
  ask: (path, init) => chosen.ask(path, init),
  connect: (table) => chosen.connect(table),
};

/** Set the transport, before the first request. */
export function reachBy(way: Transport): void {
  chosen = way;
}
