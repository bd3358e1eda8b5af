// A sign-in that comes while a restore is being saved is refused for that moment (423, with the seconds to wait). The script keeps
// what was typed and asks again by itself; without script the page says so, and the button does it.
import { announceSwap } from './swapped.ts';

const FORM = 'form[data-repeats]';
/** Then the refusal is shown, as without script. */
const TIMES = 30;

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
  try {
    await show(await answered(form, fields));
  } catch {
    say(form, 'No answer came back. Try again.');
  } finally {
    form.removeAttribute('aria-busy');
  }
}

async function answered(form: HTMLFormElement, body: URLSearchParams): Promise<Response> {
  for (let left = TIMES; ; left--) {
    const answer = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { accept: 'text/html' },
      cache: 'no-store',
    });
    const seconds = Number(answer.headers.get('retry-after') ?? 0);
    if (answer.status !== 423 || seconds <= 0 || left === 0) return answer;
    say(form, 'A restore is being saved. This page signs in as soon as it is done.');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector('[data-repeats-says]');
  if (place) place.textContent = text;
}

/** A refused form is shown in place: its address stays, and a reload sends nothing again. */
async function show(answer: Response): Promise<void> {
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
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
