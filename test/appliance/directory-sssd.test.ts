// Linux with SSSD, as the card of the directory says: a Debian of its own in a folder (needs root), so that NSS and PAM of this
// machine stay as they are. PAM lets a local user in with the password that the directory has.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cardsFor } from '../../shared/services/ldap/clients/cards.ts';
import { directoryInForce } from '../../shared/services/ldap/clients/in-force.ts';
import { until } from '../setup/until.ts';
import { ADDRESS, Directory } from '../system/directory-scene.ts';
import { debianBase } from './base.ts';

const PACKAGES = ['sssd-ldap', 'sssd-proxy', 'libpam-sss', 'libnss-sss', 'pamtester', 'libpam-runtime', 'passwd'];
const SLOW = 900_000;
const ADA = 'quarrel-velvet-onion-71';
const READER = 'tundra-fiddle-gravel-08';
const LOCAL = 'ember-walrus-cobalt-44';

let directory: Directory;
let root: string;
let user_id: string;
let pid: string;

/** In the client's network, as root of the other Debian. */
function inside(script: string, input = ''): { code: number; out: string } {
  const args = ['netns', 'exec', directory.lab.client, 'chroot', root, 'sh', '-c', script];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
  const ran = spawnSync('ip', args, { encoding: 'utf8', input, timeout: 60_000, env });
  return { code: ran.status ?? -1, out: ran.stdout + ran.stderr };
}

const login = (name: string, password: string): number =>
  inside(`pamtester lab ${name} authenticate acct_mgmt`, `${password}\n`).code;

beforeAll(async () => {
  const { archive } = debianBase(PACKAGES);
  directory = await Directory.open();
  root = directory.path('debian');
  mkdirSync(root);
  const untar = spawnSync('tar', ['-xf', archive, '-C', root], { encoding: 'utf8' });
  if (untar.status !== 0) throw new Error(untar.stderr);
  const { id: organization_id } = await directory.api('POST', 'ldap/organizations', {
    slug: 'lab',
    suffix: 'dc=lab,dc=test',
  });
  for (const uid of ['ada', 'local']) {
    const { id } = await directory.api('POST', 'ldap/users', { organization_id, uid, surname: 'Lovelace' });
    if (uid === 'ada') user_id = id;
  }
  await directory.api('POST', `ldap/users/${user_id}/password`, { password: ADA });
  const { id } = await directory.api('POST', 'ldap/bind-accounts', { organization_id, name: 'reader' });
  await directory.api('POST', `ldap/bind-accounts/${id}/password`, { password: READER });
  await directory.api('PATCH', 'ldap/settings', {
    enabled: true,
    hostname: 'ldap.lab.test',
    listen_interfaces: ['lab0'],
    ldaps_enabled: true,
  });
  const { state, log } = await directory.apply();
  if (state !== 'succeeded') throw new Error(log);
  const inForce = (await directoryInForce(directory.host))!;
  const [organization] = inForce.organizations;
  const cards = cardsFor({ servers: inForce.servers, organization: organization!, account: 'reader' });
  const { text } = cards.find((card) => card.id === 'sssd')!.file!;
  // Nothing but the password is filled in.
  const etc = (path: string) => join(root, 'etc', path);
  mkdirSync(etc('sssd'), { recursive: true });
  writeFileSync(etc('sssd/sssd.conf'), text.replace('PASSWORD OF reader', READER), { mode: 0o600 });
  writeFileSync(etc('sssd/directory-root.pem'), readFileSync(directory.path('root.pem')));
  appendFileSync(etc('hosts'), `${ADDRESS} ldap.lab.test\n`);
  writeFileSync(etc('pam.d/lab'), '@include common-auth\n@include common-account\n');
  for (const name of ['ada', 'nobody-there']) expect(inside(`useradd -m ${name}`)).toMatchObject({ code: 0 });
  expect(inside('sssd -D')).toMatchObject({ code: 0 });
  pid = readFileSync(join(root, 'run/sssd.pid'), 'utf8').trim();
}, SLOW);
afterAll(async () => {
  if (pid) process.kill(Number(pid), 'SIGTERM');
  if (pid) await until(() => !existsSync(`/proc/${pid}`));
  await directory?.close();
});

test(
  'a local user signs in with the password of the directory, and with no other',
  async () => {
    await until(() => login('ada', ADA) === 0);
    expect(login('ada', LOCAL)).not.toBe(0);
    expect(login('nobody-there', ADA)).not.toBe(0);
    await directory.api('PATCH', `ldap/users/${user_id}`, { enabled: false });
    expect((await directory.apply()).state).toBe('succeeded');
    await until(() => login('ada', ADA) !== 0);
  },
  SLOW,
);
