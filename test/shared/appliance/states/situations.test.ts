// Built situations of a whole appliance: what strip, navigation, overview, apply page, the page of each service, rows, review,
// API and audit log say in each, compared with one table. Rewording a state changes `STATES` and nothing here.

import { afterEach, describe, expect, test } from '@jest/globals';
import { STATES } from '../../../../pages/components/state-words.tsx';
import { NAVIGATION } from '../../../../pages/layout/navigation.ts';
import { enforcedStandings, pendingOf, type StateId, standings } from '../../../../shared/appliance/states/standing.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import { type UnitId, unitName } from '../../../../shared/platform/unit-names.ts';
import { type Expected, SITUATIONS } from './situation-scenarios.ts';
import { APPLY, admin, api, house, page, rowOf, words } from './states-scene.ts';

afterEach(() => house?.close());

const UI = '/ui/management';
/** Pages that say the state of one service: settings document → path. */
const SERVICES: readonly (readonly [unit: UnitId, path: string, service?: 'dns' | 'dhcp'])[] = [
  ['firewall', '/firewall'],
  ['dns-dhcp', '/dns', 'dns'],
  ['dns-dhcp', '/dhcp', 'dhcp'],
  ['dns-dhcp', '/dhcp/settings', 'dhcp'],
  ['ntp', '/ntp'],
  ['private-cloud-services', '/offline-depot'],
  ['network-boot', '/network-boot'],
];

/** What a page says of its service. */
const stateOn = (html: string): string => words(/<dt>State<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(html)?.[1] ?? '');

const stripOf = (html: string) =>
  /<section class="strip[^"]*" aria-label="([^"]*)"[^>]*>(.*?)<\/section>/s.exec(html) ?? ['', '', ''];

/** Units whose pages the navigation marks. */
function marked(html: string): UnitId[] {
  const nav = /<nav class="nav"(.*?)<\/nav>/s.exec(html)![1]!;
  const lines = nav.split('<li>').filter((line) => line.includes(', changed, not applied'));
  const units = NAVIGATION.flatMap((entry) =>
    lines.some((line) => line.includes(`href="${entry.href}"`)) ? (entry.units as UnitId[]) : [],
  );
  return [...new Set(units)];
}

const named = (html: string): UnitId[] =>
  UNITS.map(({ id }) => id).filter((id) => html.includes(`<span>${unitName(id)}</span>`));

/** The apply log of the audit: what is asked for meanwhile makes plans of its own. */
const applies = async () =>
  (await house.audited()).filter((action) => /^(apply|plan|drift|probe|window)\./.test(action));

describe.each(SITUATIONS)('%s', (_situation, arrive, expected) => {
  test('is said the same everywhere', async () => {
    await arrive();
    expect(await applies()).toEqual(expected.audit);
    const all = await standings(house.services);
    const states = Object.fromEntries([...all].map(([id, { state }]) => [id, state]));
    expect(states).toMatchObject(expected.states);
    const { pending } = expected;

    // The API.
    const drift = (await api('GET', 'apply/drift')).items as { unit: UnitId; standing: StateId; pending: boolean }[];
    expect(drift.map(({ unit, standing }) => [unit, standing])).toEqual(UNITS.map(({ id }) => [id, states[id]]));
    expect(drift.filter((unit) => unit.pending).map(({ unit }) => unit)).toEqual(pending);
    expect(pendingOf(await enforcedStandings(house.services)).map(({ id }) => id)).toEqual(pending);

    // Strip and navigation, overview and apply page.
    const [overview, applyPage] = [await page(UI), await page(APPLY)];
    for (const html of [overview, applyPage]) {
      const [, label, strip] = stripOf(html);
      expect(label).toBe(expected.window ? 'Confirm window' : pending.length > 0 ? 'Pending changes' : '');
      if (!expected.window) expect(named(strip!)).toEqual(pending);
      expect(marked(html).toSorted()).toEqual(pending.toSorted());
      for (const { id } of UNITS)
        expect([id, rowOf(html, unitName(id))]).toEqual([id, expect.stringContaining(STATES[states[id]!].word)]);
      if (expected.plan && expected.plan !== 'Open for review') expect(words(html)).toContain(expected.plan);
    }

    // The page of each service, and rows.
    for (const [unit, path, service] of SERVICES) {
      const state = (service && expected.services?.[service]) ?? states[unit]!;
      expect([path, stateOn(await page(`${UI}${path}`))]).toEqual([path, expect.stringMatching(begins(state))]);
    }
    for (const [path, row, state] of expected.rows ?? []) {
      const html = await page(`${UI}${path}`);
      expect([path, row, rowOf(html, row)]).toEqual([path, row, expect.stringContaining(STATES[state].word)]);
      for (const other of Object.values(STATES))
        if (other !== STATES[state] && !STATES[state].word.includes(other.word))
          expect([row, rowOf(html, row).replace('Saved, not', '').includes(` ${other.word} `)]).toEqual([row, false]);
    }
    await review(expected, states);
  });
});

const begins = (state: StateId): RegExp => new RegExp(`^${STATES[state].word.replaceAll(/[()]/g, '\\$&')}(?: |$)`);

/** The plan of what is pending, over the API and as its review. */
async function review({ pending, window }: Expected, states: Record<string, StateId>): Promise<void> {
  const made = await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} });
  if (window) return expect(made.status).toBe(423);
  const planned = ((made.body.units ?? []) as { id: UnitId }[]).map(({ id }) => id);
  // What was changed on the host is in a plan as well: to be undone or kept.
  const drifted = UNITS.filter(({ id }) => states[id] === 'drifted').map(({ id }) => id);
  expect(planned.toSorted()).toEqual([...new Set([...pending, ...drifted])].toSorted());
  if (planned.length === 0) return;
  const html = await page(`${APPLY}/${made.body.id}`);
  const heads = [...html.matchAll(/<div class="unit-head"><h2>(.*?)<\/h2>/g)].map(([, label]) => label);
  expect(heads).toEqual(UNITS.filter(({ id }) => planned.includes(id)).map(({ id }) => unitName(id)));
  if (pending.length > 0)
    expect(words(stripOf(html)[2]!)).toMatch(pending.length === 1 ? /It is in this plan/ : /All \d are in this plan/);
}
