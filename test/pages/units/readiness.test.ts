// What each service still needs, as its page says: the list in place of an empty service, the notice over one that is
// filled and off, and the first steps, which tick what is in force alone.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WORDS } from '../../../pages/units/readiness-words.ts';
import { type Readiness, readinesses } from '../../../shared/appliance/readiness/readiness.ts';
import { SUBJECTS, type Subject } from '../../../shared/appliance/readiness/subjects.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { applyAll } from '../../setup/depot.ts';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
});
afterAll(() => house.close());

const look = async (path: string, as = admin): Promise<string> => {
  const { status, text } = await house.send('GET', path, { session: as });
  expect(status).toBe(200);
  return text;
};
const api = async (method: string, path: string, body: object) => {
  const { status, body: answer, text } = await house.send(method, path, { token: admin.token, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return answer;
};
const of = async (subject: Subject): Promise<Readiness> => (await readinesses(house.services)).get(subject)!;
const openOf = ({ steps }: Readiness): string[] => steps.filter(({ saved }) => !saved).map(({ step }) => step);
/** Label → whether the first step is ticked, saved or to do. */
const firstSteps = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<span class="vh">(done|saved, not applied|to do): <\/span>.*?<b>(.*?)<\/b>/g)].map(
      ([, state, label]) => [label, state],
    ),
  );

test('every step of every subject has its words', () => {
  for (const [subject, { order }] of Object.entries(SUBJECTS)) {
    expect(Object.keys(WORDS[subject as Subject].steps)).toEqual(order.map(([step]) => step));
  }
});

test('first steps of a new appliance: what was found is saved, and nothing is ticked', async () => {
  expect(firstSteps(await look(pagePath('overview')))).toEqual({
    Network: 'saved, not applied',
    Names: 'to do',
    DHCP: 'to do',
    Time: 'to do',
    Trust: 'to do',
    'First apply': 'to do',
    'VCF names': 'to do',
  });
});

test('a reader sees the first steps of what he may read', async () => {
  const steps = firstSteps(await look(pagePath('overview'), await house.actor('service-admin')));
  expect(Object.keys(steps)).not.toContain('Network');
  expect(Object.keys(steps)).toContain('Names');
});

test.each([
  ['dns', pagePath('dns'), 'Add zone: Zone', `${pagePath('dns-settings')}?on=yes`],
  ['dhcp', pagePath('dhcp'), 'Add scope: Scope', `${pagePath('dhcp-settings')}?on=yes`],
  ['ntp', pagePath('ntp'), 'Add source: Time source', `${pagePath('ntp-settings')}?on=yes`],
  ['firewall', pagePath('firewall'), 'Review changes: Applied', pagePath('apply')],
  ['storage', pagePath('storage'), 'Add volume: Volume', `${pagePath('storage-volumes')}/new`],
  ['network-boot', pagePath('network-boot'), 'Add medium: Installer medium', `${pagePath('kickstarts')}/new`],
  [
    'private-cloud-services',
    pagePath('offline-depot'),
    'Generate it: Software depot ID',
    pagePath('software-depot-id'),
  ],
  ['kms', pagePath('kms'), 'Add provider: Key provider', `${pagePath('kms-providers')}/new`],
  ['ldap', pagePath('ldap'), 'Add organization: Organization', `${pagePath('ldap-settings')}?on=yes`],
  ['oidc', pagePath('oidc'), 'Choose them: Listen interfaces', `${pagePath('oidc')}?on=yes`],
  ['web-terminal', pagePath('web-terminal'), 'Choose them: Listen interfaces', `${pagePath('web-terminal')}?on=yes`],
] as const)('%s: an empty service says what is missing, with the way to it', async (subject, path, button, way) => {
  const html = await look(path);
  expect(html).toContain(`id="ready-${subject}"`);
  expect(html).toContain(button);
  expect(html).toContain(way);
  expect(html).not.toContain('data-off=');
});

test('a viewer is told what is missing and gets no button', async () => {
  const html = await look(pagePath('dns'), await house.actor('viewer'));
  expect(html).toContain('id="ready-dns"');
  expect(html).not.toContain('Add zone');
});

test('a page of settings is shown with the service on to whoever comes to switch it on', async () => {
  expect(await look(pagePath('dns-settings'))).not.toMatch(/name="enabled"[^>]* checked/);
  const html = await look(`${pagePath('dns-settings')}?on=yes`);
  expect(html).toMatch(/name="enabled"[^>]* checked/);
  // Of three interfaces one has an address.
  expect(html).toMatch(/value="ens192"[^>]* checked/);
  expect((await of('dns')).on).toBe(false);
});

test('lists that are filled while the service is off say so', async () => {
  const zone = await api('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  await api('POST', '/api/v1/dns/records', { fqdn: 'vc01.lab.example', type: 'A', value: '10.10.0.10' });
  await api('POST', '/api/v1/dhcp/scopes', { name: 'lab', interface: 'ens192', subnet_cidr: '10.10.0.0/24' });
  for (const path of [pagePath('dns'), pagePath('dns-zone', zone.id)]) {
    const html = await look(path);
    expect(html).toContain('<b>DNS is off:</b> these zones and records are saved');
    expect(html).toContain(`href="${pagePath('dns-settings')}?on=yes">Switch it on</a>`);
  }
  expect(await look(pagePath('dhcp'))).toContain('<b>DHCP is off:</b> these scopes are saved, but not in force.');
  expect(openOf(await of('dns'))).toEqual(['enabled', 'applied']);
  expect(openOf(await of('dhcp'))).toEqual(['enabled', 'applied']);
});

test('the root certificate and custody come with one button', async () => {
  const page = pagePath('certificate-authority');
  expect(await look(page)).toContain('Make the root certificate and switch custody on');
  const before = await house.lastAudit();
  expect((await house.send('POST', page, { session: admin, form: {} })).status).toBe(303);
  expect(await house.audited(before)).toEqual(['certificate-authority.settings.update', 'certificate.root.create']);
  expect((await of('certificate-authority')).steps.every(({ done }) => done)).toBe(true);
  expect((await of('private-cloud-services')).steps[0]).toMatchObject({ step: 'root', done: true });
  expect(await look(page)).not.toContain('id="ready-certificate-authority"');
});

test('a depot user is added, then chosen; open access needs none', async () => {
  const steps = async () => openOf(await of('private-cloud-services')).filter((step) => /user/.test(step));
  expect(await steps()).toEqual(['user', 'http_user']);
  await api('PATCH', '/api/v1/private-cloud-services/settings', { allow_unauthenticated_access: true });
  expect(await steps()).toEqual([]);
  await api('PATCH', '/api/v1/private-cloud-services/settings', { allow_unauthenticated_access: false });
  await api('POST', '/api/v1/private-cloud-services/http-users', { name: 'vcf', password: 'a password of the depot' });
  expect(await steps()).toEqual(['http_user']);
  expect(await look(pagePath('offline-depot'))).toContain('Choose it: Access');
});

test('a boot host without medium is not in use', async () => {
  await api('POST', '/api/v1/network-boot/esxi-hosts', {
    hostname: 'esx01.lab.example',
    mac_address: '00:50:56:01:02:03',
  });
  const html = await look(pagePath('network-boot'));
  expect(html).toContain('Needs a medium and a Kickstart');
  expect(html).not.toContain('>In use<');
  expect(openOf(await of('network-boot'))).toContain('host');
});

test('an apply ticks what it put in force; what is saved later is saved, not applied', async () => {
  await api('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] });
  expect(firstSteps(await look(pagePath('overview'))).Names).toBe('saved, not applied');
  await applyAll(house, api);
  expect(firstSteps(await look(pagePath('overview')))).toMatchObject({
    Network: 'done',
    Names: 'done',
    DHCP: 'to do',
    Trust: 'done',
    'First apply': 'done',
  });
  expect(await look(pagePath('dns'))).not.toContain('id="ready-dns"');
  await api('PATCH', '/api/v1/dhcp/settings', { enabled: true });
  expect(firstSteps(await look(pagePath('overview')))).toMatchObject({
    Names: 'done',
    DHCP: 'saved, not applied',
  });
});
