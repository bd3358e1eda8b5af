// A certificate that is not of slapd's key (real slapd, needs root): it is refused, and LDAPS and StartTLS go on as before.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CERTIFICATE_FILE, slapdDaemon } from '../../shared/services/ldap/files.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { ADDRESS, Directory, NAME } from './directory-scene.ts';

const READER = { dn: 'cn=vcenter,ou=system,dc=lab,dc=test', password: 'tundra-fiddle-gravel-08' };
const SLOW = 240_000;

let directory: Directory;
/** For the same name, by an authority that nobody trusts, and of another key. */
let strange: string;

beforeAll(async () => {
  directory = await Directory.open();
  const settings = { enabled: true, hostname: NAME, listen_interfaces: ['lab0'], ldap_enabled: true };
  await directory.api('PATCH', 'ldap/settings', settings);
  const { id: organization_id } = await directory.api('POST', 'ldap/organizations', {
    slug: 'lab',
    suffix: 'dc=lab,dc=test',
  });
  const { id } = await directory.api('POST', 'ldap/bind-accounts', { organization_id, name: 'vcenter' });
  await directory.api('POST', `ldap/bind-accounts/${id}/password`, { password: READER.password });
  expect(await directory.apply()).toMatchObject({ state: 'succeeded' });
  const [key, file] = [directory.path('strange.key'), directory.path('strange.pem')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', file, '-subj', `/CN=${NAME}`];
  expect(spawnSync('openssl', made).status).toBe(0);
  strange = readFileSync(file, 'utf8');
}, SLOW);
afterAll(() => directory?.close());

/** Over LDAPS, and over StartTLS. */
const signsIn = (): number[] => [
  directory.bind(READER.dn, READER.password),
  directory.bind(READER.dn, READER.password, `ldap://${ADDRESS}`, '-ZZ'),
];

test(
  'in an apply: it fails, and the former pair serves again',
  async () => {
    const { render } = ldapUnit;
    ldapUnit.render = (desired, resolve) =>
      render(desired, resolve).map((file) => (file.path === CERTIFICATE_FILE ? { ...file, content: strange } : file));
    const ended = await directory
      .apply()
      .catch((error: Error) => ({ state: 'refused', log: error.message }))
      .finally(() => {
        ldapUnit.render = render;
      });
    expect(ended.state).not.toBe('succeeded');
    expect(await directory.host.read(CERTIFICATE_FILE)).not.toBe(strange);
    expect(signsIn()).toEqual([0, 0]);
  },
  SLOW,
);

test(
  'written by hand: what runs goes on, it is told, and the next apply puts the right one back',
  async () => {
    const { host } = directory;
    await host.write({ path: CERTIFICATE_FILE, content: strange, mode: 0o644 });
    expect(signsIn()).toEqual([0, 0]);
    const { items } = await directory.api('POST', 'apply/drift/compare');
    expect(items.find(({ unit }: { unit: string }) => unit === 'ldap')).toMatchObject({
      state: 'drifted',
      lines: [`${CERTIFICATE_FILE} was changed`],
      adoptable: false,
    });
    // And started with it, it does not run at all.
    await host.stopDaemon(slapdDaemon(host));
    await expect(host.startDaemon(slapdDaemon(host))).rejects.toThrow();
    expect((await directory.apply()).state).toBe('succeeded');
    expect(signsIn()).toEqual([0, 0]);
  },
  SLOW,
);
