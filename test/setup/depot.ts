// An offline depot that is ready to serve other appliances: root certificate, depot user, settings, software depot ID, an
// apply, and a listener on a port of 127.0.0.1. The house must have been opened with `depot: true`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { DEPOT_STORE } from '../../shared/services/offline-depot/manifest.ts';
import { type DepotEndpoint, depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';
import { METADATA_FILE } from '../../shared/services/offline-depot/serving/check.ts';
import type { House } from './house.ts';

export const DEPOT_PASSWORD = 'a depot password of its own';

export interface ReadyDepot {
  endpoint: DepotEndpoint;
  /** Folder that is served. */
  store: string;
  token: string;
}

/** @throws Error naming what did not work. */
export async function readyDepot(house: House, settings: object = {}): Promise<ReadyDepot> {
  const { token } = await house.actor('admin');
  const call = async (method: string, path: string, body: object) => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
    return heard.body;
  };
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  const base = '/api/v1/private-cloud-services';
  await call('POST', `${base}/http-users`, { name: 'depot', password: DEPOT_PASSWORD });
  await call('POST', `${base}/software-depot-id`, {});
  await call('PATCH', `${base}/settings`, {
    enabled: true,
    hostname: 'depot.lab.example',
    listen_interfaces: ['ens192'],
    http_user: 'depot',
    ...settings,
  });
  await applyAll(house, call);
  const store = house.services.host.resolve(DEPOT_STORE);
  put(store, METADATA_FILE, '{"catalog": []}\n');
  await house.appliance.followDepot();
  await house.appliance.followDepot();
  const { endpoint, missing } = await depotAvailability(house.services);
  if (!endpoint) throw new Error(missing.map(({ text }) => text).join(' '));
  return { endpoint, store, token };
}

type Call = (method: string, path: string, body: object) => Promise<{ id: string; digest: string }>;

/** All that is saved, in force. */
export async function applyAll(house: House, call: Call): Promise<void> {
  const plan = await call('POST', '/api/v1/apply/plans', {});
  await call('POST', `/api/v1/apply/plans/${plan.id}/submit`, { digest: plan.digest, note: 'depot' });
  await house.appliance.runner.idle();
}

/** A file of the depot. */
export function put(store: string, path: string, content: string | Uint8Array): void {
  const target = join(store, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}
