// The overview: what it says about the service itself.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ServiceTable } from '../../pages/overview/service-table.tsx';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';

let house: House;

beforeAll(async () => {
  house = await House.open();
});
afterAll(() => house.close());

test('whoever is signed in reads which SQLite driver runs, and who asks for health alone does not', async () => {
  const driver = house.services.store.driver;
  const { status, text } = await house.send('GET', '/ui/management', { session: await house.actor('viewer') });
  expect(status).toBe(200);
  expect(text).toContain(`<dt>SQLite driver</dt><dd><code>${driver}</code></dd>`);
  expect((await house.send('GET', '/healthz')).body).toEqual({ status: 'ok' });
});

describe('of an appliance that has a bit of everything', () => {
  let furnished: House;
  let admin: Credentials;
  let text: string;

  beforeAll(async () => {
    furnished = await House.open({ ticker: false });
    admin = await furnished.actor('admin', undefined, 'admin');
    await furnish(furnished, admin);
    ({ text } = await furnished.send('GET', '/ui/management', { session: admin }));
  }, 300_000);
  afterAll(() => furnished.close());

  test('each service has what is wanted, applied and running, and the way to its page', () => {
    expect(text.match(/<th scope="col"[^>]*>[^<]*(?=<)/g)!.join()).toMatch(/Service.*Wanted.*State.*Last applied/);
    const row = /<tr><th scope="row">(<a href="\/ui\/management\/dns">.*?)<\/tr>/s.exec(text)![1]!;
    expect(row).toMatch(/<td class="nowrap">Enabled<\/td>/);
  });

  test('what matters is in numbers, each with the way to it', () => {
    const labels = [...text.matchAll(/<dt><a href="([^"]*)">([^<]*)<\/a><\/dt>/g)].map(([, href, label]) => [
      label,
      href,
    ]);
    expect(Object.fromEntries(labels)).toMatchObject({
      Jobs: '/ui/management/jobs',
      'Next certificate to end': '/ui/management/health#certificates',
      'Disk of the data': '/ui/management/health#over-time',
    });
  });

  test('a condition is told once: here, or by the note and the strip that tell it anyway', async () => {
    const { body } = await furnished.send('GET', '/api/v1/health', { token: admin.token });
    for (const { id, says } of body.conditions as { id: string; says: string }[]) {
      const told = text.split(says).length - 1;
      expect([id, told]).toEqual([id, id === 'keys_unprotected' || id === 'archives_overdue' ? 0 : 1]);
    }
  });

  test('lines of the last day are drawn, and their numbers are on the page Health', () => {
    expect(text).toMatch(/aria-label="DNS queries: between [^"]*The numbers are on the page Health\."/);
    expect(text).not.toContain('Show the numbers');
  });
});

test('a new appliance has no empty figures and no empty charts', async () => {
  const { text } = await house.send('GET', '/ui/management', { session: await house.actor('viewer') });
  expect(text).not.toContain('Last 24 hours');
  expect(text).not.toContain('DNS queries');
});

test('where services run, each says whether it answers and when it was asked, and what it said where it is wrong', () => {
  const now = '2026-03-14T09:41:07.000Z';
  const asked_at = '2026-03-14T09:40:07.000Z';
  const of = (unit: 'ntp' | 'ldap' | 'kms', probe: { ok: boolean; said: string } | null): Standing => ({
    ...{ unit, label: unit, state: 'in_force', pending: false, applied: 'in_force', applied_at: now, plan_id: null },
    ...{ desired_version: 1, drift: null, comparison: null, probe: probe && { ...probe, asked_at, since: asked_at } },
  });
  const services = [
    of('ntp', { ok: true, said: 'It told the time.' }),
    of('ldap', { ok: false, said: 'No answer.' }),
    of('kms', null),
  ];
  const html = renderToString(ServiceTable({ services, now, rehearsal: false }) as VNode);
  const rows = html.split('<tr>').slice(2);
  expect(rows[0]).toMatch(/title="It told the time\.".*Answers.*60 s ago/s);
  expect(rows[1]).toMatch(/st-bad.*No answer\..*60 s ago/s);
  expect(rows[2]).toMatch(/not asked.*never/s);
});
