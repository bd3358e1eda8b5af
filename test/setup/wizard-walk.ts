// Walks through the pages of a wizard as a browser without script does: what a form holds is what is sent.
import type { Credentials, Heard, House } from './house.ts';

export interface Form {
  action: string;
  method: 'get' | 'post';
  fields: [string, string][];
}

const decoded = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s>/])`).exec(tag);
  return found ? decoded(found[1] ?? '') : null;
};

/** The form of this label, with what a browser would send of it. */
export function formOf(html: string, label: string): Form {
  const whole = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([text]) => text);
  const text = whole.find((one) => attribute(/^<form\b[^>]*>/.exec(one)![0], 'aria-label') === label);
  if (!text) throw new Error(`There is no form ${label}.`);
  const tag = /^<form\b[^>]*>/.exec(text)![0];
  const fields: [string, string][] = [];
  for (const [control] of text.matchAll(
    /<input\b[^>]*>|<textarea\b[\s\S]*?<\/textarea>|<select\b[\s\S]*?<\/select>/g,
  )) {
    const head = /^<\w+\b[^>]*>/.exec(control)![0];
    const name = attribute(head, 'name');
    if (name === null || attribute(head, 'disabled') !== null) continue;
    if (control.startsWith('<textarea')) fields.push([name, decoded(/>([\s\S]*)<\/textarea>$/.exec(control)![1]!)]);
    else if (control.startsWith('<select')) {
      const options = [...control.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => attribute(option, 'selected') !== null) ?? options[0];
      fields.push([name, chosen ? (attribute(chosen, 'value') ?? '') : '']);
    } else if (!/checkbox|radio/.test(attribute(head, 'type') ?? '') || attribute(head, 'checked') !== null) {
      fields.push([name, attribute(head, 'value') ?? '']);
    }
  }
  return { action: attribute(tag, 'action')!, method: attribute(tag, 'method') as Form['method'], fields };
}

export const optionsOf = (html: string, name: string): string[] => {
  const select = new RegExp(`<select\\b[^>]*name="${name}"[\\s\\S]*?</select>`).exec(html)?.[0] ?? '';
  return [...select.matchAll(/<option\b[^>]*>/g)].map(([option]) => attribute(option, 'value') ?? '');
};

export class Walk {
  readonly house: House;
  who: Credentials;
  /** The answer that the browser shows, and the address in its bar. */
  shown!: Heard;
  at = '';
  /** Addresses that answered a GET, in order: where the back button leads. */
  readonly history: string[] = [];

  constructor(house: House, who: Credentials) {
    this.house = house;
    this.who = who;
  }

  get html(): string {
    return this.shown.text;
  }

  /** The step that is shown. */
  get step(): string | null {
    return /data-wizard="([^"]*)"/.exec(this.html)?.[1] ?? null;
  }

  /** The text of the page without its tags. */
  get words(): string {
    return decoded(/<main\b[\s\S]*<\/main>/.exec(this.html)?.[0].replace(/<[^>]+>/g, ' ') ?? '').replace(/\s+/g, ' ');
  }

  async open(target: string): Promise<this> {
    this.at = target;
    this.history.push(target);
    this.shown = await this.house.send('GET', target, { session: this.who });
    return this;
  }

  async send(label: string, changes: Record<string, string | string[] | null> = {}): Promise<this> {
    const form = formOf(this.html, label);
    const kept = form.fields.filter(([name]) => !(name in changes));
    const added = Object.entries(changes).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : (Array.isArray(value) ? value : [value]).map((each) => [name, each]),
    );
    const fields = [...kept, ...added];
    if (form.method === 'get') return this.open(`${form.action}?${new URLSearchParams(fields)}`);
    return this.post(form.action, fields);
  }

  async post(action: string, fields: readonly [string, string][]): Promise<this> {
    const sent: Record<string, string[]> = {};
    for (const [name, value] of fields) if (name !== 'csrf') sent[name] = [...(sent[name] ?? []), value];
    this.shown = await this.house.send('POST', action, { session: this.who, form: sent });
    return this.shown.status === 303 ? this.open(this.shown.headers.location!) : this;
  }
}
