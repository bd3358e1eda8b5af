// Keeps a page true while it is looked at. The appliance says over one event stream that jobs or pending changes moved;
// the page then reads itself again and takes over its regions marked `data-live`, the strip, and the navigation's marks.
// Without a stream it asks every few seconds, as long as something on it can still move.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { morph } from './morph.ts';
import { announceSwap } from './swapped.ts';

const EVENTS = pagePath('events');
const POLL_MS = 3000;
/** Between two readings: a page with a timeline, and one that only shows the strip. */
const CLOSE_MS = 250;
const FAR_MS = 1500;
/** After a form was sent the next page takes over; if it does not, this page goes on. */
const LEAVING_MS = 8000;
/** For an answer: an address that is gone does not even refuse. */
const PATIENCE_MS = 5000;
/** What is only said while nobody answers here: where to go instead. */
const LOST = '[data-lost]';

let stream: EventSource | null = null;
let streaming = false;
/** Something moved, or may have, that this page has not read. */
let missed = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let reading = false;
let pausedUntil = 0;
let over = false;

export function followLive(): void {
  if (!document.querySelector('.shell')) return;
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));
  document.addEventListener('submit', () => {
    pausedUntil = Date.now() + LEAVING_MS;
  });
  window.addEventListener('pagehide', stop);
  window.addEventListener('pageshow', (shown) => {
    if (shown.persisted) start();
  });
  if (!document.hidden) connect();
  readEvery();
}

/** A page that follows what no event tells of: a region says after how many seconds it wants to be read anew. */
function readEvery(): void {
  const seconds = Number(document.querySelector<HTMLElement>('[data-every]')?.dataset.every);
  if (seconds > 0) setInterval(() => readIn(0), 1000 * seconds);
}

/** For what this page changed itself. */
export function readNow(): void {
  pausedUntil = 0;
  if (document.querySelector('[data-live]')) readIn(0);
}

function start(): void {
  missed = true;
  connect();
}

function stop(): void {
  stream?.close();
  stream = null;
  streaming = false;
  clearTimeout(timer);
  timer = undefined;
}

function connect(): void {
  if (over || (stream && stream.readyState !== EventSource.CLOSED)) return;
  stream = new EventSource(EVENTS);
  stream.addEventListener('jobs', () => readIn(pace()));
  stream.addEventListener('pending', () => readIn(pace()));
  stream.addEventListener('open', () => {
    streaming = true;
    // What moved between the page and its stream was told to nobody.
    if (missed || canMove()) readIn(0);
    missed = false;
  });
  stream.addEventListener('error', () => {
    streaming = false;
    missed = true;
    if (canMove()) readIn(POLL_MS);
  });
}

function pace(): number {
  return document.querySelector('[data-live]:not([data-done])') ? CLOSE_MS : FAR_MS;
}

function canMove(): boolean {
  return document.querySelector('[data-live]:not([data-done]), .strip[data-job]') !== null;
}

function readIn(ms: number): void {
  if (over || document.hidden || timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    void read();
  }, ms);
}

async function read(): Promise<void> {
  if (reading || Date.now() < pausedUntil) return readIn(CLOSE_MS);
  reading = true;
  try {
    const answer = await fetch(address(), {
      headers: { accept: 'text/html', 'groundcrew-refresh': '1' },
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // Signed out, or the thing is gone: the next click of the person says so.
    over = answer.status !== 200 && answer.status < 500;
    missed = true;
    if (answer.status === 200 && Date.now() >= pausedUntil) {
      takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      missed = !streaming;
    }
  } catch {
    missed = true;
    for (const told of document.querySelectorAll<HTMLElement>(LOST)) told.hidden = false;
  } finally {
    reading = false;
  }
  if (over) stop();
  // The stream says it once that something moved.
  else if (streaming && missed) readIn(POLL_MS);
  // A stream over an address that is gone stays open and says nothing.
  else if ((!streaming || document.querySelector(LOST)) && canMove()) readIn(POLL_MS);
}

/** The page's own address. After a refused form the browser stands at the form's, which answers no GET. */
function address(): string {
  const page = document.querySelector<HTMLInputElement>('.top input[name="return_to"]');
  return page?.value || location.pathname + location.search;
}

function takeOver(fresh: Document): void {
  const regions = fresh.querySelectorAll('[data-live]');
  for (const [index, region] of document.querySelectorAll('[data-live]').entries()) {
    const next = regions[index];
    if (next) morph(region, next);
  }
  swapStrip(fresh);
  const nav = fresh.querySelector('.nav');
  if (nav) morph(document.querySelector('.nav')!, nav);
  document.title = fresh.title;
  announceSwap();
}

function swapStrip(fresh: Document): void {
  const present = document.querySelector('.work > .strip');
  const next = fresh.querySelector('.work > .strip');
  if (present && next) morph(present, next);
  else if (next) document.querySelector('.work')?.prepend(next);
  else present?.remove();
}
