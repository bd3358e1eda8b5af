// Every list that a page shows, with what it offers: search, order, filter by state, file, boxes and what is done with the chosen
// rows, pages. A page with a table that is in neither table here fails, so that a new list says what it offers, or why not.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pages } from '../../runtime/generated/pages.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';
import { filled } from './scenarios/scenario.ts';

jest.setTimeout(300_000);

let house: House;
let admin: Credentials;
const seen = new Map<string, string>();

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  const things = await furnish(house, admin);
  for (const { spec } of pages) {
    if (spec.plane !== 'management' || !spec.path.startsWith('/ui/management')) continue;
    const path =
      things.addresses[spec.path] ?? filled(spec.path, things.parameters) + (things.queries[spec.path] ?? '');
    const heard = await house.send('GET', path, { session: admin });
    if (heard.status === 200) seen.set(spec.path, heard.text);
  }
}, 300_000);
afterAll(() => house?.close());

const FEATURES: Readonly<Record<string, RegExp>> = {
  search: /<form class="tools"[\s\S]*?type="search"/,
  sort: /<th scope="col"[^>]*><a href="[^"]*[?&;]sort=/,
  state: /<select id="filter-state"/,
  csv: /<a href="[^"]*\.csv/,
  choose: /<input type="checkbox" class="box" name="ids"/,
};
const featuresOf = (html: string): string =>
  Object.entries(FEATURES)
    .filter(([, pattern]) => pattern.test(html))
    .map(([name]) => name)
    .join(' ');

/** Rows that people make by hand: all that there is. */
const WHOLE = 'search sort state csv choose';
const LISTS: Readonly<Record<string, string>> = {
  '/dns': WHOLE,
  '/dns/zones/{zone_id}': WHOLE,
  '/dhcp': WHOLE,
  '/dhcp/reservations': WHOLE,
  '/firewall': WHOLE,
  '/ldap': WHOLE,
  '/ldap/bind-accounts': WHOLE,
  '/ldap/groups': WHOLE,
  '/ldap/users': WHOLE,
  '/network-boot': WHOLE,
  '/network-boot/kickstarts': WHOLE,
  '/ntp': WHOLE,
  '/storage': WHOLE,
  '/api-tokens': WHOLE,
  '/certificate-authority/certificates': WHOLE,
  // Boxes are for jobs that have not ended, and these have.
  '/jobs': 'search sort state csv',
  '/users': WHOLE,
  '/vaults/{vault_id}': WHOLE,
  '/vlans': WHOLE,
  // No apply puts a client in force.
  '/oidc/clients': 'search sort csv choose',
};

const ORDER = 'its order is its meaning, and the newest are what people look for';
const FEW = 'there are a handful of rows, each with a page of its own';
const READ = 'it shows what is, or what a page is about; nobody makes its rows';
/** What a list has instead of the whole, and why. */
const OTHERS: Readonly<Record<string, readonly [features: string, why: string]>> = {
  '': ['', READ],
  '/account': ['', ORDER],
  '/account/second-factors': ['', FEW],
  '/alert-receivers': ['', FEW],
  '/alert-receivers/{receiver_id}': ['', ORDER],
  // Its states are segments.
  '/alerts': ['search sort csv', 'each is acknowledged by whoever looked into it'],
  '/appliance-apply': ['search state csv', ORDER],
  '/appliance-apply/{plan_id}/restore': ['', READ],
  '/archives': [
    '',
    'at most 50 are kept, all on one page; the last copy of a key may be in one: each is deleted on its own page',
  ],
  '/archives/schedule': ['', FEW],
  '/audit-log': ['search csv', 'it is a record: nothing of it is deleted'],
  '/certificate-authority': ['', READ],
  '/certificate-authority/profiles': ['', FEW],
  '/certificate-authority/requests': ['search sort csv', 'each request is judged by itself'],
  '/dns/records/new': ['', READ],
  '/health': ['', READ],
  '/interfaces': ['search sort csv', 'what a machine has is not deleted'],
  '/kms': ['', FEW],
  '/kms/keys': ['search sort state csv', 'clients destroy keys; a person brings one back on its own page'],
  '/kms/keys/{key_id}': ['', READ],
  '/kms/providers/{provider_id}': ['', READ],
  '/kms/requests': ['', 'the last 200 are kept, all on one page, the newest first'],
  '/logs': ['search', ORDER],
  '/network-boot/media': [
    '',
    'each takes hundreds of megabytes of the disk, so there are a few; its files go at once, one at a time',
  ],
  '/offline-depot': ['', FEW],
  '/oidc/sessions': ['search sort csv', 'one is ended by itself, or all of its person'],
  '/oidc/signing-keys': ['', READ],
  '/storage/disks': ['', 'there are as many as the machine has'],
  '/users/{user_id}/sessions': ['', 'they are those of one person'],
  '/vaults': ['search sort state csv', 'a vault is deleted on its own page, which says what is lost with it'],
  '/vaults/key': ['', READ],
  '/vaults/{vault_id}/entries/{entry_id}': ['', ORDER],
  '/vlans/{vlan_id}': ['', READ],
};

test('each list offers what is said of it', () => {
  const found = [...seen]
    .filter(([, html]) => html.includes('<caption class="vh">'))
    .map(([path, html]) => [path.replace('/ui/management', ''), featuresOf(html)]);
  const said = Object.fromEntries(Object.entries(OTHERS).map(([path, [features]]) => [path, features]));
  expect(Object.fromEntries(found)).toEqual({ ...said, ...LISTS });
});

describe('a collection by its list', () => {
  const NTP = '/ui/management/ntp';
  const send = (path: string, form: Record<string, string | string[]>) =>
    house.send('POST', path, { session: admin, form });
  const add = async (address: string): Promise<string> => {
    const heard = await house.send('POST', '/api/v1/ntp/sources', { token: admin.token, body: { address } });
    return heard.body.id as string;
  };
  const names = (html: string): string[] =>
    [...html.matchAll(/>(list\d\.lab\.example)<\/a>/g)].map(([, name]) => name!);
  const read = async (query: string): Promise<string[]> =>
    names((await house.send('GET', `${NTP}${query}`, { session: admin })).text);

  test('is searched and ordered, also over pages, and downloaded so', async () => {
    for (const at of [2, 1, 3]) await add(`list${at}.lab.example`);
    expect(await read('?search=LIST&sort=-address')).toEqual(
      ['list3', 'list2', 'list1'].map((n) => `${n}.lab.example`),
    );
    expect(await read('?search=list2')).toEqual(['list2.lab.example']);
    expect(await read('?search=nothing-like-it')).toEqual([]);
    const file = await house.send('GET', `${NTP}/sources.csv?search=list&sort=-address`, { session: admin });
    expect(file.headers['content-type']).toContain('text/csv');
    const [head, ...rows] = file.text.trim().split('\r\n');
    expect(head).toBe('id,address,kind,nts,prefer,description,enabled,revision,created_at,updated_at');
    expect(rows.map((row) => row.split(',')[1])).toEqual(['list3', 'list2', 'list1'].map((n) => `${n}.lab.example`));
  });

  test('rows that are chosen are disabled, then deleted after the question, each with its audit event', async () => {
    const ids = [await add('list7.lab.example'), await add('list8.lab.example')];
    const off = await send(`${NTP}/sources/chosen`, { ids, verb: 'disable', at: 'search=list' });
    expect([off.status, off.headers.location]).toEqual([303, `${NTP}?search=list`]);
    const sources = await house.send('GET', '/api/v1/ntp/sources?enabled=false&limit=100', { token: admin.token });
    expect(sources.body.items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
    const question = await send(`${NTP}/sources/chosen`, { ids, verb: 'delete', at: 'search=list' });
    expect(question.status).toBe(422);
    expect(question.text).toContain('Delete these 2 sources?');
    expect(names(question.text)).toContain('list7.lab.example');
    const gone = await send(`${NTP}/sources/chosen`, { ids, verb: 'delete', confirm: 'on', at: 'search=list' });
    expect(gone.status).toBe(303);
    expect(await read('?search=list7')).toEqual([]);
    const { body } = await house.send('GET', '/api/v1/audit?limit=20', { token: admin.token });
    const actions = body.items.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === 'ntp.source.delete').length).toBe(2);
    expect(actions.filter((action: string) => action === 'ntp.source.update').length).toBe(2);
  });

  test('one that is refused is named, and none is changed', async () => {
    const id = await add('list9.lab.example');
    const refused = await send(`${NTP}/sources/chosen`, {
      ids: [id, 'source_0000000000000000'],
      verb: 'delete',
      confirm: 'on',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('One of the chosen rows is gone');
    expect(await read('?search=list9')).toEqual(['list9.lab.example']);
  });

  test('a zone with records keeps them all when one of the chosen zones can’t go', async () => {
    const token = admin.token;
    const zones: string[] = [];
    for (const name of ['one.list.test', 'two.list.test']) {
      zones.push((await house.send('POST', '/api/v1/dns/zones', { token, body: { name } })).body.id as string);
    }
    const body = { fqdn: 'a.two.list.test', type: 'A', value: '10.9.9.9' };
    const record = (await house.send('POST', '/api/v1/dns/records', { token, body })).body.id as string;
    const refused = await send('/ui/management/dns/zones/chosen', { ids: zones, verb: 'delete', confirm: 'on' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('two.list.test');
    expect((await house.send('GET', `/api/v1/dns/zones/${zones[0]}`, { token })).status).toBe(200);
    const place = `/ui/management/dns/zones/${zones[1]}`;
    const asked = await send(`${place}/records/chosen`, { ids: record, verb: 'delete', at: 'type=A' });
    expect(asked.text).toContain('Delete this record?');
    const gone = await send(`${place}/records/chosen`, { ids: record, verb: 'delete', confirm: 'on', at: 'type=A' });
    expect([gone.status, gone.headers.location]).toEqual([303, `${place}?type=A`]);
  });
});
