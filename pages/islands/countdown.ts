// Counts the seconds of `data-until` elements down, from what the server wrote into them: a browser's clock may be wrong.
// A ring beside them loses its arc at the same pace.
import { arcOf } from '../components/ring-arc.ts';
import { countdown } from '../components/time-words.ts';
import { nowAndAfterSwaps } from './swapped.ts';

const EVERY_MS = 250;

/** The words that stand in an element, and when this browser's clock reaches the end. */
const ends = new WeakMap<Element, { words: string; at: number }>();

export function runCountdowns(): void {
  nowAndAfterSwaps(tick);
  setInterval(tick, EVERY_MS);
}

function tick(): void {
  for (const element of document.querySelectorAll('[data-until]')) {
    const written = element.textContent ?? '';
    let known = ends.get(element);
    if (known?.words !== written) {
      const [minutes = 0, seconds = 0] = written.split(':').map(Number);
      known = { words: written, at: Date.now() + (minutes * 60 + seconds) * 1000 };
    }
    const words = countdown(Math.ceil((known.at - Date.now()) / 1000));
    ends.set(element, { words, at: known.at });
    turn(element.parentElement?.querySelector('[data-arc]'), (known.at - Date.now()) / 1000);
    if (words === written) continue;
    element.textContent = words;
    // The label of the ring that it stands in says the same.
    element.closest('.ring')?.setAttribute('aria-label', `${words} left`);
  }
}

/** `data-arc` holds the seconds of the whole ring. */
function turn(arc: Element | null | undefined, left: number): void {
  const whole = Number(arc?.getAttribute('data-arc'));
  if (arc && whole > 0) arc.setAttribute('stroke-dasharray', arcOf(left / whole));
}
