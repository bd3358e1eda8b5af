// Keeps relative times fresh by the appliance's clock: each says when the server wrote it (`data-relative`), and only
// what has passed since then is measured here. A browser whose clock is wrong shows the same words.
import { relative } from '../components/time-words.ts';
import { nowAndAfterSwaps } from './swapped.ts';

const EVERY_MS = 1000;

/** When the words of an element arrived, in this browser's clock, and the server's instant that they were made at. */
const arrived = new WeakMap<Element, { written: string; here: number }>();

export function keepTimesFresh(): void {
  nowAndAfterSwaps(refresh);
  setInterval(() => {
    if (!document.hidden) refresh();
  }, EVERY_MS);
}

function refresh(): void {
  const here = Date.now();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    const written = time.dataset.relative ?? '';
    let known = arrived.get(time);
    if (known?.written !== written) {
      known = { written, here };
      arrived.set(time, known);
    }
    const now = new Date(Date.parse(written) + here - known.here).toISOString();
    const words = relative(time.dateTime, now);
    if (time.textContent !== words) time.textContent = words;
  }
}
