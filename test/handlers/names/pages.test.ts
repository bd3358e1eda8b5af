// The dialog "Generate FQDNs" as a browser meets it: the preview, the confirmed steps, and what is refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, type Heard, House, type Send } from '../../setup/house.ts';

const API = '/api/v1/vcf-helper/generated-fqdns';
const PAGE = '/ui/management/vcf-helper';
const FORM = `${PAGE}/generated-fqdns`;
const VCF = { catalog: 'vcf-9.1', prefix: 'm01-', domain: 'lab.test', start_ipv4_cidr: '10.20.0.20/24' };
const DIALOG = { tool: 'generated-fqdns', ...VCF };

let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  viewer = await house.actor('viewer', undefined, 'vic');
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
const page = (inputs: Record<string, string> = DIALOG, session = admin) =>
  house.send('GET', `${PAGE}?${query(inputs)}`, { session });
const record = (fqdn: string, type: string, value: string, description = '') =>
  api('POST', '/api/v1/dns/records', { fqdn, type, value, description });
const records = () =>
  house.services.store.all<{ fqdn: string; value: string; owner_source: string | null }>(
    'SELECT fqdn, value, owner_source FROM dns_record ORDER BY fqdn, value',
  );
const text = ({ text: html }: Heard) =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

describe('in the browser', () => {
  const confirmed = async (inputs: Record<string, string> = VCF) => ({
    ...inputs,
    digest: (await preview(inputs)).digest,
    confirm: 'on',
  });
  const create = async (more: Record<string, string> = {}, session = admin, headers = {}) =>
    house.send('POST', FORM, { session, form: { ...(await confirmed()), ...more }, headers });

  test('the page shows the tools, and of those that the reader may not use why', async () => {
    const heard = await page({});
    expect(heard.status).toBe(200);
    const titles = [...heard.text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title).join(', ');
    expect(titles).toBe(
      'Generate FQDNs, Deploy SDDC Manager, Configure offline depot, Certificate trust, Import passwords',
    );
    expect(text(heard).match(/Not available/g)).toHaveLength(1);
    expect(heard.text).not.toMatch(/<dialog/);
    const viewer = await house.send('GET', PAGE, { session: await house.actor('viewer') });
    expect(text(viewer).match(/Not available/g)).toHaveLength(4);
  });

  test('a deployment without an OVA is not begun: the page says why and leads to the depot', async () => {
    const heard = await page({});
    expect(text(heard)).toContain('The offline depot has no OVA of a service manager. Upload an OVA');
    expect(heard.text).toMatch(/<a href="\/ui\/management\/offline-depot">Upload an OVA<\/a>/);
    expect(heard.text).not.toContain(`href="${PAGE}/sddc-manager"`);
  });

  test('the page lists the deployments that have generated names', async () => {
    await api('POST', API, { ...VCF, suffix: '-a' });
    await api('POST', API, { ...VCF, catalog: 'vvf-9.1', prefix: '' });
    const heard = await page({});
    expect(text(heard)).toMatch(/m01-\*-a\.lab\.test VCF 9\.1 17 17/);
    expect(text(heard)).toMatch(/ \*\.lab\.test VVF 9\.1 6 6/);
  });

  test('the dialog shows what would be created, with everything that has to be confirmed', async () => {
    await record('jump01.lab.test', 'A', '10.20.0.22');
    const heard = await page();
    expect(heard.text).not.toMatch(/ style=/);
    const said = text(heard);
    for (const part of [
      'm01-license.lab.test License Server 10.20.0.37 planned',
      'passed over .22: used, jump01.lab.test',
      'Create 17 A records in lab.test',
      'VCF services runtime nodes need 30 addresses',
    ])
      expect(said).toContain(part);
    expect(heard.text).toMatch(
      /aria-label="10\.20\.0\.0\/24: 1 used, 0 reserved, 17 planned, no pool, no gateway, next free \.38"/,
    );
    expect(heard.text).toContain(`name="digest" value="${(await preview()).digest}"`);
    expect(said).toMatch(/Delete generated… , none of the names has an address/);
  });

  test('without a zone it says what to do first', async () => {
    await house.services.store.write((tx) => tx.run('DELETE FROM dns_zone'));
    expect(text(await page({ tool: 'generated-fqdns' }))).toContain('There is no managed zone yet');
  });

  test('creation leads back to the open dialog, which is done when every name has an address', async () => {
    const before = await house.lastAudit();
    const heard = await create();
    expect(heard.status).toBe(303);
    expect(heard.headers.location).toBe(`${PAGE}?${query({ ...DIALOG })}`);
    expect(decodeURIComponent(heard.cookies.join())).toContain('17 records created.');
    expect(await house.audited(before)).toEqual(['vcf_helper.fqdns.create']);
    const done = await house.send('GET', heard.headers.location!, { session: admin });
    expect(text(done)).toContain('Every name has an address.');
    expect(done.text).toMatch(/<a class="btn btn-primary" href="\/ui\/management\/vcf-helper">\s*Done/);
    // While the name service is off, an apply would change nothing.
    expect(done.text).not.toContain('Review DNS and DHCP');
    await api('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] });
    const on = await house.send('GET', heard.headers.location!, { session: admin });
    await api('PATCH', '/api/v1/dns-dhcp/settings', { enabled: false });
    expect(on.text).toContain('Review DNS and DHCP');
  });

  test('is refused unless it is confirmed, with everything that was typed', async () => {
    const { confirm: _without, ...form } = await confirmed();
    const heard = await house.send('POST', FORM, { session: admin, form });
    expect(heard.status).toBe(422);
    expect(text(heard)).toContain('Tick it to confirm');
    expect(heard.text).toContain('value="10.20.0.20/24"');
    expect(heard.text).toMatch(/id="confirm"[^>]* aria-invalid="true"/);
    expect(await records()).toEqual([]);
  });

  test('a fault stands at its field, with what was typed', async () => {
    const heard = await create({ prefix: 'm_' });
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(/<p class="err" id="prefix-error">/);
    expect(heard.text).toMatch(/name="prefix" [^>]*value="m_"|value="m_"[^>]* name="prefix"/);
    const looked = await page({ ...DIALOG, start_ipv4_cidr: '10.20.0' });
    expect(looked.status).toBe(200);
    expect(looked.text).toMatch(/id="start_ipv4_cidr-error"/);
  });

  test('a shortfall is shown before, and cannot be created', async () => {
    const short = { ...VCF, start_ipv4_cidr: '10.20.0.250/24' };
    const looked = await page({ ...DIALOG, ...short });
    expect(text(looked)).toMatch(
      /5 free addresses from 10\.20\.0\.250 on, and 17 names need one \(A\): 12 are lacking/,
    );
    expect(looked.text).not.toMatch(/id="create-names"/);
    const heard = await house.send('POST', FORM, { session: admin, form: await confirmed(short) });
    expect([heard.status, await records()]).toEqual([409, []]);
    expect(heard.text).toMatch(/id="start_ipv4_cidr-error"/);
  });

  test('two operators who confirmed the same addresses: the second sees a fresh preview', async () => {
    const [one, two] = [
      { ...VCF, prefix: 'a-' },
      { ...VCF, prefix: 'b-' },
    ];
    const [first, second] = [await confirmed(one), await confirmed(two)];
    expect((await house.send('POST', FORM, { session: admin, form: first })).status).toBe(303);
    const heard = await house.send('POST', FORM, { session: admin, form: second });
    expect(heard.status).toBe(409);
    expect(text(heard)).toContain('Nothing was created: the addresses changed after your preview');
    expect(text(heard)).toContain('b-vc01.lab.test vCenter 10.20.0.37 planned');
    const digest = /name="digest" value="(\w+)"/.exec(heard.text)![1]!;
    expect((await house.send('POST', FORM, { session: admin, form: { ...second, digest } })).status).toBe(303);
  });

  test('deletion is confirmed first: what goes, what stays and why', async () => {
    await record('m01-vc01.lab.test', 'A', '10.20.0.5', 'my own');
    await api('POST', API, VCF);
    const bar = await page({ ...DIALOG, confirm: 'delete' });
    expect(text(bar)).toMatch(
      /Delete 16 generated records\? Only what the helper generated, and only the names of VCF 9\.1 as m01-\*\.lab\.test/,
    );
    expect(text(bar)).toMatch(/Preserved: m01-vc01 ?, A record made by hand/);
    const { confirm: _without, ...form } = { ...VCF, confirm: 'on' };
    expect((await house.send('POST', `${FORM}/delete`, { session: admin, form })).status).toBe(422);
    const heard = await house.send('POST', `${FORM}/delete`, { session: admin, form: { ...VCF, confirm: 'on' } });
    expect([heard.status, heard.headers.location]).toEqual([303, `${PAGE}?${query(DIALOG)}`]);
    expect(decodeURIComponent(heard.cookies.join())).toContain('16 records deleted, 1 name preserved.');
    expect(await records()).toMatchObject([{ fqdn: 'm01-vc01.lab.test' }]);
  });

  test('a script that asks for JSON gets rows in place of the next page', async () => {
    const json = { accept: 'application/json' };
    const created = await create({}, admin, json);
    expect([created.status, created.headers['content-type']]).toEqual([200, 'application/json']);
    expect([created.body.created.length, created.body.errors]).toEqual([17, []]);
    const looked = await house.send('GET', `${FORM}/preview?${query(VCF)}`, { session: admin, headers: json });
    expect(looked.body).toEqual(await preview());
    const gone = await house.send('POST', `${FORM}/delete`, {
      session: admin,
      form: { ...VCF, confirm: 'on' },
      headers: json,
    });
    expect([gone.status, gone.body.deleted.length]).toEqual([200, 17]);
    const refused = await create({ start_ipv4_cidr: 'x' }, admin, json);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/start_ipv4_cidr']);
  });

  test('who may only read sees everything and can change nothing', async () => {
    const heard = await page(DIALOG, viewer);
    expect(heard.status).toBe(200);
    expect(heard.text).toMatch(/aria-disabled="true"[^>]*>Create 17 records/);
    expect((await create({}, viewer)).status).toBe(403);
  });

  test('the check is shown with what was asked', async () => {
    const said = text(await page({ ...DIALOG, check: 'true' }));
    expect(said).toContain('What an installer would see');
    expect(said).toContain('Rehearsal: no name server runs');
    // Its packets go to addresses that a link may name.
    const reader = await page({ ...DIALOG, check: 'true' }, viewer);
    expect(text(reader)).not.toContain('What an installer would see');
    expect(reader.text).not.toContain('Check on the network');
  });

  test('the names leave as hosts file, CSV and JSON for the installer', async () => {
    await record('m01-vidb.lab.test', 'CNAME', 'm01-vc01.lab.test');
    await api('POST', API, { ...VCF, start_ipv6_cidr: 'fd00:20::20/64' });
    const file = (format: string) => house.send('GET', `${FORM}/export/${format}?${query(VCF)}`, { session: admin });
    const hosts = await file('hosts');
    expect(hosts.headers['content-disposition']).toBe('attachment; filename="vcf-9.1-lab.test-hosts"');
    expect(hosts.text.split('\n').slice(0, 2)).toEqual([
      '10.20.0.20 m01-vc01.lab.test m01-vc01',
      'fd00:20::20 m01-vc01.lab.test m01-vc01',
    ]);
    expect(hosts.text).toContain('# no address yet: m01-vidb.lab.test  Identity Broker');
    const csv = (await file('csv')).text.split('\r\n');
    expect(csv[1]).toBe(
      'vc01,vCenter,m01-vc01.lab.test,existing,A,10.20.0.20,20.0.20.10.in-addr.arpa,m01-vc01.lab.test',
    );
    expect(JSON.parse((await file('installer')).text)).toEqual({
      dnsSpec: { subdomain: 'lab.test' },
      sddcManagerSpec: { hostname: 'm01-sddcm' },
      vcenterSpec: { vcenterHostname: 'm01-vc01' },
      nsxtSpec: {
        vipFqdn: 'm01-nsx01.lab.test',
        nsxtManagers: [{ hostname: 'm01-nsx02' }, { hostname: 'm01-nsx03' }, { hostname: 'm01-nsx04' }],
      },
      vcfOperationsSpec: {
        nodes: [
          { hostname: 'm01-ops01', type: 'master' },
          { hostname: 'm01-ops02', type: 'replica' },
          { hostname: 'm01-ops03', type: 'data' },
        ],
      },
      vcfOperationsCollectorSpec: { hostname: 'm01-collector' },
      vcfAutomationSpec: { hostname: 'm01-auto-vip' },
      vspClusterSpec: {
        platformFqdn: 'm01-vsp01.lab.test',
        instanceFqdn: 'm01-shared01.lab.test',
        fleetFqdn: 'm01-fleetlcm.lab.test',
      },
    });
    const vvf = await house.send('GET', `${FORM}/export/installer?${query({ ...VCF, catalog: 'vvf-9.1' })}`, {
      session: admin,
    });
    expect(Object.keys(JSON.parse(vvf.text))).toEqual([
      'dnsSpec',
      'vcenterSpec',
      'vcfOperationsSpec',
      'vspClusterSpec',
    ]);
  });
});
