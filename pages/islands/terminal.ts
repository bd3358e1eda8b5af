// The terminal of the page: a ticket for the form, the sign-in at the operating system, and then xterm over a WebSocket. What the
// shell prints can't reach clipboard, title or window, and opens no link unasked.
import './terminal-styles.ts';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { guarded } from './paste-guard.ts';

const SUBPROTOCOL = 'groundcrew-terminal.2';
const KEPT = 'groundcrew-terminal';
/** Bytes of one message. */
const MESSAGE = 16 << 10;

type Told =
  | { type: 'recorded'; days: number }
  | { type: 'prompt'; prompts: { prompt: string; echo: boolean }[] }
  | { type: 'ready'; resume: string; replayed: number; again: boolean }
  | { type: 'warning'; cause: 'idle' | 'total'; seconds: number }
  | { type: 'closing'; cause: string; says: string };

const part = <E extends HTMLElement>(selector: string): E => document.querySelector<E>(selector)!;
const place = part('[data-terminal-place]');
const entry = part('[data-terminal-entry]');
const form = part<HTMLFormElement>('[data-terminal-entry] form');
const recorded = part('[data-terminal-recorded]');
const status = part('[data-terminal-status]');
const asks = part<HTMLFormElement>('[data-terminal-asks]');
const machine = document.querySelector<HTMLSelectElement>('#target');
const look = part<HTMLButtonElement>('[data-terminal-host-look]');
const otherOpen = part('[data-terminal-other]');
const hostKey = part('[data-terminal-host-key]');
const leave = part<HTMLButtonElement>('[data-terminal-end]');
const dialog = part<HTMLDialogElement>('[data-terminal-paste]');

const say = (text: string) => {
  status.textContent = text;
};

interface Shown {
  term: Terminal;
  fit: FitAddon;
}
let shown: Shown | null = null;
let socket: WebSocket | null = null;
let ready = false;
let closing = '';

const tell = (message: unknown) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};

function show(): Shown {
  if (shown) return shown;
  const style = getComputedStyle(place);
  const term = new Terminal({
    screenReaderMode: true,
    scrollback: 5_000,
    fontFamily: style.fontFamily,
    fontSize: 14,
    theme: { background: '#121311', foreground: '#ebeae4', cursor: '#ebeae4' },
    // Only where the terminal says that it is a link, and only after a question that shows the whole address.
    linkHandler: { activate: (_event, text) => follow(text) },
    windowOptions: {},
  });
  const fit = new FitAddon();
  term.loadAddon(fit);
  place.hidden = false;
  term.open(place);
  fit.fit();
  term.onData((text) => type(new TextEncoder().encode(text)));
  term.onBinary((text) => type(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
  term.onResize(({ cols, rows }) => tell({ type: 'resize', columns: cols, rows }));
  // The way out for keyboards: everything else, Tab too, belongs to the shell.
  term.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'F6' || !event.shiftKey) return true;
    if (event.type === 'keydown') leave.focus();
    event.preventDefault();
    return false;
  });
  new ResizeObserver(() => fit.fit()).observe(place);
  shown = { term, fit };
  return shown;
}

function type(bytes: Uint8Array): void {
  if (!ready || socket?.readyState !== WebSocket.OPEN) return;
  for (let at = 0; at < bytes.length; at += MESSAGE) socket.send(bytes.slice(at, at + MESSAGE));
}

function follow(text: string): void {
  let address: URL;
  try {
    address = new URL(text);
  } catch {
    return; // no address
  }
  if (!['http:', 'https:'].includes(address.protocol)) return;
  if (window.confirm(`Open ${address.href}?`)) window.open(address.href, '_blank', 'noopener,noreferrer');
}

/** `first`: the ticket, or what the page comes back with. */
function connect(first: { type: 'ticket'; ticket: string; take?: true } | { type: 'resume'; token: string }): void {
  const { term } = show();
  closing = '';
  ready = false;
  const address = `${location.origin.replace(/^http/, 'ws')}${form.dataset.socket ?? place.dataset.socket}`;
  const made = new WebSocket(address, SUBPROTOCOL);
  socket = made;
  made.binaryType = 'arraybuffer';
  made.addEventListener('open', () => tell({ ...first, columns: term.cols, rows: term.rows }));
  made.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') {
      told(JSON.parse(data) as Told);
      return;
    }
    const bytes = new Uint8Array(data);
    term.write(bytes, () => tell({ type: 'drawn', bytes: bytes.length }));
  });
  made.addEventListener('close', ({ code }) => ended(code));
}

function told(message: Told): void {
  const { term } = show();
  if (message.type === 'recorded') {
    const days = message.days === 1 ? 'one day' : `${message.days} days`;
    recorded.textContent = `This terminal is recorded: what is printed, with the letters that the shell echoes, is kept for ${days}. Keys that nothing echoes, as passwords, are not.`;
    recorded.hidden = false;
    return;
  }
  if (message.type === 'prompt') {
    ask(message.prompts);
    return;
  }
  if (message.type === 'warning') {
    const why = message.cause === 'idle' ? 'because nothing is typed' : 'because it reaches its session limit';
    say(`The terminal ends in ${message.seconds} seconds, ${why}.`);
    return;
  }
  if (message.type === 'closing') {
    closing = message.says;
    return;
  }
  ready = true;
  sessionStorage.setItem(KEPT, message.resume);
  asks.hidden = true;
  leave.hidden = false;
  if (message.again) term.reset();
  say('The terminal is open. Shift+F6 leaves it.');
  term.focus();
}

function ask(prompts: { prompt: string; echo: boolean }[]): void {
  const fields = prompts.map(({ prompt, echo }, at) => {
    const label = document.createElement('label');
    const input = document.createElement('input');
    label.textContent = prompt;
    label.htmlFor = input.id = `terminal-answer-${at}`;
    input.type = echo ? 'text' : 'password';
    input.autocomplete = 'off';
    return [label, input];
  });
  asks.querySelector('[data-terminal-fields]')!.replaceChildren(...fields.flat());
  asks.hidden = false;
  say('The operating system asks.');
  asks.querySelector('input')?.focus();
}

function ended(code: number): void {
  const broke = code === 1006 || code === 1001;
  ready = false;
  socket = null;
  asks.hidden = true;
  const kept = sessionStorage.getItem(KEPT);
  if (broke && kept !== null && closing === '') {
    comeBack(kept);
    return;
  }
  sessionStorage.removeItem(KEPT);
  leave.hidden = true;
  recorded.hidden = true;
  entry.hidden = false;
  say(closing || 'The connection to the appliance broke.');
}

function comeBack(token: string): void {
  sessionStorage.removeItem(KEPT);
  entry.hidden = true;
  say('Back to the terminal that was open here.');
  connect({ type: 'resume', token });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open();
});

/** What the appliance answers to fields of the form; null once it is said why not. */
async function post<T extends object>(
  action: string,
  fields: URLSearchParams,
  member: keyof T & string,
): Promise<T | null> {
  const answer = await fetch(action, { method: 'POST', body: fields, headers: { accept: 'application/json' } }).catch(
    () => null,
  );
  const told = (await answer?.json().catch(() => null)) as Refused | T | null;
  if (answer?.ok && told && member in told) return told as T;
  const { errors, detail } = (told ?? {}) as Refused;
  say(errors?.map((each) => each.detail).join(' ') || detail || 'The appliance did not answer.');
  return null;
}

const typedFields = () => new URLSearchParams(new FormData(form) as unknown as Record<string, string>);

async function open(): Promise<void> {
  say('');
  const told = await post<{ ticket: string; other: Other | null }>(form.action, typedFields(), 'ticket');
  if (!told) return;
  hostKey.hidden = true;
  const { ticket, other } = told;
  ownPassword.value = '';
  entry.hidden = true;
  if (other === null) return connect({ type: 'ticket', ticket });
  part('[data-terminal-other-words]').textContent =
    `Since ${new Date(other.since).toLocaleString()}, from ${other.source_address}. Taken over, it ends there and goes on here.`;
  otherOpen.hidden = false;
  const go = (first: Parameters<typeof connect>[0]) => {
    otherOpen.hidden = true;
    connect(first);
  };
  part('[data-terminal-take]').onclick = () => go({ type: 'ticket', ticket, take: true });
  part('[data-terminal-another]').onclick = () => go({ type: 'ticket', ticket });
  part('[data-terminal-take]').focus();
}

interface Other {
  since: string;
  source_address: string;
}

/** Of another machine neither account nor password is typed. */
function chosen(): void {
  const other = (machine?.value ?? '') !== '';
  const account = part<HTMLInputElement>('#account');
  account.required = !other;
  account.parentElement!.hidden = other;
  look.hidden = !other;
  hostKey.hidden = true;
}
machine?.addEventListener('change', chosen);
chosen();

interface Seen {
  server: string;
  sha256: string;
  confirmed: string | null;
}
let seen: Seen | null = null;

const ownPassword = part<HTMLInputElement>('[data-terminal-entry] form input[type="password"]');
const sibling = (name: string) => form.action.replace(/[^/]*$/, name);
/** To look at a host key the own password is no part of it. */
const hostFields = (more: Record<string, string> = {}) =>
  new URLSearchParams({ csrf: typedFields().get('csrf') ?? '', target: machine?.value ?? '', ...more });

look.addEventListener('click', async () => {
  say('The machine is asked for its host key.');
  seen = await post<Seen>(sibling('look-at-host-key'), hostFields(), 'sha256');
  if (!seen) return;
  say('');
  const { server, sha256, confirmed } = seen;
  const same = confirmed === sha256;
  part('[data-terminal-host-words]').textContent = same
    ? `${server} shows the host key that was confirmed.`
    : confirmed === null
      ? `${server} shows this host key; none was confirmed yet.`
      : `${server} now shows another host key than the confirmed one, ${confirmed}. Find out why before you confirm it:`;
  part('[data-terminal-host-shown]').textContent = sha256;
  part('[data-terminal-host-confirm]').hidden = same;
  hostKey.hidden = false;
});

part('[data-terminal-host-confirm]').addEventListener('click', async () => {
  if (!seen || !ownPassword.reportValidity()) return;
  const done = await post<{ sha256: string }>(
    sibling('confirm-host-key'),
    hostFields({ sha256: seen.sha256, own_password: ownPassword.value }),
    'sha256',
  );
  if (!done) return;
  hostKey.hidden = true;
  say('The host key is confirmed. Open the terminal.');
});

interface Refused {
  detail?: string;
  errors?: { detail: string }[];
}

asks.addEventListener('submit', (event) => {
  event.preventDefault();
  const answers = [...asks.querySelectorAll('input')].map(({ value }) => value);
  asks.querySelector('[data-terminal-fields]')!.replaceChildren();
  asks.hidden = true;
  tell({ type: 'answer', answers });
});

leave.addEventListener('click', () => tell({ type: 'end' }));

// Before xterm sees it.
place.addEventListener('paste', (event) => pasted(event as ClipboardEvent), { capture: true });
place.addEventListener('drop', (event) => event.preventDefault(), { capture: true });

function pasted(event: ClipboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  const found = guarded(event.clipboardData?.getData('text/plain') ?? '');
  if (found.text === '' && found.removed === 0) return;
  if (!found.asks) return void shown?.term.paste(found.text);
  const left = found.removed > 0 ? ` ${found.removed} hidden or control characters were left out.` : '';
  dialog.querySelector('[data-terminal-pasted]')!.textContent = found.text;
  dialog.querySelector('[data-terminal-why]')!.textContent =
    `${found.lines === 1 ? 'One line' : `${found.lines} lines`}: the shell may run each at once.${left}`;
  dialog.returnValue = '';
  dialog.addEventListener(
    'close',
    () => {
      if (dialog.returnValue === 'paste') shown?.term.paste(found.text);
      shown?.term.focus();
    },
    { once: true },
  );
  dialog.showModal();
}

const kept = sessionStorage.getItem(KEPT);
if (kept !== null) comeBack(kept);
