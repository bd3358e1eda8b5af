// Sends an operation of the API from its page: with a token that the person enters, which is kept in this field alone, and gone
// with the page. Without this script the call with curl is there.
export function offerTry(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-try]')) {
    const button = made('button', 'btn', 'Try it');
    button.setAttribute('aria-label', `Try it: ${place.dataset.name ?? ''}`);
    button.addEventListener('click', () => {
      button.remove();
      place.append(formFor(place));
      place.querySelector<HTMLElement>('input')?.focus();
    });
    place.append(button);
    place.hidden = false;
  }
}

/** Of the page, so that it is typed once; never stored. */
let token = '';

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  look: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = look;
  element.textContent = text;
  return element;
}

function labelled<Field extends HTMLInputElement | HTMLTextAreaElement>(
  form: HTMLElement,
  text: string,
  field: Field,
): Field {
  const label = made('label', '', text);
  label.append(field);
  form.append(label);
  return field;
}

function formFor(place: HTMLElement): HTMLFormElement {
  const form = made('form', 'form stack');
  form.setAttribute('aria-label', place.dataset.name ?? '');
  const secret = labelled(form, 'Token', made('input', 'mono'));
  secret.type = 'password';
  secret.autocomplete = 'off';
  secret.value = token;
  const needs = (place.dataset.needs ?? '').split(' ').filter(Boolean);
  const asked = needs.map((need) => {
    const [where = '', name = ''] = need.split(':');
    return { where, name, field: labelled(form, name, made('input', 'mono')) };
  });
  const body = place.dataset.body === undefined ? null : labelled(form, 'Body', made('textarea', 'mono'));
  if (body) {
    body.rows = 8;
    body.value = place.dataset.body ?? '';
  }
  form.append(made('button', 'btn', 'Send'));
  const said = made('pre', '');
  said.tabIndex = 0;
  said.setAttribute('role', 'status');
  said.hidden = true;
  form.append(said);
  form.addEventListener('submit', (submit) => {
    submit.preventDefault();
    token = secret.value.trim();
    void sent(place, asked, body?.value).then((text) => {
      said.textContent = text;
      said.hidden = false;
    });
  });
  return form;
}

async function sent(
  place: HTMLElement,
  asked: readonly { where: string; name: string; field: HTMLInputElement }[],
  body: string | undefined,
): Promise<string> {
  const filledIn = (name: string) => encodeURIComponent(asked.find((each) => each.name === name)?.field.value ?? '');
  const path = (place.dataset.path ?? '').replaceAll(/\{(\w+)\}/g, (_all, name: string) => filledIn(name));
  const query = asked.filter(({ where }) => where === 'query').map(({ name }) => `${name}=${filledIn(name)}`);
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  for (const { where, name, field } of asked) if (where === 'header') headers[name] = field.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const answer = await fetch(`${path}${query.length > 0 ? `?${query.join('&')}` : ''}`, {
      method: place.dataset.try ?? 'GET',
      headers,
      // The token alone speaks for the caller.
      credentials: 'omit',
      ...(body !== undefined && { body }),
    });
    return `${answer.status} ${answer.statusText}\n${pretty(await answer.text())}`;
  } catch (error) {
    return `Not sent: ${(error as Error).message}`;
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
