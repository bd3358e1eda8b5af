// A revealed value comes into the page that was asked from, and goes when its time is over: it is no step of the browser's
// history, which could ask for it again. What left the page by itself without this script leaves it here as well.
import { readNow } from './live.ts';
import { announceSwap } from './swapped.ts';

const PLACE = '[data-reveal-place]';
const REVEALED = '[data-revealed]';
const EVERY_MS = 200;

export function offerReveal(): void {
  document.addEventListener('submit', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>('form[data-reveal]');
    const place = form?.closest<HTMLElement>(PLACE);
    if (!form || !place) return;
    event.preventDefault();
    void ask(form, place);
  });
  document.querySelector<HTMLInputElement>('[data-reveal-place="alone"] form input:not([type="hidden"])')?.focus();
  const shown = document.querySelector<HTMLElement>(REVEALED);
  // It came as a page: with the value its place in the history goes.
  if (shown) keepFor(shown, () => location.replace(shown.dataset.back ?? '/'));
}

async function ask(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const button = form.querySelector('button');
  if (button?.disabled) return;
  if (button) button.disabled = true;
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  const sent = { method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'text/html' } };
  const page = await fetch(form.action, sent).then(
    async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html'),
    () => null,
  );
  if (button) button.disabled = false;
  const next = page?.querySelector<HTMLElement>(PLACE);
  // Signed out, or the entry is gone: the page of the form says so.
  if (!next) return location.assign(form.action);
  takeOver(place, next);
}

function takeOver(place: HTMLElement, next: HTMLElement): void {
  const before = [...place.childNodes];
  for (const form of before.filter(isForm)) form.reset();
  place.replaceChildren(...next.childNodes);
  announceSwap();
  // That it was asked is an event of the entry, whatever the answer.
  readNow();
  const shown = place.querySelector<HTMLElement>(REVEALED);
  if (!shown) {
    const wrong = place.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong ?? place.querySelector<HTMLElement>('[role="alert"]'))?.focus();
    return;
  }
  place.querySelector<HTMLElement>('h2')?.focus();
  keepFor(shown, () => {
    const inside = place.contains(document.activeElement);
    place.replaceChildren(...before.filter(isForm).map(emptied));
    if (inside) place.querySelector<HTMLElement>('input:not([type="hidden"])')?.focus();
  });
}

const isForm = (node: Node): node is HTMLFormElement => node.nodeName === 'FORM';

/** The form as it was, without the password, and without what was wrong with an earlier one. */
function emptied(form: HTMLFormElement): HTMLFormElement {
  form.reset();
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  for (const fault of form.querySelectorAll('.err')) fault.remove();
  for (const row of form.querySelectorAll('.field-bad')) row.classList.remove('field-bad');
  return form;
}

/** Takes the value away once its time is over, or when somebody hides it; and out of a page that is left. */
function keepFor(shown: HTMLElement, hide: () => void): void {
  const until = Date.now() + Number(shown.dataset.revealed) * 1000;
  const forget = () => shown.querySelector('code')?.replaceChildren();
  const end = () => {
    clearInterval(timer);
    window.removeEventListener('pagehide', forget);
    forget();
    if (shown.isConnected) hide();
  };
  const timer = setInterval(() => {
    if (Date.now() >= until) end();
  }, EVERY_MS);
  window.addEventListener('pagehide', forget);
  shown.querySelector('a')?.addEventListener('click', (click) => {
    click.preventDefault();
    end();
  });
}
