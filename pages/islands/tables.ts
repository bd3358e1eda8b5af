// A table that is not wider than its place scrolls with the page, its head below the bars; only one that is wider keeps
// a region of its own. Without script every long table has one.
import { nowAndAfterSwaps } from './swapped.ts';

export function freeTables(): void {
  nowAndAfterSwaps(measure);
  addEventListener('resize', measure);
}

function measure(): void {
  const bars = ['.top', '.strip'].map((bar) => document.querySelector<HTMLElement>(bar));
  const height = bars.reduce((sum, bar) => sum + (bar && stays(bar) ? bar.offsetHeight : 0), 0);
  document.documentElement.style.setProperty('--bars', `${height}px`);
  for (const place of document.querySelectorAll<HTMLElement>('main .scroll')) {
    if (place.closest('dialog')) continue;
    place.classList.remove('fits');
    place.classList.toggle('fits', place.scrollWidth <= place.clientWidth);
  }
}

const stays = (bar: HTMLElement): boolean => getComputedStyle(bar).position === 'sticky';
