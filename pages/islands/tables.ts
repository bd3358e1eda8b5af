// A table that is not wider than its place lets its head stay below the bars by style alone. One that is wider has a region
// that scrolls sideways, which holds the head: it is moved along as the page scrolls. Without script it stays at the top.
import { nowAndAfterSwaps } from './swapped.ts';

export function freeTables(): void {
  nowAndAfterSwaps(measure);
  addEventListener('resize', measure);
  addEventListener('scroll', moveHeads, { passive: true });
}

let height = 0;

function measure(): void {
  const bars = ['.top', '.strip'].map((bar) => document.querySelector<HTMLElement>(bar));
  height = bars.reduce((sum, bar) => sum + (bar && stays(bar) ? bar.offsetHeight : 0), 0);
  document.documentElement.style.setProperty('--bars', `${height}px`);
  for (const place of places()) {
    place.classList.remove('fits', 'wide');
    place.classList.add(place.scrollWidth <= place.clientWidth ? 'fits' : 'wide');
  }
  moveHeads();
}

/** To the lower edge of the bars, and no further than the last row. */
function moveHeads(): void {
  for (const place of places(':not(.fits)')) {
    const head = place.querySelector('thead');
    const most = place.clientHeight - 2 * (head?.offsetHeight ?? 0);
    const down = Math.min(height - place.getBoundingClientRect().top, most);
    place.style.setProperty('--head', `${Math.max(0, down)}px`);
  }
}

const places = (which = ''): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(`main .scroll${which}`)].filter((place) => !place.closest('dialog'));

const stays = (bar: HTMLElement): boolean => getComputedStyle(bar).position === 'sticky';
