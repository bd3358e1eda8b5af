// Single keys for lists: through the rows, to the filter, and a list of all of them. Each does what a link, a box or a field on
// the page does as well. They can be switched off, since a voice may say them by chance (WCAG 2.2, 2.1.4).
const OFF = 'groundcrew-keys-off';

const KEYS: readonly [key: string, does: string][] = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Choose the row, where rows can be chosen'],
  ['e', 'Edit or open the row'],
  ['/', 'To the filter of the list, or to the search'],
  ['?', 'This list'],
];

export function offerKeys(): void {
  document.addEventListener('keydown', (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.defaultPrevented || isTyping(key.target)) return;
    if (key.key === '?') return taken(key, showKeys);
    if (localStorage.getItem(OFF) !== null || document.querySelector('dialog[open]:modal')) return;
    const act = ACTS[key.key];
    if (act) taken(key, act);
  });
}

function taken(key: KeyboardEvent, act: () => boolean): void {
  if (act()) key.preventDefault();
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, select, textarea, [contenteditable], .terminal, .xterm') !== null &&
  !isBox(target);
const isBox = (target: HTMLElement): boolean => target instanceof HTMLInputElement && target.type === 'checkbox';

const rows = (): HTMLTableRowElement[] =>
  [...document.querySelectorAll<HTMLTableRowElement>('main .scroll > table > tbody > tr')].filter(
    (row) => row.offsetParent !== null,
  );
const rowNow = (): HTMLTableRowElement | null =>
  document.activeElement?.closest<HTMLTableRowElement>('main .scroll > table > tbody > tr') ?? null;

function step(by: 1 | -1): boolean {
  const all = rows();
  const now = rowNow();
  const next = now ? all[all.indexOf(now) + by] : all[by === 1 ? 0 : all.length - 1];
  if (!next) return all.length > 0;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** The way to the row itself: what edits it, or its name. */
function open(wanted: string): boolean {
  const row = rowNow();
  const link = row?.querySelector<HTMLElement>(wanted) ?? row?.querySelector<HTMLElement>('th a[href]');
  link?.click();
  return link !== null && link !== undefined;
}

const ACTS: Readonly<Record<string, () => boolean>> = {
  j: () => step(1),
  k: () => step(-1),
  Enter: () => document.activeElement instanceof HTMLTableRowElement && open('th a[href]'),
  e: () => open('td.act a[href]'),
  x: () => {
    const box = rowNow()?.querySelector<HTMLInputElement>('input[type="checkbox"]');
    box?.click();
    return Boolean(box);
  },
  '/': () => {
    const field =
      document.querySelector<HTMLInputElement>('main .tools input[type="search"]') ??
      document.querySelector<HTMLInputElement>('#search');
    field?.focus();
    field?.select();
    return field !== null;
  },
};

let dialog: HTMLDialogElement | null = null;

function showKeys(): boolean {
  dialog ??= made();
  if (dialog.open) dialog.close();
  else dialog.showModal();
  return true;
}

function made(): HTMLDialogElement {
  const shown = document.createElement('dialog');
  shown.className = 'keys';
  shown.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keys';
  const list = document.createElement('dl');
  for (const [key, does] of [['Ctrl K', 'Search, or say what to do'] as const, ...KEYS]) {
    const pair = document.createElement('div');
    const [name, words] = [document.createElement('dt'), document.createElement('dd')];
    const cap = document.createElement('kbd');
    cap.textContent = key;
    name.append(cap);
    words.textContent = does;
    pair.append(name, words);
    list.append(pair);
  }
  const form = document.createElement('form');
  form.method = 'dialog';
  form.append(offSwitch(), closing());
  shown.append(title, list, form);
  shown.addEventListener('click', (click) => {
    if (click.target === shown) shown.close();
  });
  document.body.append(shown);
  return shown;
}

function offSwitch(): HTMLLabelElement {
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = localStorage.getItem(OFF) === null;
  box.addEventListener('change', () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, '1')));
  label.append(box, ' Use these keys in this browser');
  return label;
}

function closing(): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'btn';
  button.textContent = 'Close';
  return button;
}
