// The pages of the name service and their forms: what they show, where they lead, and what a refusal looks like.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';
import { AT, furnishDns, RECORDS } from './scenarios.ts';

let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());
beforeEach(() => furnishDns(house));

const UI = '/ui/management/dns';

describe('the pages of the name service', () => {
  test.each([
    ['the overview shows zones, counts and settings', UI, ['lab.test', 'other.test', 'Listens on', 'Off']],
    ['the settings show every interface', `${UI}/settings`, ['ens192', '10.10.0.5', 'Save settings']],
    ['a new zone', `${UI}/zones/new`, ['Add zone']],
    [
      'a zone shows its records',
      `${UI}/zones/zone_lab`,
      ['vc01.lab.test', '10.20.10.11', 'deployment helper (nsx01)', '3 records'],
    ],
    [
      'a filter of a zone without a match',
      `${UI}/zones/zone_lab?search=nothing&type=TXT&sort=odd`,
      ['No record matches'],
    ],
    [
      'a new record begins in its zone',
      `${UI}/records/new?zone=other.test`,
      ['<option value="other.test" selected', 'Add record'],
    ],
    ['a record', `${UI}/records/rec_vc`, ['value="vc01.lab.test"', 'value="10.20.10.11"', 'Delete record']],
    [
      'a record with an owner has no field for its value',
      `${UI}/records/rec_owned`,
      ['deployment helper (nsx01)', 'Save record'],
    ],
    ['the import', `${UI}/zones/zone_lab/import`, ['Import records', 'lab.test']],
  ])('%s', async (_name, target, facts) => {
    const { status, text } = await house.send('GET', target, { session: admin });
    expect(status).toBe(200);
    for (const fact of facts) expect(text).toContain(fact);
    expect(text).not.toMatch(/ style=/);
  });

  test('a viewer reads every page and finds no way to change anything', async () => {
    for (const target of [UI, `${UI}/settings`, `${UI}/zones/zone_lab`, `${UI}/records/rec_vc`]) {
      const { status, text } = await house.send('GET', target, { session: viewer });
      expect(status).toBe(200);
      expect(text).not.toMatch(/class="btn btn-primary"(?! aria-disabled)/);
    }
  });

  test('a zone is downloaded as CSV', async () => {
    const { status, text, headers } = await house.send('GET', `${UI}/zones/zone_lab/records.csv`, { session: viewer });
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="lab.test.csv"']);
    expect(text.split('\r\n')[3]).toBe(`vc01.lab.test,A,10.20.10.11,,true,,${AT}`);
  });

  test('the file has what the list shows: by its search, type and order', async () => {
    const page = await house.send('GET', `${UI}/zones/zone_lab?search=VC01&type=A&sort=-value`, { session: viewer });
    expect(page.text).toMatch(/records\.csv\?search=VC01&(?:amp;)?type=A&(?:amp;)?sort=-value"/);
    const file = `${UI}/zones/zone_lab/records.csv?search=VC01&type=A&sort=-value`;
    const [, ...rows] = (await house.send('GET', file, { session: viewer })).text.trim().split('\r\n');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(/^vc01\.lab\.test,A,/);
    const values = rows.map((row) => row.split(',')[2]!);
    expect(values).toEqual(values.toSorted().reverse());
  });
});

/** What the form of a page sends when nothing is touched. */
function fieldsIn(text: string): Record<string, string> {
  const form = /<form[^>]*aria-label="Edit.*?<\/form>/s.exec(text)?.[0] ?? '';
  const inputs = [...form.matchAll(/<input [^>]*>/g)].map(([input]) => {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
    const sent = of('type') !== 'checkbox' || / checked/.test(input);
    return sent ? [of('name'), of('value').replaceAll('&quot;', '"')] : [];
  });
  return Object.fromEntries(inputs.filter(([name]) => name && name !== 'csrf')) as Record<string, string>;
}

describe('a record that somebody else changes while its form is open', () => {
  const PAGE = `${UI}/records/rec_vc`;
  const API = '/api/v1/dns/records/rec_vc';
  const open = async () => fieldsIn((await house.send('GET', PAGE, { session: admin })).text);
  const post = (form: Record<string, string>) => house.send('POST', PAGE, { session: admin, form });
  const elsewhere = (body: object) => house.send('PATCH', API, { token: admin.token, body });
  const saved = async () => (await house.send('GET', API, { token: admin.token })).body;

  test('keeps what others saved and what was typed here, with one press', async () => {
    const form = await open();
    await elsewhere({ description: 'Theirs' });
    const stale = await post({ ...form, value: '10.20.10.77' });
    expect(stale.status).toBe(412);
    expect(stale.text).toContain('Your changes do not conflict: Value. Taken from what is saved now: Description.');
    expect(stale.text).not.toContain('You typed');
    expect((await post(fieldsIn(stale.text))).status).toBe(303);
    expect(await saved()).toMatchObject({ value: '10.20.10.77', description: 'Theirs' });
  });

  test('is asked about in the fields that both changed, and in no other', async () => {
    const form = await open();
    await elsewhere({ description: 'Theirs', value: '10.20.10.99' });
    const stale = await post({ ...form, value: '10.20.10.77' });
    expect(stale.text).toMatch(/Changed by both.*10\.20\.10\.99.*10\.20\.10\.77/s);
    expect(stale.text).not.toMatch(/<th[^>]*>Description/);
    expect(fieldsIn(stale.text)).toMatchObject({ value: '10.20.10.77', description: 'Theirs' });
  });

  test('is noticed even when the form was refused for another reason in between', async () => {
    const form = await open();
    await elsewhere({ description: 'Theirs' });
    const refused = await post({ ...form, description: 'x'.repeat(501) });
    expect(refused.status).toBe(422);
    const again = await post({ ...fieldsIn(refused.text), description: '', value: '10.20.10.77' });
    expect(again.status).toBe(412);
    expect(fieldsIn(again.text)).toMatchObject({ description: 'Theirs', value: '10.20.10.77' });
  });

  test('is merged again when it changes once more', async () => {
    const form = await open();
    await elsewhere({ description: 'First' });
    const once = await post({ ...form, value: '10.20.10.77' });
    await elsewhere({ description: 'Second' });
    const twice = await post(fieldsIn(once.text));
    expect([twice.status, fieldsIn(twice.text).description]).toEqual([412, 'Second']);
  });
});

interface Posted {
  name: string;
  target: string;
  form: Record<string, string | string[]>;
  status: number;
  /** Where a 303 leads to. */
  location?: string | RegExp;
  /** What the page says when it is shown again. */
  shows?: string[];
  audited?: string[];
}

const LINES = `# the lab
esx02 A 10.20.10.22
10.20.10.23 esx03 esx03-vmk.lab.test
_ldap._tcp SRV 0 100 389 vc01.lab.test
@ 3600 IN TXT "v=spf1 -all"
10.20.10.11 PTR vc01`;

const POSTED: Posted[] = [
  {
    name: 'a zone is added',
    target: `${UI}/zones/new`,
    form: { name: 'new.test', description: '', enabled: 'true' },
    status: 303,
    location: /^\/ui\/management\/dns\/zones\/zone_\w+$/,
    audited: ['dns.zone.create'],
  },
  {
    name: 'a zone that exists is refused beside its field',
    target: `${UI}/zones/new`,
    form: { name: 'lab.test', description: 'Typed', enabled: 'true' },
    status: 409,
    shows: ['href="#name"', 'id="name-error"', 'value="lab.test"', 'value="Typed"'],
  },
  {
    name: 'a zone is changed',
    target: `${UI}/zones/zone_lab`,
    form: { description: 'Lab', enabled: 'true', revision: '3' },
    status: 303,
    location: `${UI}/zones/zone_lab`,
    audited: ['dns.zone.update'],
  },
  {
    name: 'a stale zone form comes back filled in, with what is saved now',
    target: `${UI}/zones/zone_lab`,
    form: { description: 'Mine', enabled: 'true', revision: '2' },
    status: 412,
    shows: ['value="Mine"', 'name="revision" value="3"', 'Nothing was saved: lab.test changed'],
  },
  {
    name: 'a zone that is still needed is not deleted, and its page says why',
    target: `${UI}/zones/zone_lab/delete?with_records=true`,
    form: { revision: '3' },
    status: 409,
    shows: ['Alias www.other.test', '/ui/management/dns/records/rec_alias'],
  },
  {
    name: 'a zone is deleted with its records',
    target: `${UI}/zones/zone_other/delete?with_records=true`,
    form: { revision: '3' },
    status: 303,
    location: UI,
    audited: ['dns.zone.delete'],
  },
  {
    name: 'a record is added below its zone',
    target: `${UI}/records/new`,
    form: { fqdn: 'vc02', zone: 'lab.test', type: 'A', value: '10.20.10.14', description: '', enabled: 'true' },
    status: 303,
    location: `${UI}/zones/zone_lab`,
    audited: ['dns.record.create'],
  },
  {
    name: 'a reverse record is added by its address, and the form goes on',
    target: `${UI}/records/new`,
    form: {
      fqdn: '10.20.10.11',
      zone: 'lab.test',
      type: 'PTR',
      value: 'vc01.lab.test',
      enabled: 'true',
      next: 'another',
    },
    status: 303,
    location: `${UI}/records/new?zone=lab.test&type=PTR`,
    audited: ['dns.record.create'],
  },
  {
    name: 'a wrong value is refused beside its field, with what was typed',
    target: `${UI}/records/new`,
    form: { fqdn: 'vc02', zone: 'other.test', type: 'A', value: '10.20.10.300', description: 'Typed', enabled: 'true' },
    status: 422,
    shows: [
      'href="#value"',
      'id="value-error"',
      'value="10.20.10.300"',
      'value="vc02"',
      '<option value="other.test" selected',
    ],
  },
  {
    name: 'a record that exists is refused beside its name',
    target: `${UI}/records/new`,
    form: { fqdn: 'vc01', zone: 'lab.test', type: 'A', value: '10.20.10.11', enabled: 'true' },
    status: 409,
    shows: ['id="fqdn-error"', 'The same record exists already.'],
  },
  {
    name: 'a record is changed, and switched off by an unchecked box',
    target: `${UI}/records/rec_vc`,
    form: { fqdn: 'vc01.lab.test', value: '10.20.10.15', description: '', revision: '3' },
    status: 303,
    location: `${UI}/zones/zone_lab`,
    audited: ['dns.record.update'],
  },
  {
    name: 'a stale record form comes back filled in, with what is saved now',
    target: `${UI}/records/rec_vc`,
    form: { fqdn: 'vc01.lab.test', value: '10.20.10.15', description: '', enabled: 'true', revision: '2' },
    status: 412,
    shows: ['value="10.20.10.15"', 'Nothing was saved: vc01.lab.test changed', '10.20.10.11'],
  },
  {
    name: 'a record whose name and value are wrong names both',
    target: `${UI}/records/rec_vc`,
    form: { fqdn: 'no name', value: 'no address', description: '', enabled: 'true', revision: '3' },
    status: 422,
    shows: ['id="fqdn-error"', 'id="value-error"'],
  },
  {
    name: 'a record is deleted',
    target: `${UI}/records/rec_vc/delete`,
    form: { revision: '3', zone_id: 'zone_lab' },
    status: 303,
    location: `${UI}/zones/zone_lab`,
    audited: ['dns.record.delete'],
  },
  {
    name: 'each fault of an import is named by its line, with what would become of the others',
    target: `${UI}/zones/zone_lab/import`,
    form: {
      csv: '# one\nesx02 A 10.20.10.22\nesx03 A 10.20.10.300\nwhat\nvc01 A 10.20.10.11\nesx02 A 10.20.10.22',
      dry_run: 'true',
    },
    status: 200,
    shows: [
      '1 new, 0 changed, 0 same, 1 left as they are, 3 refused. Nothing is saved yet',
      'Must be an IPv4 address',
      'This record is on line 2 already.',
      '# one\nesx02 A',
      'vc01.lab.test A 10.20.10.11',
    ],
  },
  {
    name: 'an import without a preview is refused',
    target: `${UI}/zones/zone_lab/import`,
    form: { csv: LINES },
    status: 422,
    shows: ['Look at the preview first.', 'href="#csv"', '@ 3600 IN TXT'],
  },
  {
    name: 'a preview of an import saves nothing and says what would be added',
    target: `${UI}/zones/zone_lab/import`,
    form: { csv: LINES, dry_run: 'true' },
    status: 200,
    shows: ['6 new, 0 changed, 0 same, 0 refused. Nothing is saved yet.', 'esx03-vmk.lab.test', '>Import</button>'],
  },
  {
    name: 'an import of nothing is refused',
    target: `${UI}/zones/zone_lab/import`,
    form: { csv: '# nothing', dry_run: 'true' },
    status: 422,
    shows: ['The file has no rows.', 'href="#csv"'],
  },
  {
    name: 'settings are saved',
    target: `${UI}/settings`,
    form: {
      enabled: 'true',
      listen_interfaces: ['ens192'],
      upstream_servers: '10.0.0.53\n10.0.1.53#5353',
      ttl_seconds: '60',
      cache_size: '500',
      domain: 'lab.test',
      revision: '0',
    },
    status: 303,
    location: UI,
    audited: ['dns-dhcp.settings.update'],
  },
  {
    name: 'wrong settings are refused beside their fields, with what was typed',
    target: `${UI}/settings`,
    form: {
      enabled: 'true',
      upstream_servers: 'nonsense',
      ttl_seconds: 'x',
      cache_size: '500',
      domain: '',
      revision: '0',
    },
    status: 422,
    shows: ['href="#upstream_servers"', 'id="ttl_seconds-error"', '>nonsense</textarea>', 'value="x"'],
  },
];

describe('the forms of the name service', () => {
  test.each(POSTED)('$name', async ({ target, form, status, location, shows = [], audited = [] }) => {
    const before = await house.lastAudit();
    const answer = await house.send('POST', target, { session: admin, form });
    expect([answer.status, answer.text.slice(0, answer.status === 303 ? 500 : 0)]).toEqual([status, '']);
    if (location instanceof RegExp) expect(answer.headers.location).toMatch(location);
    else if (location) expect(answer.headers.location).toBe(location);
    for (const shown of shows) expect(answer.text).toContain(shown);
    expect(await house.audited(before)).toEqual(audited);
    const forged = await house.send('POST', target, { session: { ...admin, csrf: 'forged' }, form });
    expect(forged.status).toBe(403);
  });

  test('what was imported is what the lines said', async () => {
    const target = `${UI}/zones/zone_lab/import`;
    const shown = await house.send('POST', target, { session: admin, form: { csv: LINES, dry_run: 'true' } });
    const previewed = /name="previewed" value="([0-9a-f]{64})"/.exec(shown.text)![1]!;
    const before = await house.lastAudit();
    const saved = await house.send('POST', target, { session: admin, form: { csv: LINES, previewed } });
    expect([saved.status, saved.headers.location]).toEqual([303, `${UI}/zones/zone_lab`]);
    expect(decodeURIComponent(String(saved.headers['set-cookie'] ?? saved.cookies))).toContain('6 records added');
    expect(await house.audited(before)).toEqual(['dns.record.create_many']);
    // The same again: what is there stays, and there is nothing to save.
    const again = await house.send('POST', target, { session: admin, form: { csv: LINES, dry_run: 'true' } });
    expect(again.text).toContain('0 new, 0 changed, 0 same, 6 left as they are, 0 refused.');
    expect(again.text).not.toContain('>Import</button>');
    expect((await house.send('POST', target, { session: admin, form: { csv: LINES, previewed } })).status).toBe(409);
    const { body } = await house.send('GET', `${RECORDS}?zone=lab.test`, { token: admin.token });
    const lines = body.items.map((each: Record<string, string>) => `${each.fqdn} ${each.type} ${each.value}`);
    expect(lines).toEqual([
      '11.10.20.10.in-addr.arpa PTR vc01.lab.test',
      '_ldap._tcp.lab.test SRV 0 100 389 vc01.lab.test',
      'esx01.sub.lab.test A 10.20.10.21',
      'esx02.lab.test A 10.20.10.22',
      'esx03-vmk.lab.test A 10.20.10.23',
      'esx03.lab.test A 10.20.10.23',
      'lab.test TXT v=spf1 -all',
      'nsx01.lab.test A 10.20.10.12',
      'vc01.lab.test A 10.20.10.11',
    ]);
  });
});
