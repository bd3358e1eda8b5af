// A sign-in that comes while a restore is being saved is refused for that moment (423, with the seconds to wait). The script asks
// before it sends the form whether that is so now, and waits until it is over: what was typed stays, and the form itself is sent
// by the browser, as without script. Then the page of the refusal says so, and the button does it.
import { HELD_ASKED } from '../../shared/kernel/access/held-asked.ts';

const FORM = 'form[data-repeats]';
/** Times that it is asked, at most: then the answer to the form itself is shown. */
const TIMES = 30;
/** Milliseconds for an answer: without one the form is sent, and the browser shows what it does of pages that don't come. */
const PATIENCE = 3000;

export function offerRepeat(): void {
  let cleared: HTMLFormElement | null = null;
  document.addEventListener('submit', (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>(FORM);
    if (!form || event.defaultPrevented) return;
    if (form === cleared) {
      cleared = null;
      return;
    }
    event.preventDefault();
    if (form.getAttribute('aria-busy') === 'true') return;
    form.setAttribute('aria-busy', 'true');
    void over(form).then(() => {
      form.removeAttribute('aria-busy');
      cleared = form;
      form.requestSubmit(event.submitter);
      // What was typed meanwhile may be nothing that can be sent.
      cleared = null;
    });
  });
}

/** When no restore is being saved, or nobody can say. */
async function over(form: HTMLFormElement): Promise<void> {
  for (let left = TIMES; left > 0; left--) {
    const seconds = await secondsHeld(form.action);
    if (seconds === 0) break;
    say(form, 'A restore is being saved. This page signs in as soon as it is done.');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
  say(form, '');
}

async function secondsHeld(address: string): Promise<number> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const headers = { accept: 'text/html', [HELD_ASKED]: 'yes' };
    const answer = await fetch(address, { method: 'HEAD', headers, cache: 'no-store', redirect: 'manual', signal });
    return answer.status === 423 ? Number(answer.headers.get('retry-after') ?? 0) || 0 : 0;
  } catch {
    return 0;
  }
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector('[data-repeats-says]');
  if (place) place.textContent = text;
}
