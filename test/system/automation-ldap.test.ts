// The wizard for VCF Automation with a directory that is really there (needs root): slapd in a network namespace, and a product
// in another that signs in at it over LDAPS, with nothing but the root certificate that it was given.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { realDirectory, startVcfAutomation, type VcfAutomation } from '../fakes/vcf-automation.ts';
import { AUTOMATION } from '../setup/automation-ldap-house.ts';
import { serverOf } from '../setup/automation-ldap-scene.ts';
import { permitLoopback } from '../setup/remote-scene.ts';
import { Walk } from '../setup/wizard-walk.ts';
import { ADDRESS, Directory, NAME } from './directory-scene.ts';

const SECRETS = { ada: 'quarrel-velvet-onion-71', reader: 'tundra-fiddle-gravel-08' };
const SLOW = 180_000;

let directory: Directory;
let product: VcfAutomation;

beforeAll(async () => {
  directory = await Directory.open();
  const { house, admin } = directory;
  await directory.api('PATCH', 'ldap/settings', {
    ...{ enabled: true, hostname: NAME, listen_interfaces: ['lab0'], password_max_failures: 3 },
  });
  const { id: organization_id } = await directory.api('POST', 'ldap/organizations', { slug: 'lab', suffix: 'o=lab' });
  const ada = await directory.api('POST', 'ldap/users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  await directory.api('POST', 'ldap/groups', { organization_id, name: 'operators', member_users: ['ada'] });
  await directory.api('POST', 'ldap/groups', { organization_id, name: 'admins', member_groups: ['operators'] });
  const reader = await directory.api('POST', 'ldap/bind-accounts', { organization_id, name: 'automation' });
  await directory.api('POST', `ldap/users/${ada.id}/password`, { password: SECRETS.ada });
  await directory.api('POST', `ldap/bind-accounts/${reader.id}/password`, { password: SECRETS.reader });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
  await permitLoopback(house, admin);
  product = await startVcfAutomation({
    directory: realDirectory({
      async run(program, args, ca) {
        const { code, out } = directory.client(program, args, ca);
        return { code, stdout: out };
      },
      addressOf: (host) => (host === NAME ? ADDRESS : host),
    }),
  });
}, SLOW);
afterAll(async () => {
  await product?.stop();
  await directory?.close();
});

/** As the forms have it, to the end of the job. */
async function set(group: string, replace: string | null) {
  const { house, admin } = directory;
  const walk = await new Walk(house, admin).open(AUTOMATION);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  await walk.send('Server', { server: serverOf(product) });
  await walk.send('Fingerprint', { confirm: 'yes' });
  await walk.send('Login', product.account);
  const chosen = { account: 'lab/automation', group, user: 'ada', role: 'urn:vcloud:role:2', replace };
  await walk.send('Directory', chosen);
  const passwords = { bind_password: SECRETS.reader, user_password: SECRETS.ada };
  await walk.send('Configure', { password: product.account.password, ...passwords });
  await house.appliance.runner.idle();
  return directory.api('GET', `jobs/${walk.at.split('/').at(-1)}`);
}

test(
  'a user of a group in the group signs in there, and is out as soon as she is disabled',
  async () => {
    const job = await set('lab/admins', null);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect(product.settings).toMatchObject({ definedSettings: { hostName: NAME, port: 636, ssl: true } });

    const [{ id }] = (await directory.api('GET', 'ldap/users?uid=ada')).items;
    await directory.api('PATCH', `ldap/users/${id}`, { enabled: false });
    expect((await directory.apply()).state).toBe('succeeded');
    const login = { username: `ada@${product.organization.name}`, password: SECRETS.ada };
    expect(await signsIn(login)).toBe(401);
    await directory.api('PATCH', `ldap/users/${id}`, { enabled: true });
    expect((await directory.apply()).state).toBe('succeeded');
    expect(await signsIn(login)).toBe(200);
  },
  SLOW,
);

test(
  'without the trust in our root, its test fails, and nothing is written',
  async () => {
    const before = structuredClone(product.settings);
    const written = product.calls.filter((call) => call.startsWith('PUT ')).length;
    // It says that it trusts the root, and does not.
    product.before.push({
      call: 'POST /cloudapi/1.0.0/ldap/test',
      work: () => void product.trusted.splice(0),
    });
    const job = await set('lab/operators', 'yes');
    expect([job.state, job.error.error_code]).toEqual(['failed', 'remote_refused']);
    expect(job.error.detail).toContain(`can’t sign in to the directory at ${NAME}:636`);
    expect(product.calls.filter((call) => call.startsWith('PUT '))).toHaveLength(written);
    expect(product.settings).toEqual(before);
  },
  SLOW,
);

/** The status of a login there. */
async function signsIn({ username, password }: { username: string; password: string }): Promise<number> {
  const { request } = await import('node:https');
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const headers = { authorization, accept: 'application/json;version=9.1.0' };
  const { host, port } = product;
  const about = { host, port, method: 'POST', path: '/cloudapi/1.0.0/sessions', headers, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const sent = request(about, (answer) => resolve(answer.resume().statusCode ?? 0));
    sent.on('error', reject).end();
  });
}
