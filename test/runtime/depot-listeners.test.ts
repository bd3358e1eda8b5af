// The depot at the address and port of the management UI, by its applied manifest: with a certificate of the authority,
// and without one, which takes the depot's name away and nothing else.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DepotListeners } from '../../runtime/depot-listeners.ts';
import type { Listener } from '../../runtime/listener.ts';
import { TlsDoors } from '../../runtime/tls-doors.ts';
import { MANIFEST_PATH } from '../../shared/services/offline-depot/manifest.ts';
import { depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';
import { certificates, type Pair } from '../setup/certificates.ts';
import { readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { ask, DEPOT_NAME, OWN_NAME, services, startManagement } from './doors-scene.ts';

const made = certificates(OWN_NAME);
const logged: string[] = [];
let house: House;
let doors: TlsDoors;
let management: Listener;
let port: number;
let depot: DepotListeners;

beforeAll(async () => {
  house = await House.open({ depot: true, log: (line) => logged.push(line) });
  await readyDepot(house);
  doors = new TlsDoors({ services });
  const [own] = made.paths as [Pair];
  management = await startManagement(doors, own, { host: '127.0.0.1', port: 0 });
  port = management.address.port;
}, 300_000);
afterAll(async () => {
  await Promise.all([depot?.stop(0), management?.stop(0)]);
  await house?.close();
  made.remove();
});

/** As the service does when it starts; the second look finds what the first one made. */
async function start(): Promise<void> {
  depot = new DepotListeners({ services: house.services, doors, instead: { host: '127.0.0.1', port } });
  await depot.look();
  await depot.look();
}

const MANAGED = `200 management ${OWN_NAME}`;
const byName = () => ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME });

test('it answers by its name as soon as it has a certificate', async () => {
  await start();
  // Nothing is at the path; the certificate has the name.
  expect(await byName()).toBe(`404 ${DEPOT_NAME}`);
  expect(await ask({ port })).toBe(MANAGED);
});

test('without a certificate its name is nobody’s, which the log and its state say, and the management UI answers', async () => {
  await depot.stop(0);
  const { store } = house.services;
  await store.write(async (tx) => {
    await tx.run('DELETE FROM issued_certificate');
    await tx.run('DELETE FROM certificate_authority');
  });
  logged.length = 0;
  await start();
  expect(await byName()).toBe('alert 112');
  expect(await ask({ port, host: DEPOT_NAME })).toBe(`421 ${OWN_NAME}`);
  expect(await ask({ port })).toBe(MANAGED);
  expect(logged.filter((line) => line.includes('gets no certificate'))).toHaveLength(1);
  const { missing } = await depotAvailability(house.services);
  expect(missing.map(({ code }) => code)).toContain('certificate');
});

test('a manifest that is gone gives the name back', async () => {
  await house.services.host.remove(MANIFEST_PATH);
  await depot.look();
  expect(await ask({ port, sni: DEPOT_NAME, host: DEPOT_NAME })).toBe(MANAGED);
});
