// What is said of units and rows in the situations that an appliance can be in: each said once, by one comparison, and the
// same by strip, page, list, API and review.
import { afterEach, describe, expect, test } from '@jest/globals';
import { STATES } from '../../../../pages/components/state-words.tsx';
import { detectDrift } from '../../../../shared/appliance/apply/drift.ts';
import { writeProbes } from '../../../../shared/appliance/apply/drift-store.ts';
import { pendingRows, type RowFacts, rowState } from '../../../../shared/appliance/states/row-state.ts';
import {
  enforcedStandings,
  pendingOf,
  type Situation,
  STATE_IDS,
  type StateId,
  standings,
  stateOf,
} from '../../../../shared/appliance/states/standing.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { AnyUnit } from '../../../../shared/platform/units/unit.ts';
import { type Credentials, House } from '../../../setup/house.ts';

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

let house: House;
let admin: Credentials;
const APPLY = '/ui/management/appliance-apply';

async function open(options: Parameters<typeof House.open>[0] = {}): Promise<void> {
  house = await House.open({ ticker: false, ...options });
  admin = await house.actor('admin', undefined, 'alice');
}
afterEach(() => house?.close());

const api = async (method: string, path: string, body?: unknown) => {
  const heard = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  expect([path, heard.status, heard.status < 300 ? '' : heard.text]).toEqual([path, heard.status, '']);
  return heard.body;
};
const page = async (path: string): Promise<string> => {
  const { status, text } = await house.send('GET', path, { session: admin });
  expect([path, status]).toEqual([path, 200]);
  return text;
};

async function apply(): Promise<void> {
  const plan = await api('POST', 'apply/plans', {});
  await api('POST', `apply/plans/${plan.id}/submit`, { digest: plan.digest });
  await house.appliance.runner.idle();
}

const dnsOn = () => api('PATCH', 'dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] });
const zone = (name = 'lab.test') => api('POST', 'dns/zones', { name });
const record = (fqdn: string, value: string) => api('POST', 'dns/records', { fqdn, type: 'A', value });
const scope = () =>
  api('POST', 'dhcp/scopes', {
    name: 'lab',
    interface: 'ens192',
    subnet_cidr: '10.10.0.0/24',
    ranges: [{ start: '10.10.0.100', end: '10.10.0.199' }],
  });

/** What each place says: units by id. */
async function told() {
  const all = await standings(house.services);
  const drift = (await api('GET', 'apply/drift')).items as { unit: string; standing: StateId; pending: boolean }[];
  const overview = await page('/ui/management');
  const applyPage = await page(APPLY);
  const strip = /<section class="strip" aria-label="Pending changes">(.*?)<\/section>/s.exec(applyPage)?.[1] ?? '';
  const plan = await house.send('POST', '/api/v1/apply/plans', { token: admin.token, body: {} });
  return {
    states: Object.fromEntries([...all].map(([id, { state }]) => [id, state])),
    api: Object.fromEntries(drift.map(({ unit, standing }) => [unit, standing])),
    pending: pendingOf(await enforcedStandings(house.services)).map(({ id }) => id as string),
    pendingByApi: drift.filter(({ pending }) => pending).map(({ unit }) => unit),
    strip: UNITS.filter(({ label }) => strip.includes(`<span>${label}</span>`)).map(({ id }) => id as string),
    plan: ((plan.body.units ?? []) as { id: string }[]).map(({ id }) => id),
    words: (label: string) => rowOf(overview, label),
    onApplyPage: (label: string) => rowOf(applyPage, label),
  };
}

/** The first row of a table that begins with this, as a person reads it. */
function rowOf(html: string, label: string): string {
  const rows = html.split('<tr').map((row) => words(row.slice(row.indexOf('>') + 1)));
  return rows.find((row) => row.startsWith(label)) ?? '';
}
const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

interface Expected {
  states: Record<string, StateId>;
  pending: string[];
}

const OFF = { ntp: 'off', 'private-cloud-services': 'off', 'network-boot': 'off' } as const;

/** Built situations of a whole appliance: what leads there, and what every place says then. */
const SITUATIONS: [string, () => Promise<void>, Expected][] = [
  [
    'fresh',
    async () => open(),
    {
      states: { network: 'pending', firewall: 'pending', 'dns-dhcp': 'off', ...OFF },
      pending: ['network', 'firewall'],
    },
  ],
  [
    'saved only',
    async () => {
      await open();
      await dnsOn();
    },
    { states: { 'dns-dhcp': 'pending', ...OFF }, pending: ['network', 'firewall', 'dns-dhcp'] },
  ],
  [
    'a service filled while it is off',
    async () => {
      await open();
      await apply();
      await scope();
      await zone();
      await record('a.lab.test', '10.10.0.7');
    },
    { states: { network: 'rehearsed', firewall: 'rehearsed', 'dns-dhcp': 'off', ...OFF }, pending: [] },
  ],
  [
    'first apply, as a rehearsal',
    async () => {
      await open();
      await dnsOn();
      await apply();
    },
    { states: { network: 'rehearsed', firewall: 'rehearsed', 'dns-dhcp': 'rehearsed', ...OFF }, pending: [] },
  ],
  [
    'an edit and its opposite',
    async () => {
      await open();
      await dnsOn();
      await apply();
      const { id } = await zone();
      await api('DELETE', `dns/zones/${id}`);
    },
    { states: { 'dns-dhcp': 'rehearsed' }, pending: [] },
  ],
  [
    'edited after an apply',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await zone();
    },
    { states: { network: 'rehearsed', 'dns-dhcp': 'pending' }, pending: ['dns-dhcp'] },
  ],
  [
    'switched off, not applied',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await api('PATCH', 'dns-dhcp/settings', { enabled: false });
    },
    { states: { 'dns-dhcp': 'pending' }, pending: ['firewall', 'dns-dhcp'] },
  ],
  [
    'switched off and applied',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await api('PATCH', 'dns-dhcp/settings', { enabled: false });
      await apply();
    },
    { states: { 'dns-dhcp': 'off' }, pending: [] },
  ],
  [
    'a part of it applied',
    async () => {
      await open();
      await apply();
      await dnsOn();
      await api('PATCH', 'interfaces/physical/ens192', { mtu: 1400 });
      const plan = await api('POST', 'apply/plans', { units: ['firewall'] });
      await api('POST', `apply/plans/${plan.id}/submit`, { digest: plan.digest });
      await house.appliance.runner.idle();
    },
    { states: { network: 'pending', firewall: 'rehearsed' }, pending: ['network'] },
  ],
  [
    'a plan that is stale',
    async () => {
      await open();
      await apply();
      await dnsOn();
      await api('POST', 'apply/plans', {});
      await zone();
    },
    { states: { 'dns-dhcp': 'pending' }, pending: ['firewall', 'dns-dhcp'] },
  ],
  [
    'a unit that nothing enforces, switched on',
    async () => {
      await open();
      await apply();
      await house.services.store.write((tx) =>
        tx.run(`INSERT INTO unit_settings (unit, document, updated_at) VALUES ('kms', '{"enabled":true}', '')`),
      );
    },
    { states: { kms: 'not_enforced', ldap: 'off' }, pending: [] },
  ],
  [
    'a file that somebody changed',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await house.services.host.write({ path: '/etc/groundcrew/dnsmasq/dnsmasq.conf', content: 'x', mode: 0o644 });
      await detectDrift(house.services, UNITS);
    },
    { states: { 'dns-dhcp': 'drifted', network: 'rehearsed' }, pending: [] },
  ],
  [
    'a service that does not answer',
    async () => {
      await open();
      await dnsOn();
      await apply();
      const at = '2026-11-23T10:00:00Z';
      const silent = { ok: false, said: '10.10.0.5 did not answer.', asked_at: at, since: at };
      await house.services.store.write((tx) => writeProbes(tx, new Map([['dns-dhcp', silent]])));
    },
    { states: { 'dns-dhcp': 'failing' }, pending: [] },
  ],
];

describe.each(SITUATIONS)('%s', (_situation, arrive, expected) => {
  test('is said the same everywhere', async () => {
    await arrive();
    const said = await told();
    expect(said.states).toMatchObject(expected.states);
    expect(said.api).toEqual(Object.fromEntries(UNITS.map(({ id }) => [id, said.states[id]])));
    const { pending } = expected;
    expect([said.pending, said.pendingByApi, said.strip]).toEqual([pending, pending, pending]);
    // Drift alone is in a plan as well: to be undone or kept.
    const disturbed = Object.values(expected.states).some((state) => state === 'drifted' || state === 'failing');
    if (!disturbed) expect(said.plan).toEqual(pending);
    for (const { id, label } of UNITS) {
      const { word } = STATES[said.states[id]!];
      expect([label, said.words(label)]).toEqual([label, expect.stringContaining(word)]);
      expect([label, said.onApplyPage(label)]).toEqual([label, expect.stringContaining(word)]);
    }
  });
});

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
  });
});
