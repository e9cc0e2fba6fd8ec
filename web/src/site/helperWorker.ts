/** The worker in which bots think, hints are found and games analysed, so that the table's own never stalls. */
import type { RoomFiles } from "./files";
import type { HelperWord } from "./helper";
import { startPython, type Browser } from "./python";

interface Doer {
  do(body: Uint8Array): Uint8Array;
}

interface DoerBrowser extends Browser {
  doer(tell: (body: Uint8Array) => void): Doer;
}

const tell = (say: HelperWord["say"], body: Uint8Array): void => postMessage({ say, body } satisfies HelperWord);

async function start(files: RoomFiles, base: string): Promise<Doer> {
  const browser = await startPython<DoerBrowser>(files, base);
  return browser.doer((body) => tell("progressed", body));
}

let doer: Promise<Doer>;

addEventListener("message", (event: MessageEvent<{ files: RoomFiles; base: string } | { body: Uint8Array }>) => {
  const { data } = event;
  if ("files" in data) {
    doer = start(data.files, data.base);
    return;
  }
  doer
    .then((one) => tell("done", one.do(data.body)))
    .catch((error: unknown) => {
      console.error(error);
      tell("failed", new Uint8Array());
    });
});
