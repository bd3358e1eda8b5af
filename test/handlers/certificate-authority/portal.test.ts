// Two services that were saved at one port before anybody refused that: the plan says so, and no apply fails over it.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { House } from '../../setup/house.ts';

let house: House;
beforeAll(async () => {
  house = await House.open();
  const { token } = await house.actor('admin');
  const body = { enabled: true, key_algorithm: 'ecdsa-p256' };
  await house.send('PATCH', '/api/v1/certificate-authority/settings', { token, body });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
});
afterAll(() => house.close());

test.each([
  ['private-cloud-services', { enabled: true, listen_interfaces: ['ens192'], port: 80 }, 'the offline depot'],
])('the check of the portal names %s, which holds port 80 of its interface', async (unit, document, name) => {
  const { token } = await house.actor('admin');
  const call = async (method: string, path: string, body: object) => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(heard.text);
    return heard.body;
  };
  const { store } = house.services;
  await store.write((tx) => tx.run("DELETE FROM unit_settings WHERE unit <> 'certificate-authority'"));
  const portal = { key_algorithm: 'ecdsa-p256', listen_interfaces: ['ens192'], portal_hostname: 'ca.lab.example' };
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, ...portal });
  await store.write((tx) =>
    tx.run('INSERT INTO unit_settings (unit, document, updated_at) VALUES (?, ?, ?)', [
      unit,
      JSON.stringify(document),
      '2026-01-01T00:00:00.000Z',
    ]),
  );
  const plan = await call('POST', '/api/v1/apply/plans', {});
  const { check } = plan.units.find(({ id }: { id: string }) => id === 'certificate-authority');
  expect([check.ok, JSON.stringify(check)]).toEqual([
    false,
    expect.stringContaining(`Port 80 of ens192 is used by ${name}`),
  ]);
});
