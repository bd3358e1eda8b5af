// Generated names over the API: what is answered, audited and refused; and what many operators at once come to.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, type Heard, House, type Send } from '../../setup/house.ts';

const API = '/api/v1/vcf-helper/generated-fqdns';
const VCF = { catalog: 'vcf-9.1', prefix: 'm01-', domain: 'lab.test', start_ipv4_cidr: '10.20.0.20/24' };

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
});
afterAll(() => house.close());
beforeEach(async () => {
  await house.services.store.write(async (tx) => {
    await tx.run('DELETE FROM dns_record');
    await tx.run('DELETE FROM dhcp_reservation');
    await tx.run('DELETE FROM dns_zone');
  });
  await api('POST', '/api/v1/dns/zones', { name: 'lab.test' });
});

const api = (method: string, path: string, body?: unknown, more: Send = {}): Promise<Heard> =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }), ...more });
const query = (inputs: Record<string, string>) => new URLSearchParams(inputs).toString();
const preview = async (inputs: Record<string, string> = VCF) =>
  (await api('GET', `${API}/preview?${query(inputs)}`)).body;
const record = (fqdn: string, type: string, value: string, description = '') =>
  api('POST', '/api/v1/dns/records', { fqdn, type, value, description });
const records = () =>
  house.services.store.all<{ fqdn: string; value: string; owner_source: string | null }>(
    'SELECT fqdn, value, owner_source FROM dns_record ORDER BY fqdn, value',
  );

describe('over the API', () => {
  test('a preview tells each name its address, and saves nothing', async () => {
    await record('m01-vc01.lab.test', 'A', '10.20.0.5');
    await record('m01-license.lab.test', 'CNAME', 'm01-vc01.lab.test');
    const before = await house.lastAudit();
    const body = await preview();
    expect(body.rows).toHaveLength(17);
    expect(body.rows[0]).toEqual({
      component: 'vc01',
      label: 'vCenter',
      fqdn: 'm01-vc01.lab.test',
      state: 'existing',
      addresses: [
        {
          type: 'A',
          address: '10.20.0.5',
          reverse_name: '5.0.20.10.in-addr.arpa',
          reverse: 'm01-vc01.lab.test',
          generated: false,
        },
      ],
      reason: 'A record made by hand',
      passed_over: [],
      warnings: [],
    });
    expect(body.rows[16]).toMatchObject({ state: 'occupied', reason: 'name has a CNAME record; never overwritten' });
    expect(body).toMatchObject({ to_create: 15, deletable: 0, complete: false });
    expect(body.networks).toMatchObject([{ network: '10.20.0.0/24', free: 235, free_is_exact: true, shortfall: 0 }]);
    expect([await house.lastAudit(), (await records()).length]).toEqual([before, 2]);
  });

  test('creation answers what was created and what was skipped, and is audited once', async () => {
    await record('m01-vc01.lab.test', 'A', '10.20.0.5');
    const before = await house.lastAudit();
    const { status, body } = await api('POST', API, VCF);
    expect(status).toBe(200);
    expect(body.created).toHaveLength(16);
    expect(body.created[0]).toEqual({
      component: 'nsx01',
      label: 'NSX Manager cluster',
      fqdn: 'm01-nsx01.lab.test',
      addresses: [{ type: 'A', address: '10.20.0.20' }],
      reason: '',
    });
    expect(body.skipped).toMatchObject([{ fqdn: 'm01-vc01.lab.test', reason: 'A record made by hand' }]);
    expect([body.deleted, body.preserved, body.errors]).toEqual([[], [], []]);
    expect(await house.audited(before)).toEqual(['vcf_helper.fqdns.create']);
    const audited = await api('GET', '/api/v1/audit?limit=1');
    expect(audited.body.items[0].detail).toMatchObject({ domain: 'lab.test', prefix: 'm01-', created: 16, skipped: 1 });
  });

  test('a record that the helper made shows its owner, and each address its reverse record', async () => {
    await api('POST', API, VCF);
    const { body } = await api('GET', '/api/v1/dns/records?fqdn=m01-vc01.lab.test');
    expect(body.items[0]).toMatchObject({
      description: 'vCenter',
      owner: { source: 'vcf_helper', ref: 'vcf-9.1', component: 'vc01' },
    });
    const now = await preview();
    expect(now.complete).toBe(true);
    expect(
      now.rows.every(
        (row: { addresses: { reverse: string }[]; fqdn: string }) => row.addresses[0]!.reverse === row.fqdn,
      ),
    ).toBe(true);
  });

  test('a second creation creates nothing and says so', async () => {
    await api('POST', API, VCF);
    const { status, body } = await api('POST', API, VCF);
    expect([status, body.created.length, body.skipped.length]).toEqual([200, 0, 17]);
  });

  test('a dry run answers the same and saves nothing', async () => {
    const before = await house.lastAudit();
    const dry = await api('POST', `${API}?dry_run=true`, VCF);
    expect([dry.status, dry.body.created.length]).toEqual([200, 17]);
    expect([await records(), await house.lastAudit()]).toEqual([[], before]);
    expect((await api('POST', API, VCF)).body).toEqual(dry.body);
  });

  test('a shortfall is a conflict at the first address, and nothing is created', async () => {
    const heard = await api('POST', API, { ...VCF, start_ipv4_cidr: '10.20.0.250/24' });
    expect([heard.status, heard.body.error_code]).toEqual([409, 'addresses_exhausted']);
    expect(heard.body.errors).toEqual([
      {
        pointer: '/start_ipv4_cidr',
        detail: expect.stringMatching(/5 free addresses.*17 names need one.*12 are lacking/),
      },
    ]);
    expect(await records()).toEqual([]);
  });

  test('a confirmed preview that does not hold any more is a conflict with the fresh preview', async () => {
    const { digest } = await preview();
    await record('jump01.lab.test', 'A', '10.20.0.25');
    const heard = await api('POST', API, { ...VCF, digest });
    expect([heard.status, heard.body.error_code]).toEqual([409, 'preview_stale']);
    expect(heard.body.preview.rows[5].addresses[0].address).toBe('10.20.0.26');
    expect(await records()).toHaveLength(1);
    expect((await api('POST', API, { ...VCF, digest: heard.body.preview.digest })).body.created).toHaveLength(17);
  });

  const REFUSED: [string, object, string][] = [
    ['a domain that is not managed', { domain: 'nowhere.test' }, '/domain'],
    ['a prefix that is no part of a label', { prefix: 'a.b' }, '/prefix'],
    ['an address without prefix length', { start_ipv4_cidr: '10.20.0.20' }, '/start_ipv4_cidr'],
    ['no first address', { start_ipv4_cidr: undefined }, '/start_ipv4_cidr'],
    ['an unknown catalog', { catalog: 'vcf-1.0' }, '/catalog'],
  ];
  test.each(REFUSED)('%s is refused at its member', async (_what, part, pointer) => {
    const { status, body } = await api('POST', API, { ...VCF, ...part });
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]]);
  });

  test('deletion takes the owned records and tells of each other one why it stays', async () => {
    await record('m01-vc01.lab.test', 'A', '10.20.0.5', 'my own');
    await api('POST', API, VCF);
    await record('m01-nsx01.lab.test', 'TXT', 'a note');
    const before = await house.lastAudit();
    const { start_ipv4_cidr: _start, ...names } = VCF;
    const { status, body } = await api('POST', `${API}/delete`, names);
    expect([status, body.deleted.length]).toEqual([200, 16]);
    expect(body.deleted[0]).toMatchObject({ component: 'nsx01', addresses: [{ type: 'A', address: '10.20.0.20' }] });
    expect(body.preserved.map(({ fqdn, reason }: { fqdn: string; reason: string }) => [fqdn, reason])).toEqual([
      ['m01-vc01.lab.test', 'A record made by hand'],
      ['m01-nsx01.lab.test', 'TXT record'],
    ]);
    expect(await house.audited(before)).toEqual(['vcf_helper.fqdns.delete']);
    expect((await records()).map(({ fqdn }) => fqdn)).toEqual(['m01-nsx01.lab.test', 'm01-vc01.lab.test']);
  });

  test('a check in a rehearsal says plainly that nobody was asked', async () => {
    await api('POST', API, VCF);
    const { status, body } = await api('GET', `${API}/check?${query(VCF)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ server: null, rows: [], passed: false, in_use: [], in_use_asked: 0 });
    expect(body.why_not).toMatch(/Rehearsal: no name server runs/);
  });
});

describe('many at once', () => {
  const SETS = 200;
  /** Room for 119 of the sets: 2,027 addresses. */
  const NETWORK = '10.40.0.20/21';

  async function judge(answers: Heard[]): Promise<{ created: number; refused: string[] }> {
    const saved = await records();
    const values = saved.map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    const sets = Map.groupBy(saved, ({ fqdn }) => fqdn.split('-')[0]!);
    expect([...sets.values()].filter((set) => set.length !== 17)).toEqual([]);
    const created = answers.filter(({ status }) => status === 200).length;
    expect(sets.size).toBe(created);
    const refused = answers
      .filter(({ status }) => status !== 200)
      .map(({ status, body }) => `${status} ${body.error_code}`);
    return { created, refused: [...new Set(refused)] };
  }

  test('200 parallel creations in one network: no address twice, no partial set, the rest a clean conflict', async () => {
    const inputs = Array.from({ length: SETS }, (_, at) => ({ ...VCF, prefix: `s${at}-`, start_ipv4_cidr: NETWORK }));
    const answers = await Promise.all(inputs.map((body) => api('POST', API, body)));
    const { created, refused } = await judge(answers);
    expect(created).toBe(Math.floor(2027 / 17));
    expect(refused).toEqual(['409 addresses_exhausted']);
  }, 300_000);

  test('200 parallel confirmations of the same addresses: one is created, the others get a conflict', async () => {
    const inputs = Array.from({ length: SETS }, (_, at) => ({ ...VCF, prefix: `s${at}-` }));
    const confirmed = await Promise.all(
      inputs.map(async (each) => ({ ...each, digest: (await preview(each)).digest })),
    );
    const answers = await Promise.all(confirmed.map((body) => api('POST', API, body)));
    expect(await judge(answers)).toEqual({ created: 1, refused: ['409 preview_stale'] });
  }, 300_000);

  test('the same set by 50 at once is created once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api('POST', API, VCF)));
    const rows = answers.map(({ body }) => body.created.length);
    expect(rows.sort()).toEqual([...Array.from({ length: 49 }, () => 0), 17]);
    expect(await records()).toHaveLength(17);
  });
});
