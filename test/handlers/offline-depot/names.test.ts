// Host names at an address and port that the depot shares: refused at the field when they are saved, and named in the plan
// where an archive or an older release brought both.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { type Credentials, House } from '../../setup/house.ts';

const DEPOT = 'private-cloud-services';
const OWN = 'gc01.lab.example';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  const ens224 = { role: 'access', ipv4_cidr: '192.0.2.1/24', ipv6_enabled: false, enabled: true };
  await call('PATCH', '/api/v1/interfaces/physical/ens224', ens224);
});
afterAll(() => house.close());
beforeEach(async () => {
  manage({ management_port: 443, management_tls: true, management_names: [OWN, 'gc01'] });
  await house.services.store.write((tx) => tx.run("DELETE FROM unit_settings WHERE unit <> 'certificate-authority'"));
});

const send = (method: string, path: string, body: object) => house.send(method, path, { token: admin.token, body });
async function call(method: string, path: string, body: object) {
  const heard = await send(method, path, body);
  if (heard.status >= 300) throw new Error(heard.text);
  return heard.body;
}
/** Where the management UI is. `ens192` is its interface. */
const manage = (place: object) => Object.assign(house.services.settings, place);
/** Status and faults of saving a service. */
async function save(service: string, settings: object): Promise<unknown[]> {
  const { status, body } = await send('PATCH', `/api/v1/${service}/settings`, { enabled: true, ...settings });
  return [status, ...(body.errors ?? []).map(({ pointer, detail }: Record<string, string>) => `${pointer} ${detail}`)];
}
const at = (name: string, hostname: string, port = 443) => ({ listen_interfaces: [name], hostname, port });

describe('beside the management UI', () => {
  const same = expect.stringMatching(/^\/hostname gc01.* is a name of the management UI, .* port 443 of ens192 too/i);
  test.each<[string, object, unknown[]]>([
    ['no host name', at('ens192', ''), [422, expect.stringMatching(/^\/hostname The management UI .* of ens192 too/)]],
    ['its name', at('ens192', OWN), [422, same]],
    ['its name in capitals', at('ens192', 'GC01.lab.example'), [422, same]],
    ['a name of its own', at('ens192', 'depot.lab.example'), [200]],
    ['its name at another port', at('ens192', OWN, 8443), [200]],
    ['its name at another interface', at('ens224', OWN), [200]],
    ['no host name at another interface', at('ens224', ''), [200]],
    ['its name while it is off', { ...at('ens192', OWN), enabled: false }, [200]],
  ])('the depot with %s', async (_what, settings, answer) => {
    expect(await save(DEPOT, settings)).toEqual(answer);
  });

  test('the management UI with a name that the depot had first', async () => {
    const names = ['ui.lab.example', 'depot.lab.example'];
    const rename = (wanted: string[]) =>
      send('PATCH', '/api/v1/management-tls/settings', { source: 'issued', names: wanted });
    expect(await save(DEPOT, at('ens192', 'Depot.lab.example'))).toEqual([200]);
    const { status, body } = await rename(names);
    const taken =
      /^depot\.lab\.example is the name of the offline depot, .* port 443 of ens192 too: choose another name/;
    expect([status, body.errors]).toEqual([422, [{ pointer: '/names/1', detail: expect.stringMatching(taken) }]]);
    // Elsewhere the two are told apart by address or port.
    expect(await save(DEPOT, at('ens192', 'depot.lab.example', 8443))).toEqual([200]);
    expect((await rename(names)).status).toBe(200);
  });

  test('the depot with a name that the certificate of the management UI is to have', async () => {
    const names = ['ui.lab.example'];
    await call('PATCH', '/api/v1/management-tls/settings', { source: 'issued', names });
    const taken = expect.stringMatching(/^\/hostname ui.lab.example is a name of the management UI/);
    expect(await save(DEPOT, at('ens192', 'ui.lab.example'))).toEqual([422, taken]);
    expect(await save(DEPOT, at('ens192', 'depot.lab.example'))).toEqual([200]);
  });

  test.each<[string, object, object, string | null]>([
    ['the management UI’s name', {}, at('ens192', OWN), `${OWN} is a name of the management UI`],
    ['no host name', {}, at('ens192', ''), 'choose a host name, by which the two are told apart'],
    ['a name of its own', {}, at('ens192', 'depot.lab.example'), null],
    ['plain HTTP beside it', { management_tls: false }, at('ens192', 'd.lab.example'), 'used by the management UI'],
  ])('the plan of a depot with %s, which was brought in', async (_what, place, settings, fault) => {
    manage(place);
    await bring(DEPOT, settings);
    const { ok, said } = await checked();
    expect([ok, said]).toEqual([fault === null, expect.stringContaining(fault ?? '')]);
  });
});

describe('beside another service', () => {
  test.each<[string, string, string, object, number]>([
    ['one name', 'oidc', DEPOT, at('ens224', 'ID.lab.example'), 422],
    ['one name', DEPOT, 'oidc', at('ens224', 'id.lab.example'), 422],
    ['two names', 'oidc', DEPOT, at('ens224', 'depot.lab.example'), 200],
    ['one name at two ports', 'oidc', DEPOT, at('ens224', 'id.lab.example', 8443), 200],
  ])('%s: %s first', async (_what, first, second, settings, status) => {
    expect(await save(first, at('ens224', 'id.lab.example'))).toEqual([200]);
    const [answered, ...faults] = await save(second, settings);
    expect(answered).toBe(status);
    if (status === 200) return;
    const name = first === 'oidc' ? 'the OpenID Connect provider' : 'the offline depot';
    expect(faults).toEqual([expect.stringMatching(`^/hostname .* is the name of ${name} at port 443 of ens224`)]);
  });

  test('the plan names the other, where both were brought in', async () => {
    await bring(DEPOT, at('ens224', 'id.lab.example'));
    await bring('oidc', at('ens224', 'id.lab.example'));
    const { ok, said } = await checked();
    expect([ok, said]).toEqual([false, expect.stringContaining('is the name of the OpenID Connect provider')]);
  });
});

/** As an archive or an older release would. */
async function bring(unit: string, settings: object): Promise<void> {
  const document = JSON.stringify({ enabled: true, ...settings });
  await house.services.store.write((tx) =>
    tx.run('INSERT INTO unit_settings (unit, document, updated_at) VALUES (?, ?, ?)', [
      ...[unit, document, '2026-01-01T00:00:00.000Z'],
    ]),
  );
}

async function checked(): Promise<{ ok: boolean; said: string }> {
  const plan = await call('POST', '/api/v1/apply/plans', {});
  const { check } = plan.units.find(({ id }: { id: string }) => id === DEPOT);
  return { ok: check.ok, said: JSON.stringify(check) };
}
