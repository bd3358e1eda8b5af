// Replays a recording of a terminal in xterm: what was printed, as it was printed, with long waits made short. It reaches neither
// clipboard, title nor window, and opens no link.
import './terminal-styles.ts';
import { Terminal } from '@xterm/xterm';
import { type Cast, castOf } from './asciicast.ts';

/** Seconds: a longer wait is this long. */
const WAIT_MOST = 2;

const part = <E extends HTMLElement>(selector: string): E => document.querySelector<E>(selector)!;
const actions = part('[data-replay]');
const form = actions.closest('form')!;
const password = form.querySelector<HTMLInputElement>('input[type="password"]')!;
const status = part('[data-replay-status]');
const place = part('[data-replay-place]');
const controls = part('[data-replay-controls]');
const pause = part<HTMLButtonElement>('[data-replay-pause]');
const slider = part<HTMLInputElement>('[data-replay-at]');
const clock = part<HTMLOutputElement>('[data-replay-clock]');

interface Opened {
  asciicast: string;
  whole: boolean;
}

interface Refused {
  detail?: string;
  errors?: { detail: string }[];
}

async function ask(purpose: 'replay' | 'export'): Promise<Opened | null> {
  if (!form.reportValidity()) return null;
  status.textContent = 'The recording is opened.';
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  body.set('purpose', purpose);
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json' } }).catch(
    () => null,
  );
  const told = (await answer?.json().catch(() => null)) as (Opened & Refused) | null;
  if (answer?.ok && told) {
    password.value = '';
    return told;
  }
  const { errors, detail } = told ?? {};
  status.textContent = errors?.map((each) => each.detail).join(' ') || detail || 'The appliance did not answer.';
  return null;
}

const breaks = (whole: boolean): string => (whole ? '' : ' Its end is missing or damaged: what came before is here.');

let term: Terminal | null = null;
let timer = 0;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void replay();
});

part('[data-replay-export]').addEventListener('click', async () => {
  const opened = await ask('export');
  if (!opened) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([opened.asciicast], { type: 'application/x-asciicast' }));
  link.download = `${actions.dataset.replay}.cast`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  status.textContent = `The recording was exported.${breaks(opened.whole)}`;
});

async function replay(): Promise<void> {
  const opened = await ask('replay');
  if (!opened) return;
  const cast = castOf(opened.asciicast, WAIT_MOST);
  status.textContent = `The recording is replayed.${breaks(opened.whole)}`;
  show(cast);
}

function show(cast: Cast): void {
  term?.dispose();
  window.clearTimeout(timer);
  place.hidden = false;
  controls.hidden = false;
  const made = new Terminal({
    ...{ cols: cast.columns, rows: cast.rows, disableStdin: true, screenReaderMode: true, scrollback: 5_000 },
    ...{ fontFamily: getComputedStyle(place).fontFamily, fontSize: 14, windowOptions: {} },
    theme: { background: '#121311', foreground: '#ebeae4', cursor: '#ebeae4' },
    linkHandler: { activate: () => undefined },
  });
  term = made;
  made.open(place);
  play(made, cast);
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function play(on: Terminal, { events, seconds, columns, rows }: Cast): void {
  let next = 0;
  let at = 0;
  let runs = true;
  slider.max = String(seconds);
  const draw = () => {
    slider.value = String(at);
    clock.textContent = `${minutes(at)} of ${minutes(seconds)}`;
    pause.textContent = at >= seconds ? 'From the start' : runs ? 'Pause' : 'Go on';
  };
  const upTo = (time: number) => {
    for (; next < events.length && events[next]!.at <= time; next += 1) {
      const { kind, text } = events[next]!;
      if (kind === 'r') resize(on, text);
      else if (kind === 'o') on.write(text);
    }
    at = time;
    draw();
  };
  const go = (time: number) => {
    if (time < at) {
      on.reset();
      on.resize(columns, rows);
      next = 0;
    }
    upTo(Math.min(time, seconds));
  };
  let before = performance.now();
  const tick = () => {
    const now = performance.now();
    if (term !== on) return;
    if (runs && at < seconds) upTo(Math.min(seconds, at + (now - before) / 1000));
    before = now;
    timer = window.setTimeout(tick, 50);
  };
  pause.onclick = () => {
    if (at >= seconds) {
      go(0);
      runs = true;
    } else runs = !runs;
    draw();
  };
  slider.oninput = () => go(Number(slider.value));
  upTo(0);
  tick();
}

function resize(on: Terminal, text: string): void {
  const [, columns, rows] = /^(\d{1,3})x(\d{1,3})$/.exec(text) ?? [];
  if (columns && rows) on.resize(Math.max(2, Number(columns)), Math.max(1, Number(rows)));
}
