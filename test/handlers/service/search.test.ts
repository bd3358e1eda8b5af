// The search: what is found anywhere in names, by whom, and what can be done from there.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ACTIONS } from '../../../pages/overview/search-actions.ts';
import { furnish } from '../../setup/furnish.ts';
import { type Credentials, House } from '../../setup/house.ts';

const CANARY = 'canary-value-31c';
let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  viewer = await house.actor('viewer', undefined, 'viewer');
  await furnish(house, admin);
  const api = async (path: string, body: unknown) => {
    const answer = await house.send('POST', path, { token: admin.token, body });
    expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, 201, '']);
    return answer.body as { id: string };
  };
  await api('/api/v1/dns/zones', { name: 'search.test' });
  await api('/api/v1/dns/records', { fqdn: 'vcenter07.search.test', type: 'A', value: '192.0.2.77' });
  const vault = await api('/api/v1/vaults', { name: 'searched-safe' });
  await api(`/api/v1/vaults/${vault.id}/entries`, { key: 'nsx.manager_root', username: 'root', value: CANARY });
}, 300_000);
afterAll(() => house.close());

interface Group {
  group: string;
  results: string[];
}

async function search(q: string, session: Credentials = admin): Promise<Group[]> {
  const { status, text } = await house.send('GET', `/ui/management/search?${new URLSearchParams({ q })}`, { session });
  expect(status).toBe(200);
  const sections = text.split('<section class="found"').slice(1);
  return sections.map((section) => ({
    group: /<h2[^>]*>([^<]*)</.exec(section)![1]!,
    results: [...section.matchAll(/data-result[^>]*>(.*?)<\/a>/gs)].map(([, words]) =>
      words!.replaceAll(/<[^>]*>/g, '').trim(),
    ),
  }));
}
const inGroup = async (q: string, group: string, session?: Credentials) =>
  (await search(q, session)).find((each) => each.group === group)?.results ?? [];

test.each([
  ['the middle of a name', 'enter07', 'DNS records', 'vcenter07.search.test'],
  ['the end of an address', '2.77', 'DNS records', 'vcenter07.search.test'],
  ['two words in any order', 'search vcenter', 'DNS records', 'vcenter07.search.test'],
  ['a kind and a part of a name', 'record enter07', 'DNS records', 'vcenter07.search.test'],
  ['the middle of a page', 'dit lo', 'Pages', 'Audit log'],
  ['a setting', 'allowed clients', 'Settings', 'Allowed clients'],
  ['what a setting is for', 'stratum', 'Settings', 'Local stratum'],
  ['a key of a vault', 'manager_root', 'Vault keys', 'nsx.manager_root'],
  ['a vault', 'safe', 'Vaults', 'searched-safe'],
  ['a user', 'iewer', 'Users', 'viewer'],
])('%s finds it', async (_name, q, group, found) => {
  expect((await inGroup(q, group)).join('\n')).toContain(found);
});

test('what begins with the text comes before what has it inside, also between groups', async () => {
  const [first] = await search('ntp');
  expect([first!.group, first!.results[0]]).toEqual(['Pages', expect.stringContaining('NTP')]);
});

test('a percent sign, an underscore and a quote are letters', async () => {
  for (const q of ['%', '_____', "'", "' OR 1=1", '?1', '\u0000']) expect(await inGroup(q, 'DNS records')).toEqual([]);
});

test('values of vaults are not found and not shown', async () => {
  // The page repeats what was typed: a part of the value is enough to find it, were it looked through.
  expect(await inGroup(CANARY.slice(0, -1), 'Vault keys')).toEqual([]);
  for (const { answer } of house.heard.filter(({ path }) => path.includes('/search'))) {
    expect(answer.body).not.toContain(CANARY);
  }
});

test('nobody finds what they may not read', async () => {
  for (const group of ['Vaults', 'Vault keys', 'Users']) {
    for (const q of ['safe', 'manager_root', 'admin']) expect(await inGroup(q, group, viewer)).toEqual([]);
  }
  expect(await inGroup('add', 'Actions', viewer)).toEqual([]);
});

test.each([
  ['add record', 'Add a DNS record'],
  ['new zone', 'Add a DNS zone'],
  ['review', 'Review changes'],
  ['apply', 'Review changes'],
  ['add record in search.t', 'Add record in search.test'],
  ['add search.test', 'Add record in search.test'],
])('%p offers it', async (q, label) => {
  expect(await inGroup(q, 'Actions')).toContain(label);
});

test('each action leads to a page', async () => {
  const found: [string, number][] = [];
  for (const { href } of ACTIONS) found.push([href, (await house.send('GET', href, { session: admin })).status]);
  expect(found.filter(([, status]) => status !== 200)).toEqual([]);
});
