// Long work on the event loop in short turns: whatever else waits there has its own between two of them.
import { setImmediate } from 'node:timers/promises';

/** Milliseconds of one turn. */
const TURN = 5;

/** Answers a function that is called between steps: it waits when the turn is over. */
export function inTurns(ms = TURN): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < ms) return undefined;
    return setImmediate().then(() => {
      began = performance.now();
    });
  };
}
