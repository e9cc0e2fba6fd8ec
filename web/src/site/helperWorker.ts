/** The worker in which bots think, hints are found and games analysed, so that the table's own never stalls. */
import type { RoomFiles } from "./files";
import type { HelperWord } from "./helper";
import { startPython, type Browser } from "./python";

interface JobWorker {
  do(body: Uint8Array): Uint8Array;
}

interface JobWorkerBrowser extends Browser {
  job_worker(tell: (body: Uint8Array) => void): JobWorker;
}

const tell = (say: HelperWord["say"], body: Uint8Array): void => postMessage({ say, body } satisfies HelperWord);

async function start(files: RoomFiles, base: string): Promise<JobWorker> {
  const browser = await startPython<JobWorkerBrowser>(files, base);
  return browser.job_worker((body) => tell("progressed", body));
}

let jobWorker: Promise<JobWorker>;

addEventListener("message", (event: MessageEvent<{ files: RoomFiles; base: string } | { body: Uint8Array }>) => {
  const { data } = event;
  if ("files" in data) {
    jobWorker = start(data.files, data.base);
    return;
  }
  jobWorker
    .then((one) => tell("done", one.do(data.body)))
    .catch((error: unknown) => {
      console.error(error);
      tell("failed", new Uint8Array());
    });
});
