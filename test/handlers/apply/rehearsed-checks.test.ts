// What a rehearsal checks: each unit whose check runs a program declares it, so that a plan is checked here as on the appliance.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { furnish } from '../../setup/furnish.ts';
import { type Credentials, House } from '../../setup/house.ts';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin', undefined, 'admin');
  await furnish(house, admin);
}, 300_000);
afterAll(() => house.close());

async function call(method: string, path: string, body?: unknown) {
  const heard = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  expect([path, heard.status]).toEqual([path, expect.any(Number)]);
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
  return heard.body;
}

test('the directory and the web terminal are checked by their real programs', async () => {
  await call('PATCH', 'ldap/settings', { enabled: true, listen_interfaces: ['ens224'], hostname: 'ldap.lab.example' });
  await call('POST', 'ldap/organizations', { slug: 'checked', suffix: 'dc=checked,dc=example' }).catch(() => undefined);
  await call('PATCH', 'web-terminal/settings', { enabled: true, listen_interfaces: ['ens192'] });
  let plan = await call('POST', 'apply/plans', {});
  // The certificate of the directory is made by the first look at a plan.
  if (plan.units.some(({ check }: { check: { ok: boolean } }) => !check.ok))
    plan = await call('POST', 'apply/plans', {});
  const checks = new Map(
    plan.units.map(({ id, check }: { id: string; check: { program: string; output: string } }) => [id, check]),
  );
  // Where slapd is not installed, or no Debian has booted, the check says so.
  expect(checks.get('web-terminal')).toMatchObject({ ok: true, program: expect.stringContaining('sshd') });
  expect(checks.get('ldap')).toMatchObject({ ok: true, program: expect.stringContaining('slap') });
  for (const [id, check] of checks)
    expect([id, JSON.stringify(check)]).toEqual([id, expect.not.stringContaining('rehearsal:')]);
});
