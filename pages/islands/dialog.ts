// Makes the dialog of a page modal, shows while somebody types what it comes to, and takes its steps without leaving it:
// forms and links of the dialog load their page in the background, and the dialog is made like the one that comes back.
// Every state of it is an address, which the browser's bar follows.
import { morph } from './morph.ts';

const WAIT_MS = 250;
/** An address that somebody is still typing has no prefix length yet; it is asked about when he leaves the field. */
const WHOLE = /^$|\/\d{1,3}$/;

export function offerDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.sheet');
  if (!dialog) return;
  dialog.removeAttribute('open');
  dialog.showModal();
  const starts = [...dialog.querySelectorAll<HTMLInputElement>('input[name^="start_"]')];
  const wanted = starts.every(({ value }) => value === '') ? starts[0] : dialog.querySelector<HTMLElement>('#confirm');
  const first = dialog.querySelector<HTMLElement>('[aria-invalid="true"]') ?? wanted;
  first?.focus();
  for (const button of dialog.querySelectorAll<HTMLButtonElement>('form[data-preview] button')) button.hidden = true;
  follow(dialog);
}

function follow(dialog: HTMLDialogElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = new AbortController();
  /** Something was sent that is being done. */
  let making = false;

  const show = async (address: string, post?: URLSearchParams) => {
    clearTimeout(timer);
    asked.abort();
    asked = new AbortController();
    making = post !== undefined;
    const { signal } = asked;
    wait(dialog);
    const answer = await load(address, post, signal);
    if (asked.signal === signal) making = false;
    if (answer === 'silence') tellSilence(dialog, post !== undefined);
    else if (answer === 'gone') location.assign(post ? location.href : address);
    else if (answer !== null) takeOver(dialog, answer.page, answer.address);
  };

  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    location.assign(dialog.dataset.close ?? '/');
  });
  dialog.addEventListener('input', ({ target }) => {
    const form = formOf(target, 'preview');
    // What is being made is still told.
    if (!form || making) return;
    clearTimeout(timer);
    // An answer that is on its way belongs to what was typed before.
    asked.abort();
    wait(dialog);
    if (isWhole(form)) timer = setTimeout(() => void show(addressOf(form)), WAIT_MS);
  });
  dialog.addEventListener('change', ({ target }) => {
    const form = formOf(target, 'preview');
    if (form && !isWhole(form)) void show(addressOf(form));
  });
  dialog.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!('preview' in form.dataset) && !('inPlace' in form.dataset)) return;
    event.preventDefault();
    if ('preview' in form.dataset) void show(addressOf(form));
    else void show(form.action, fieldsOf(form));
  });
  dialog.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || link.pathname !== dialog.dataset.close || !link.search.includes('tool=')) return;
    event.preventDefault();
    void show(link.href);
  });
}

function formOf(target: EventTarget | null, kind: 'preview'): HTMLFormElement | null {
  const form = (target as HTMLInputElement | null)?.form ?? null;
  return form && kind in form.dataset ? form : null;
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  return new URLSearchParams([...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]));
}

function addressOf(form: HTMLFormElement): string {
  const fields = fieldsOf(form);
  for (const [name, value] of [...fields]) if (value.trim() === '') fields.delete(name);
  return `${form.action}?${fields}`;
}

const isWhole = (form: HTMLFormElement): boolean =>
  [...fieldsOf(form)].every(([name, value]) => !name.startsWith('start_') || WHOLE.test(value.trim()));

/** What is shown belongs to what was typed before: it is marked, and nothing can be confirmed meanwhile, nor twice. */
function wait(dialog: HTMLDialogElement): void {
  dialog.querySelector('.sheet-work')?.setAttribute('aria-busy', 'true');
  for (const button of dialog.querySelectorAll<HTMLButtonElement>(CONFIRMING)) button.disabled = true;
}

const CONFIRMING = 'footer .btn-primary[form], form[data-in-place] button';

/** Leaving for the browser's own error page would lose the dialog; what is shown stays marked. */
function tellSilence(dialog: HTMLDialogElement, posted: boolean): void {
  const status = dialog.querySelector('header [role="status"]');
  if (!status) return;
  status.textContent = posted
    ? 'No answer came back. Reload the page to see whether it was done.'
    : 'No answer came back. Change a field to ask again.';
}

/** The page that an address or a form leads to; null when a later question took its place. */
async function load(
  address: string,
  post: URLSearchParams | undefined,
  signal: AbortSignal,
): Promise<{ page: HTMLDialogElement; address: string } | 'gone' | 'silence' | null> {
  try {
    const sent = post ? { method: 'POST', body: post } : {};
    const answer = await fetch(address, { ...sent, headers: { accept: 'text/html' }, signal });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('dialog');
    if (!page) return 'gone';
    // A refused form is answered in place; the address stays that of the dialog.
    return { page, address: post && !answer.redirected ? location.href : answer.url };
  } catch (fault) {
    return (fault as Error).name === 'AbortError' ? null : 'silence';
  }
}

/** A field that becomes wrong or right looks different, and yet is the field that somebody types in. */
function keepFields(dialog: HTMLDialogElement, next: HTMLDialogElement): void {
  for (const row of next.querySelectorAll('[data-preview] .field')) {
    const control = row.querySelector('[name]')?.getAttribute('name');
    const present = dialog.querySelector(`[data-preview] .field:has([name="${control}"])`);
    if (present) present.className = row.className;
  }
}

/** Where a person goes on when what he pressed is gone. */
const NEXT_STEPS = ['.confirm .btn', 'footer .btn-primary:not([form])', '#confirm', 'footer .btn', 'header .btn'];

function takeOver(dialog: HTMLDialogElement, next: HTMLDialogElement, address: string): void {
  const digest = () => dialog.querySelector<HTMLInputElement>('input[name="digest"]')?.value;
  const before = digest();
  for (const button of next.querySelectorAll<HTMLButtonElement>('form[data-preview] button')) button.hidden = true;
  keepFields(dialog, next);
  morph(dialog, next);
  const confirm = dialog.querySelector<HTMLInputElement>('#confirm');
  // What was confirmed is not what is shown now.
  if (confirm && digest() !== before) confirm.checked = false;
  history.replaceState(null, '', address);
  const refusal = dialog.querySelector<HTMLElement>('[role="alert"][tabindex="-1"]');
  const lost = !dialog.contains(document.activeElement) || document.activeElement === dialog;
  const step = NEXT_STEPS.map((each) => dialog.querySelector<HTMLElement>(each)).find((each) => each !== null);
  (refusal ?? (lost ? step : null))?.focus();
}
