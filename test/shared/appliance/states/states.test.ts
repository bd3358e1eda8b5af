// What is said of units and rows in the situations that an appliance can be in: each said once, by one comparison, and the
// same by strip, page, list, API and review.
import { afterEach, describe, expect, test } from '@jest/globals';
import { STATES } from '../../../../pages/components/state-words.tsx';
import { detectDrift } from '../../../../shared/appliance/apply/drift.ts';
import { pendingRows, type RowFacts, rowState } from '../../../../shared/appliance/states/row-state.ts';
import {
  enforcedStandings,
  type Situation,
  STATE_IDS,
  type StateId,
  stateOf,
} from '../../../../shared/appliance/states/standing.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { AnyUnit } from '../../../../shared/platform/units/unit.ts';
import { api, apply, dnsOn, house, open, page, record, rowOf, scope, words, zone } from './states-scene.ts';

const QUIET: Situation = {
  enforced: true,
  enforces: true,
  off: false,
  applied: true,
  pending: false,
  drift: 'none',
  answers: true,
};

test.each<[string, Partial<Situation>, StateId]>([
  ['off', { off: true }, 'off'],
  ['off and never applied', { off: true, applied: false, drift: null, answers: null }, 'off'],
  ['saved for the first time', { applied: false, pending: true, drift: null, answers: null }, 'pending'],
  ['edited since', { pending: true }, 'pending'],
  ['to be switched off', { off: true, pending: true }, 'pending'],
  ['in force', {}, 'in_force'],
  ['in force, not compared yet', { drift: null, answers: null }, 'in_force'],
  ['in force, and the host can not be read', { drift: 'unreadable' }, 'in_force'],
  ['rehearsed', { enforces: false, drift: null, answers: null }, 'rehearsed'],
  ['changed on the host', { drift: 'drifted' }, 'drifted'],
  ['changed on the host and edited', { drift: 'drifted', pending: true }, 'drifted'],
  ['not answering', { answers: false }, 'failing'],
  ['not answering, and edited', { answers: false, pending: true, drift: 'drifted' }, 'failing'],
  ['on, but nothing enforces it', { enforced: false }, 'not_enforced'],
  ['off, and nothing would enforce it', { enforced: false, off: true }, 'off'],
])('a unit that is %s', (_situation, situation, state) => {
  expect(stateOf({ ...QUIET, ...situation })).toBe(state);
});

test('every state has a word of its own', () => {
  const words = STATE_IDS.map((id) => STATES[id].word);
  expect(new Set(words).size).toBe(STATE_IDS.length);
});

afterEach(() => house?.close());

describe('a service is asked with each comparison', () => {
  test('what it answers is kept, and what changes is in the audit log', async () => {
    await open();
    await dnsOn();
    await apply();
    const { services } = house;
    const unit = UNITS.find(({ id }) => id === 'dns-dhcp')!;
    let answer = { ok: true, said: 'Asked: as rendered.' };
    const asked: AnyUnit = { ...unit, drift: async () => [], probeInForce: async () => answer };
    const host: Host = { ...services.host, enforces: true };
    const compare = () => detectDrift({ ...services, host }, [asked]);
    const probe = async () => (await enforcedStandings(services)).get('dns-dhcp')!.probe;
    const before = await house.lastAudit();
    await compare();
    expect(await probe()).toMatchObject(answer);
    answer = { ok: false, said: '10.10.0.5 did not answer.' };
    await compare();
    await compare();
    expect(await probe()).toMatchObject(answer);
    answer = { ok: true, said: 'Asked: as rendered.' };
    await compare();
    expect(await house.audited(before)).toEqual(['probe.failed', 'probe.passed']);
  });
});

test('what a unit renders of others is noticed, though no version of its own counts it', async () => {
  await open();
  await apply();
  const compared = async () => (await enforcedStandings(house.services)).get('private-cloud-services')!.comparison;
  const before = await compared();
  expect(await compared()).toBe(before);
  await house.services.store.write((tx) =>
    tx.run("UPDATE interface SET revision = revision + 1 WHERE name = 'ens192'"),
  );
  expect(await compared()).not.toBe(before);
});

describe('a row', () => {
  const of = (name: string, kinds: string[], within?: RowFacts['within']): RowFacts => ({
    unit: 'dns-dhcp',
    kinds,
    name,
    ...(within && { within }),
  });
  const state = async (row: RowFacts, enabled = true) =>
    rowState(await enforcedStandings(house.services), row, enabled);
  const value = (text: string) => (values: unknown) => String(values).split('\n').includes(text);

  test('of a service that is off is saved, and nothing of it is pending', async () => {
    await open();
    await scope();
    expect((await state(of('lab', ['scope', 'scope_ranges']))).state).toBe('saved');
    expect(pendingRows(await enforcedStandings(house.services), 'dns-dhcp', ['scope'])).toEqual([]);
    // Nor do the steps that are listed for the service call it so.
    expect(words(await page('/ui/management/dhcp'))).not.toMatch(/saved, not applied/i);
  });

  test('is pending until it is applied, also among rows of its name', async () => {
    await open();
    await dnsOn();
    await zone();
    await record('a.lab.test', '10.10.0.7');
    await apply();
    const old = of('a.lab.test A', ['record'], value('10.10.0.7'));
    expect((await state(old)).state).toBe('rehearsed');
    const { id } = await record('a.lab.test', '10.10.0.8');
    const added = of('a.lab.test A', ['record'], value('10.10.0.8'));
    expect([(await state(old)).state, (await state(added)).state]).toEqual(['rehearsed', 'pending']);
    await apply();
    expect((await state(added)).state).toBe('rehearsed');
    await api('PATCH', `dns/records/${id}`, { enabled: false });
    expect((await state(added, false)).state).toBe('pending');
    await apply();
    expect((await state(added, false)).state).toBe('off');
  });

  test('that was deleted is named until the apply has taken it away', async () => {
    await open();
    await dnsOn();
    const { id } = await zone();
    await apply();
    await api('DELETE', `dns/zones/${id}`);
    const gone = pendingRows(await enforcedStandings(house.services), 'dns-dhcp', ['zone']);
    expect(gone).toEqual([{ kind: 'zone', name: 'lab.test', before: true, after: undefined }]);
    expect(words(await page('/ui/management/dns'))).toContain('Not applied 1 change zone lab.test (removed)');
  });

  test('that is not applied stands out in its list, and above it with what changes', async () => {
    await open();
    await dnsOn();
    const { id } = await zone();
    await record('a.lab.test', '10.10.0.7');
    await apply();
    await record('b.lab.test', '10.10.0.8');
    const list = await page(`/ui/management/dns/zones/${id}`);
    expect(rowOf(list, 'a.lab.test')).toContain(STATES.rehearsed.word);
    expect(rowOf(list, 'b.lab.test')).toContain(`${STATES.pending.word} new`);
    expect(words(list)).toContain('Not applied 1 change record b.lab.test A (new)');
  });

  test('that is not applied is named on the first page of a list of hundreds', async () => {
    await open();
    await dnsOn();
    const { id } = await zone();
    const rows = Array.from({ length: 214 }, (_, at) => [`h${at}.lab.test`, `10.20.${at % 250}.7`]);
    await house.services.store.write((tx) =>
      tx.run(
        `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
         SELECT 'rec_' || key, value ->> 0, 'A', value ->> 1, ?, '', '' FROM json_each(?)`,
        [id, JSON.stringify(rows)],
      ),
    );
    await apply();
    await record('zz.lab.test', '10.10.0.8');
    const list = words(await page(`/ui/management/dns/zones/${id}`));
    expect(list).toContain('Not applied 1 change record zz.lab.test A (new)');
    expect(list.split(STATES.rehearsed.word).length).toBeGreaterThan(50);
    const names = async (state: string) =>
      [
        ...(await page(`/ui/management/dns/zones/${id}?state=${state}`)).matchAll(/<tr.*?>([\w-]+)\.lab\.test<\/a>/gs),
      ].map(([, name]) => name);
    expect(await names('pending')).toEqual(['zz']);
    expect(await names('saved')).toEqual([]);
    expect((await names('rehearsed')).length).toBeGreaterThanOrEqual(100);
    expect(await names('rehearsed')).not.toContain('zz');
    // What is no state asks for all.
    expect((await names('anything')).length).toBe(100);
  });

  test('of one scope is not taken for that of every scope', async () => {
    await open();
    await dnsOn();
    const { id: scope_id } = await scope();
    await api('PATCH', 'dhcp/settings', { enabled: true });
    const own = await api('POST', 'dhcp/options', { code: 66, value: 'own.test', scope_id });
    const every = await api('POST', 'dhcp/options', { code: 66, value: 'every.test' });
    await apply();
    const option = async ({ id }: { id: string }) =>
      words(/<dt>State<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(await page(`/ui/management/dhcp/options/${id}`))![1]!);
    expect([await option(own), await option(every)]).toEqual([STATES.rehearsed.word, STATES.rehearsed.word]);
    await api('PATCH', `dhcp/options/${every.id}`, { value: 'other.test' });
    expect(await option(own)).toBe(STATES.rehearsed.word);
    expect(await option(every)).toContain(STATES.pending.word);
    // The page of the scope lists both, each with its state.
    expect(words(await page(`/ui/management/dhcp/scopes/${scope_id}`))).toContain(
      `66 own.test ${STATES.rehearsed.word} 66 other.test ${STATES.pending.word}`,
    );
  });

  test('of a unit that is off is only saved, and pending once it is on', async () => {
    await open();
    await api('POST', 'storage/volumes', {
      name: 'fast',
      device: '/dev/disk/by-id/nvme-1',
      mount_path: '/srv/datastores/fast',
    });
    const state = async () => rowOf(await page('/ui/management/storage'), 'fast');
    expect(await state()).not.toContain(STATES.pending.word);
    await api('PATCH', 'storage/settings', { enabled: true });
    expect(await state()).toContain(STATES.pending.word);
  });

  test('that the depot lets in is pending, the others are only saved', async () => {
    await open();
    await api('PATCH', 'certificate-authority/settings', { enabled: true });
    await api('POST', 'certificate-authority/root', {});
    for (const name of ['installer', 'other'])
      await api('POST', 'private-cloud-services/http-users', { name, password: 'a passphrase of the lab' });
    const depot = { enabled: true, listen_interfaces: ['ens192'], http_user: 'installer' };
    await api('PATCH', 'private-cloud-services/settings', depot);
    const state = async (name: string) => rowOf(await page('/ui/management/offline-depot'), name);
    expect(await state('installer')).toContain(STATES.pending.word);
    expect(await state('other')).toContain(STATES.saved.word);
    await apply();
    expect(await state('installer')).toContain(STATES.rehearsed.word);
    expect(await state('other')).toContain(STATES.saved.word);
  });
});

describe('a plan', () => {
  const reasons = async () => {
    const { units } = await api('POST', 'apply/plans', {});
    return (units as { id: string; reason: string }[]).map(({ id, reason }) => [id, reason]);
  };

  test('says of what follows another unit that it is required by it', async () => {
    await open();
    await apply();
    await dnsOn();
    expect(await reasons()).toEqual([
      ['firewall', 'required by DNS and DHCP'],
      ['dns-dhcp', 'first apply'],
    ]);
    await apply();
    await api('PATCH', 'firewall/settings', { allow_ping: false });
    expect(await reasons()).toEqual([['firewall', 'your change']]);
  });

  test('says so of a scope that moved with its interface, until somebody edits it', async () => {
    await open();
    await dnsOn();
    const { id } = await scope();
    await api('PATCH', 'dhcp/settings', { enabled: true });
    await apply();
    await api('PATCH', 'interfaces/physical/ens192', { ipv4_cidr: '10.20.0.5/24' });
    expect(await reasons()).toContainEqual(['network', 'your change']);
    expect(await reasons()).toContainEqual(['dns-dhcp', 'required by Network']);
    await api('PATCH', `dhcp/scopes/${id}`, { lease_time: 600 });
    expect(await reasons()).toContainEqual(['dns-dhcp', 'your change']);
  });
});
