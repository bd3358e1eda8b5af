// Another client, in a thread of its own, so that it waits for the appliance and not for the attack: asks again and again
// over a new connection, and tells how long each answer took. Ends when it is told to.
import { request } from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

export interface Visit {
  port: number;
  path: string;
  /** Address that it comes from. */
  from: string;
  headers: Record<string, string>;
}

/** What became of the visits. Milliseconds since the visitor began. */
export interface Visited {
  waits: number[];
  /** Visits that got no answer: closed, or none within `PATIENCE_MS`. */
  unanswered: number;
  /** When the first answer came after the last visit without one; null: the last one had none. */
  answered_from: number | null;
}

const EVERY_MS = 50;
const PATIENCE_MS = 20_000;
const { port, path, from, headers } = workerData as Visit;

/** Milliseconds, or null without an answer. */
function visit(): Promise<number | null> {
  const began = performance.now();
  return new Promise((resolve) => {
    const place = {
      host: '127.0.0.1',
      port,
      path,
      headers,
      localAddress: from,
      rejectUnauthorized: false,
      agent: false,
    };
    const asked = request({ ...place, timeout: PATIENCE_MS }, (answer) => {
      answer.resume().on('close', () => resolve(answer.complete ? performance.now() - began : null));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end();
  });
}

let stopped = false;
parentPort!.once('message', () => {
  stopped = true;
});
const began = performance.now();
const visited: Visited = { waits: [], unanswered: 0, answered_from: 0 };
while (!stopped) {
  const took = await visit();
  if (took === null) {
    visited.unanswered += 1;
    visited.answered_from = null;
  } else {
    visited.waits.push(took);
    visited.answered_from ??= performance.now() - began;
  }
  await new Promise((done) => setTimeout(done, EVERY_MS));
}
parentPort!.postMessage(visited);
