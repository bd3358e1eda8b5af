// Every link and every form of every page, as each role sees it: none leads to where its reader is refused, or to nothing.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pages } from '../../runtime/generated/pages.ts';
import { ROLES, type Role } from '../../shared/kernel/access/scopes.ts';
import { type Furnished, furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';

let house: House;
let things: Furnished;
const readers = new Map<Role, Credentials>();

beforeAll(async () => {
  house = await House.open();
  const admin = await house.actor('admin', undefined, 'ada');
  things = await furnish(house, admin);
  for (const role of ROLES) readers.set(role, role === 'admin' ? admin : await house.actor(role));
}, 300_000);
afterAll(() => house.close());

const addressOf = (template: string): string =>
  things.addresses[template] ??
  template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(things.parameters[name]!)) +
    (things.queries[template] ?? '');

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

/** Where the links of a page lead, as far as they stay on this appliance. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href]) => unescaped(href!).replace(/#.*$/, ''));

const templates = [...new Set(pages.map(({ spec }) => spec.path))].filter((path) => path.startsWith('/ui/management'));

test.each(ROLES)(
  '%s: each link of each page can be followed',
  async (role) => {
    const reader = readers.get(role)!;
    const from = new Map<string, string>();
    for (const template of templates) {
      const path = addressOf(template);
      const { status, text } = await house.send('GET', path, { session: reader });
      if (status !== 200) continue;
      for (const href of linksOf(text)) {
        const target = href.startsWith('?') ? path.replace(/\?.*$/, '') + href : href;
        if (/^\/(?:ui|problems|api\/v1)/.test(target) && !from.has(target)) from.set(target, template);
      }
    }
    expect(from.size).toBeGreaterThan(50);
    const lost: string[] = [];
    for (const [target, template] of from) {
      const { status } = await house.send('GET', target, { session: reader });
      if (status >= 400) lost.push(`${template}: ${status} ${target}`);
    }
    expect(lost).toEqual([]);
  },
  300_000,
);
