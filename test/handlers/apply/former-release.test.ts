// What the release before facts left behind: baselines, kept changes, plans and drift in the words of its reviews. They are
// read, and what did not change since is no change. The baselines of test/fixtures/former-release are that release's own.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { keptFolder, loadKept } from '../../../shared/appliance/apply/kept.ts';
import { findPlan } from '../../../shared/appliance/apply/plan-store.ts';
import { UNITS } from '../../../shared/appliance/units.ts';
import { factsInForce, loadBaseline, sha256 } from '../../../shared/platform/applied/baseline.ts';
import { LABELS } from '../../../shared/platform/network/words.ts';
import type { UnitId } from '../../../shared/platform/unit-names.ts';
import type { Facts } from '../../../shared/platform/units/facts.ts';
import { furnish } from '../../setup/furnish.ts';
import { said } from '../../setup/said.ts';
import { admin, api, house, open, PLANS, saved } from './apply-scene.ts';

const former = (unit: UnitId) =>
  readFile(new URL(`../../fixtures/former-release/${unit}.json`, import.meta.url), 'utf8');

/** Stores a baseline and answers its digest, which names it. */
async function stored(text: string): Promise<string> {
  const folder = join(house.data, 'apply/baselines');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, sha256(text)), text);
  return sha256(text);
}

/** What is said in other words since: `ens192 ipv4_cidr` then is `ens192: IPv4 CIDR` now. */
const SINCE: { [Id in UnitId]?: (setting: string) => string } = {
  network: (setting) => setting.replace(/ (\w+)$/, (_all, kind: keyof typeof LABELS) => `: ${LABELS[kind]}`),
};

/** Was not enforced then. */
const YOUNGER: ReadonlySet<UnitId> = new Set([
  'certificate-authority',
  'kms',
  'ldap',
  'management-tls',
  'oidc',
  'web-terminal',
  'storage',
]);
const DEPOT = 'private-cloud-services';
const OLD = UNITS.filter(({ id }) => !YOUNGER.has(id));

test.each(OLD.map((unit) => [unit.id, unit] as const))('the baseline of %s is read as facts', async (id, unit) => {
  await open();
  const text = await former(id);
  const baseline = await loadBaseline(house.data, await stored(text));
  const facts = factsInForce(unit, baseline);
  const entries = JSON.parse(text).entries.map(([setting, value]: string[]) => [
    SINCE[id]?.(setting!) ?? setting,
    value,
  ]);
  expect([...said(unit, facts)]).toEqual(entries);
  // Where all was remembered, its facts are those.
  const whole = ['dns-dhcp', 'network-boot'].includes(id) ? null : unit.facts(baseline.remembered);
  expect([...(whole ?? facts)]).toEqual([...facts]);
});

test('a word that nobody wrote makes no fact, and a state that can not be read none at all', () => {
  const words = new Map([
    ['host esx01', 'something else'],
    [
      'machines of the scope lab',
      'get no boot listener: its gateway is the appliance, which answers boot requests on ens1 only',
    ],
  ]);
  const boot = UNITS.find(({ id }) => id === 'network-boot')!;
  const remembered = { ...(boot.nothing as object) };
  expect([...factsInForce(boot, { facts: null, words, remembered })]).toEqual([
    ['enabled', false],
    ['scope lab', { why: 'own-gateway', listener: 'ens1' }],
  ]);
  expect(factsInForce(boot, { facts: null, words, remembered: undefined }).size).toBe(0);
  // Scopes and own addresses were not remembered from the beginning.
  const { scopes: _scopes, own_addresses: _addresses, ...earlier } = remembered as Record<string, unknown>;
  expect(factsInForce(boot, { facts: null, words, remembered: earlier }).size).toBe(2);
  // As long as somebody likes who writes into the service's folder: read at once, and no fact.
  const endless = new Map([['host x', `a, b, Kickstart ${', medium '.repeat(200_000)}\n`]]);
  expect(factsInForce(boot, { facts: null, words: endless, remembered }).size).toBe(1);
});

describe('after an update', () => {
  type Planned = Record<string, unknown>;
  const reviewed = async () => {
    const { body } = await api('POST', PLANS, {});
    // The files on this host are of today's release, and those of the baseline of the one before: that is no drift of theirs.
    return (body.units as Planned[]).map(({ check: _c, drift: _d, ...unit }) => unit);
  };

  test('a plan is what it would have been before, unit by unit', async () => {
    await open();
    await furnish(house, admin);
    await saved(['PATCH', '/api/v1/ntp/settings', { local_stratum: 5 }]);
    const before = await reviewed();
    const { store } = house.services;
    const states = await store.all<{ unit: UnitId; entries_digest: string | null }>('SELECT * FROM unit_state');
    for (const { unit, entries_digest } of states) {
      if (entries_digest === null || YOUNGER.has(unit)) continue;
      const { facts, remembered } = await loadBaseline(house.data, entries_digest);
      const digest = await stored(asIn(await former(unit), unit, facts!, remembered as Openings));
      await store.write((tx) => tx.run('UPDATE unit_state SET entries_digest = ? WHERE unit = ?', [digest, unit]));
    }
    const after = await reviewed();
    expect(before.map(({ id }) => id)).not.toContain(DEPOT);
    expect(after.filter(({ id }) => id !== DEPOT)).toEqual(before);
    // Its certificate is a plan's since: the first one after the update brings it, and nothing else of the depot.
    const { rows } = after.find(({ id }) => id === DEPOT)!.diff as { rows: { setting: string; before: unknown }[] };
    expect(rows.map(({ setting, before: former }) => [setting, former])).toEqual([['certificate', null]]);
    expect(before.length).toBeGreaterThan(2);
  }, 300_000);

  type Openings = { openings?: { key: string; label: string }[] } | undefined;

  /** What each appliance makes by chance is taken from this one. */
  function asIn(text: string, unit: UnitId, facts: Facts, today: Openings): string {
    const words = [...said(UNITS.find(({ id }) => id === unit)!, facts)];
    const chance = new Set(['certificate authority', 'host esx11.lab.example']);
    const { entries, remembered, ...kept } = JSON.parse(text);
    // An empty list of servers was none then, and an update writes that down. These scopes were saved by today's API, where
    // it follows the appliance.
    for (const scope of remembered?.dhcp?.scopes ?? [])
      scope.ntp_servers = facts.get(`scope_ntp ${scope.name}`) ?? scope.ntp_servers;
    // What the packet filter opens for younger units was saved by today's API as well.
    const opened = (today?.openings ?? []).filter(({ key }) => YOUNGER.has(key.split(' ', 1)[0] as UnitId));
    remembered?.openings?.push(...opened);
    entries.push(...words.filter(([setting]) => opened.some(({ label }) => setting.startsWith(`open ${label} `))));
    const own = new Map(words.filter(([setting]) => chance.has(setting)));
    const sha256 = own.get('certificate authority');
    return JSON.stringify({
      ...kept,
      entries: entries.map(([setting, value]: [string, string]) => [setting, own.get(setting) ?? value]),
      remembered: sha256 ? { ...remembered, authority: { ...remembered.authority, sha256 } } : remembered,
    });
  }

  const OFF = { setting: 'firewall', before: null, after: 'off' };
  test.each([
    ['is off at its first apply', [OFF], false],
    ['is switched off', [{ ...OFF, before: 'on' }], true],
    ['is on', [{ ...OFF, after: 'on' }], true],
    ['has more besides', [OFF, { ...OFF, setting: 'ping' }], true],
  ])('a plan of before whose packet filter %s still says whether it changes it', async (_how, rows, changes) => {
    await open();
    const { body } = await api('POST', PLANS, {});
    const { store } = house.services;
    const { document } = (await store.one<{ document: string }>('SELECT document FROM plan'))!;
    const { changes_filter: _new, units, ...kept } = JSON.parse(document);
    const firewall = units.find(({ id }: Planned) => id === 'firewall') ?? units[0];
    const old = [{ ...firewall, id: 'firewall', diff: { added: rows.length, changed: 0, removed: 0, rows } }];
    const text = JSON.stringify({ ...kept, units: old });
    await store.write((tx) => tx.run('UPDATE plan SET document = ?', [text]));
    expect((await findPlan(store, body.id)).changes_filter).toBe(changes);
    expect((await api('GET', `${PLANS}/${body.id}`)).body.units[0].diff.rows).toEqual(rows);
  });

  test('what was kept of a change in the middle of an apply leads back', async () => {
    await open();
    const keep = async (unit: UnitId, change: object) => {
      const folder = keptFolder(join(house.data, 'apply'), 'plan_a', unit);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'kept.json'), JSON.stringify({ files: [], earlier: null, change }));
      return (await loadKept(folder))!.change;
    };
    const files = { written: ['/a'], removed: [] };
    const before = [
      ['ens1.20 enabled', 'yes'],
      ['ens1.20 vlan', '20 on ens1'],
      ['ens1.20 ipv6_cidr', 'from router advertisements'],
      ['ens1.20 mtu', '9000'],
    ];
    expect(await keep('network', { before, after: [['ens1.20 enabled', 'no']], ...files })).toEqual({
      before: new Map<string, unknown>([
        ['enabled ens1.20', true],
        ['vlan ens1.20', { id: 20, parent: 'ens1' }],
        ['ipv6_cidr ens1.20', null],
        ['mtu ens1.20', 9000],
      ]),
      after: new Map([['enabled ens1.20', false]]),
      ...files,
    });
    const reserved = [['reservation 10.0.0.7', '00:50:56:00:00:07 esx07']];
    expect((await keep('dns-dhcp', { before: null, after: reserved, ...files })).after).toEqual(
      new Map([['reservation 10.0.0.7', { mac: '00:50:56:00:00:07', hostname: 'esx07' }]]),
    );
    expect((await keep('ntp', { before: [['NTS', 'off']], after: [], ...files })).before).toEqual(new Map());
    const was = [['mtu ens1', 1500]];
    expect(await keep('network', { was, becomes: [['mtu ens1', 9000]], ...files })).toEqual({
      before: new Map([['mtu ens1', 1500]]),
      after: new Map([['mtu ens1', 9000]]),
      ...files,
    });
  });

  test('differences of files that were found before still are differences of files', async () => {
    await open();
    const { store } = house.services;
    const lines = ['/etc/systemd/network/40-groundcrew-ens192.network was changed', '/etc/hosts is not there'];
    const drifted = async (found: string[]) => {
      await store.write((tx) =>
        tx.run(
          `INSERT OR REPLACE INTO unit_drift (unit, state, checked_at, first_seen_at, last_seen_at, lines, more)
           VALUES ('network', 'drifted', ?1, ?1, ?1, ?2, 0)`,
          ['2026-03-14T09:41:00.000Z', JSON.stringify(found)],
        ),
      );
      return (await api('GET', '/api/v1/apply/drift')).body.items[0];
    };
    expect(await drifted(lines)).toMatchObject({ lines, adoptable: false });
    expect(await drifted([...lines, 'ens192 is down'])).toMatchObject({ adoptable: true });
  });
});
