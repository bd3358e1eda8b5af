// Shows what a form would do while it is filled in, on pages with a panel for it: the form goes to the server as a dry
// run, and the panel and the line beside the buttons are taken from the answer. The Check button does the same without.
import { morph } from './morph.ts';

const PARTS = ['preview', 'preview-said'];
const WAIT_MS = 300;

/** How a field ends when somebody is no longer in the middle of an address; others are always taken. */
const WHOLE: readonly (readonly [suffix: string, looks: RegExp])[] = [
  ['_cidr', /^$|\/\d{1,3}$/],
  ['_gateway', /^$|[0-9a-f:]$/i],
];

export function offerPreview(): void {
  const form = document.querySelector<HTMLButtonElement>('button[name="dry_run"]')?.form;
  if (!form || !document.getElementById(PARTS[0]!)) return;
  const rest = document.createDocumentFragment();
  rest.append(...PARTS.flatMap((id) => document.getElementById(id)?.cloneNode(true) ?? []));
  const loaded = written(form);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = new AbortController();

  const stop = () => {
    clearTimeout(timer);
    asked.abort();
  };
  const ask = async () => {
    asked = new AbortController();
    const answer = await foresee(form, asked.signal);
    if (answer) show(answer.getElementById(PARTS[0]!) ? answer : rest);
  };
  form.addEventListener('input', () => {
    stop();
    if (written(form) === loaded) return show(rest);
    // What is shown belongs to what was typed before, until the answer is here.
    document.getElementById(PARTS[0]!)?.setAttribute('aria-busy', 'true');
    if (isWhole(form)) timer = setTimeout(() => void ask(), WAIT_MS);
  });
  form.addEventListener('submit', stop);
}

const written = (form: HTMLFormElement): string => fieldsOf(form).toString();

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const texts = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts);
}

function isWhole(form: HTMLFormElement): boolean {
  const half = ([name, value]: [string, string]) =>
    WHOLE.some(([suffix, looks]) => name.endsWith(suffix) && !looks.test(value.trim()));
  return form.checkValidity() && ![...fieldsOf(form)].some(half);
}

/** The page as the dry run answers it; null when a later one took its place or the appliance can't be reached. */
async function foresee(form: HTMLFormElement, signal: AbortSignal): Promise<Document | null> {
  const body = fieldsOf(form);
  body.set('dry_run', 'true');
  try {
    const headers = { accept: 'text/html', 'groundcrew-refresh': '1' };
    const answer = await fetch(form.action, { method: 'POST', body, headers, redirect: 'manual', signal });
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    return null;
  }
}

function show(page: NonElementParentNode): void {
  for (const id of PARTS) {
    const [present, next] = [document, page].map((where) => where.getElementById(id));
    if (present && next) morph(present, next);
  }
}
