// A sign-in that comes while a restore is being saved is refused for that moment (423, with the seconds to wait). The script keeps
// what was typed and asks again by itself; without script the page says so, and the button does it.
import { announceSwap } from './swapped.ts';

const FORM = 'form[data-repeats]';
/** Then the refusal is shown, as without script. */
const TIMES = 30;
/** Milliseconds without an answer after which the form says that it waits: a browser shows it only of pages that it loads itself. */
const SLOW = 1000;
/** Milliseconds for which nothing is sent again after it led on. */
const LEAVING = 10_000;

export function offerRepeat(): void {
  document.addEventListener('submit', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>(FORM);
    if (!form || event.defaultPrevented) return;
    event.preventDefault();
    if (form.getAttribute('aria-busy') !== 'true') void send(form);
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const fields = new URLSearchParams(
    [...new FormData(form)].map(([name, value]): [string, string] => [name, `${value}`]),
  );
  form.setAttribute('aria-busy', 'true');
  say(form, '');
  const slow = setTimeout(() => say(form, 'Waiting for the answer …'), SLOW);
  const first = await asked(form, fields).finally(() => clearTimeout(slow));
  // The browser knows best what to show where nothing answers, and it may get through where the script does not.
  if (!first) return form.submit();
  try {
    await show(await repeated(form, fields, first));
    // Where it led to a file, the page stays.
    setTimeout(() => form.removeAttribute('aria-busy'), LEAVING);
  } catch {
    form.removeAttribute('aria-busy');
    say(form, 'No answer came back. Try again.');
  }
}

const asked = (form: HTMLFormElement, body: URLSearchParams): Promise<Response | null> =>
  fetch(form.action, {
    method: 'POST',
    body,
    headers: { accept: 'text/html', 'groundcrew-repeats': 'yes' },
    cache: 'no-store',
  }).catch(() => null);

/** @throws Error where no answer comes any more: it was asked again, so what was typed is kept */
async function repeated(form: HTMLFormElement, fields: URLSearchParams, first: Response): Promise<Response> {
  let answer: Response | null = first;
  for (let left = TIMES; answer && left > 0; left--) {
    const seconds = Number(answer.headers.get('retry-after') ?? 0);
    if (answer.status !== 423 || !(seconds > 0)) break;
    say(form, 'A restore is being saved. This page signs in as soon as it is done.');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    answer = await asked(form, fields);
  }
  if (!answer) throw new Error('No answer came back.');
  return answer;
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector('[data-repeats-says]');
  if (place) place.textContent = text;
}

/** A refused form is shown in place: its address stays, and a reload sends nothing again. The form is busy until it is gone. */
async function show(answer: Response): Promise<void> {
  if (answer.redirected) return location.assign(answer.url);
  if (answer.headers.get('content-type')?.startsWith('application/json') && answer.ok)
    return location.assign(((await answer.json()) as { location: string }).location);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  if (!main) throw new Error('The answer is no page.');
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = page.title;
  announceSwap();
  document
    .querySelector<HTMLElement>('main [role="alert"][tabindex="-1"], main [aria-invalid="true"], main h1')
    ?.focus();
}
