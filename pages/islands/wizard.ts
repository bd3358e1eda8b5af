// Takes the steps of a wizard without leaving the page: forms and links load their page in the background, the step that
// comes back takes the place of the one before, and the focus goes to its heading. Every step keeps its address, so the
// browser's back button and a reload do what they do without script. A typed password stays in this page's memory, to fill
// the field of the last step, and is forgotten as soon as server or certificate are chosen anew.
import { offerSearch } from './search-select.ts';
import { announceSwap } from './swapped.ts';

interface Remembered {
  server: string;
  /** By the names and labels of their fields. */
  passwords: Map<string, string>;
}

const WITHOUT_LOGIN = ['credential', 'server', 'tls', 'done'];

let remembered: Remembered | null = null;
let asked = new AbortController();

/** Address of the step that is shown, without a place on its page. */
let shownAt = '';
const addressOf = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string => pathname + search;

/** The one in a dialog stands before that of the page. */
const wizard = (): HTMLElement | null => document.querySelector('[data-wizard]');
/** A dialog has no address: the page behind it keeps its own, with its title. */
const dialogAround = (): Element | null => wizard()?.closest('dialog.task') ?? null;

let listens = false;

export function offerWizard(): void {
  if (wizard()) beginWizard();
}

/** Where a task in a dialog went: told to the dialog as an event of this name. */
export const TASK_LEFT = 'groundcrew:task-left';
export interface LeftTask {
  page: Document;
  address: string;
}

/** The browser went back or forth on the page behind the dialog: it gives way. */
export const TASK_BEHIND = 'groundcrew:task-behind';

/** Takes the steps of the wizard that stands first in the document; answers what goes back to the one before it. */
export function beginWizard(): () => void {
  const before = { remembered, shownAt };
  remembered = null;
  enhance();
  if (!listens) listen();
  listens = true;
  return () => {
    asked.abort();
    ({ remembered, shownAt } = before);
  };
}

function listen(): void {
  document.addEventListener('submit', submitted);
  document.addEventListener('click', clicked);
  document.addEventListener('change', changed);
  document.addEventListener('keydown', pressed);
  // A page that is kept for the back button keeps no password.
  window.addEventListener('pagehide', () => {
    remembered = null;
    for (const field of document.querySelectorAll<HTMLInputElement>('[data-login] input[type="password"]'))
      field.value = '';
  });
  window.addEventListener('popstate', () => {
    // Within one step the browser goes by itself: a refused form would be lost by loading it anew.
    if (shownAt === addressOf(location)) return;
    dialogAround()?.dispatchEvent(new Event(TASK_BEHIND));
    if (wizard() && shownAt !== addressOf(location)) void go(location.href, { history: 'keep' });
  });
}

/** What a step gets that works without. */
function enhance(): void {
  const root = wizard()!;
  shownAt = addressOf(location);
  for (const select of root.querySelectorAll<HTMLSelectElement>('select[data-search]')) offerSearch(select);
  root.querySelector('[data-check-all]')?.removeAttribute('hidden');
  if (WITHOUT_LOGIN.includes(root.dataset.wizard ?? '')) remembered = null;
  if (remembered?.server !== root.dataset.server) return;
  const fields = [...root.querySelectorAll<HTMLInputElement>('[data-login="again"] input[type="password"]')];
  for (const field of fields) {
    const password = remembered?.passwords.get(meaningOf(field));
    if (password === undefined) continue;
    field.value = password;
    const help = root.querySelector(`#${field.id}-help`);
    if (help) help.textContent = 'As you typed it before: only this page remembers it.';
  }
  if (fields.every(({ value }) => value !== '')) root.querySelector('[data-asked-again]')?.remove();
}

/** Fields of an OVF go by their position: another one means something else by the same name. */
const meaningOf = ({ name, labels }: HTMLInputElement): string => `${name} ${labels?.[0]?.textContent ?? ''}`;

function remember(form: HTMLFormElement, server: string): void {
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-login] input[type="password"]')) {
    if (field.value === '') continue;
    if (remembered?.server !== server) remembered = { server, passwords: new Map() };
    remembered.passwords.set(meaningOf(field), field.value);
  }
}

function submitted(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const root = wizard();
  if (!root?.contains(form) || form.method === 'dialog' || event.defaultPrevented) return;
  event.preventDefault();
  if (root.getAttribute('aria-busy') === 'true') return;
  const fields = new URLSearchParams(
    [...new FormData(form, event.submitter)].map(([name, value]): [string, string] => [name, String(value)]),
  );
  remember(form, root.dataset.server ?? '');
  // A button may have an address of its own.
  const action = event.submitter?.hasAttribute('formaction')
    ? (event.submitter as HTMLButtonElement).formAction
    : form.action;
  if (form.method === 'get') void go(`${action}?${filled(fields)}`, { history: 'add' });
  else void go(action, { history: 'add', post: fields });
}

function filled(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...fields].filter(([, value]) => value !== ''));
}

function clicked(event: MouseEvent): void {
  const target = event.target as Element;
  const root = wizard();
  if (!root?.contains(target)) return;
  const check = target.closest<HTMLButtonElement>('[data-check-all] button');
  if (check) {
    for (const box of root.querySelectorAll<HTMLInputElement>('input[name="picks"]'))
      box.checked = check.value === 'all';
    return;
  }
  const link = target.closest<HTMLAnchorElement>('a[href]');
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  // The way to a field of this page is the browser's own.
  if (link?.getAttribute('href')?.startsWith('#')) return;
  if (!link || !plain || link.origin !== location.origin || !link.search.includes('step=')) return;
  event.preventDefault();
  void go(link.href, { history: 'add' });
}

/** A vault's keys are shown as soon as it is chosen, and what a key fills in as soon as that is. */
function changed({ target }: Event): void {
  const root = wizard();
  if (!(target instanceof HTMLSelectElement) || !root?.contains(target)) return;
  if (target.dataset.fills) fill(target);
  const form = target.form;
  if (form?.dataset.follows !== target.name) return;
  const place = new URLSearchParams([['step', 'credential']]);
  if (target.value !== '') place.set(target.name, target.value);
  void go(`${form.action}?${place}`, { history: 'replace', focus: target.id });
}

function fill(select: HTMLSelectElement): void {
  const facts = select.selectedOptions[0]?.dataset ?? {};
  for (const name of ['server', 'url', 'username']) {
    const field = document.getElementById(`${select.dataset.fills}-${name}`);
    if (field instanceof HTMLInputElement) field.value = facts[name] ?? '';
  }
}

/** Nothing is lost when it is given up: an outer step, or no server was named yet. */
export function nothingEntered(root: HTMLElement): boolean {
  const step = root.dataset.wizard ?? '';
  const server = root.querySelector<HTMLInputElement>('#server');
  return step === 'credential' || step === 'done' || (step === 'server' && server?.value === '');
}

/** Escape asks before what was entered is given up. */
function pressed(event: KeyboardEvent): void {
  const root = wizard();
  if (event.key !== 'Escape' || event.defaultPrevented || !root || document.querySelector('dialog:modal')) return;
  event.preventDefault();
  if (nothingEntered(root)) location.assign(root.dataset.close ?? '/');
  else root.querySelector<HTMLDialogElement>('#discard')?.showModal();
}

interface Going {
  history: 'add' | 'replace' | 'keep';
  post?: URLSearchParams;
  /** Id of what keeps the focus; otherwise the heading of the step gets it. */
  focus?: string;
}

async function go(address: string, going: Going): Promise<void> {
  const root = wizard()!;
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  root.setAttribute('aria-busy', 'true');
  say(going.post ? 'Working …' : '');
  try {
    const sent = going.post ? { method: 'POST', body: going.post } : {};
    const answer = await fetch(address, { ...sent, headers: { accept: 'text/html' }, signal, cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (signal.aborted) return;
    const next = page.querySelector<HTMLElement>('[data-wizard]');
    if (next) takeOver(page, next, going, answer);
    else leave(page, going, answer);
  } catch {
    if (signal.aborted) return;
    root.removeAttribute('aria-busy');
    say(
      going.post
        ? 'No answer came back. Whether it was done is not known: look before you send it again.'
        : 'No answer came back. Try again.',
    );
  }
}

function say(text: string): void {
  const status = wizard()?.querySelector('.wizard-said');
  if (status) status.textContent = text;
}

function takeOver(page: Document, next: HTMLElement, { history: how, post, focus }: Going, answer: Response): void {
  wizard()!.replaceWith(document.adoptNode(next));
  if (!dialogAround()) {
    document.title = page.title;
    keepReturn(page);
    // A refused form is answered in place: its own address answers no GET.
    const moved = !post || answer.redirected;
    if (moved && how === 'add') history.pushState(null, '', answer.url);
    else if (moved && how === 'replace') history.replaceState(null, '', answer.url);
  }
  enhance();
  announceSwap();
  const alert = next.querySelector<HTMLElement>('[role="alert"][tabindex="-1"]');
  const kept =
    focus === undefined ? null : (document.getElementById(`${focus}-search`) ?? document.getElementById(focus));
  const target = alert ?? kept ?? document.getElementById('step-title');
  target?.focus();
  if (focus === undefined) (dialogAround()?.querySelector('.task-body') ?? window).scrollTo({ top: 0 });
  const atOnce = next.querySelector<HTMLFormElement>('form[data-at-once]');
  // Only on the way forward: going back to it must not log in once more.
  if (atOnce && post && answer.redirected) atOnce.requestSubmit();
}

/** What else stands on the page and leads back here, leads back to this step. */
function keepReturn(page: Document): void {
  const fresh = page.querySelector<HTMLInputElement>('.top input[name="return_to"]');
  const present = document.querySelector<HTMLInputElement>('.top input[name="return_to"]');
  if (fresh && present) present.value = fresh.value;
}

/** Somewhere else: the page of a job, the sign-in, or a refusal that is a page of its own. */
function leave(page: Document, { post }: Going, answer: Response): void {
  const dialog = dialogAround();
  if (dialog) {
    const detail: LeftTask = { page, address: answer.url };
    dialog.dispatchEvent(new CustomEvent(TASK_LEFT, { detail }));
    return;
  }
  if (!post || answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const main = page.querySelector('main');
  if (main) document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = page.title;
  document.querySelector<HTMLElement>('main [role="alert"][tabindex="-1"], main h1')?.focus();
}
