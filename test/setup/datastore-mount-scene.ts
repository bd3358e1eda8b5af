// A datastore in force here, a fake vCenter, and the way of the wizard between them.
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { storageUnit } from '../../shared/services/storage/unit.ts';
import type { VsphereNas } from '../fakes/vsphere-nas.ts';
import type { Credentials, House } from './house.ts';
import { permitLoopback } from './remote-scene.ts';
import { Walk } from './wizard-walk.ts';

export const MOUNT = '/ui/management/storage/hosts';
export const nasServerOf = ({ host, port }: VsphereNas): string => `${host}:${port}`;

/** Saves a datastore at the address of ens192, and applies it. */
export async function datastoreInForce(house: House, admin: Credentials, name = 'lab'): Promise<void> {
  const api = async (method: string, path: string, body?: unknown) => {
    const heard = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body;
  };
  await permitLoopback(house, admin);
  await api('PATCH', 'storage/settings', { enabled: true });
  const disk = { name: `disk-${name}`, device: `/dev/disk/by-id/scsi-${name}` };
  const { id: volume_id } = await api('POST', 'storage/volumes', disk);
  const serving = { interface: 'ens192', address_families: ['ipv4'], ipv4_clients: ['any'] };
  await api('POST', 'storage/datastores', { ...serving, name, volume_id });
  const { services, appliance } = house;
  const prepared = await preparePlan(services, [networkUnit, storageUnit], 'test', { units: ['storage'] });
  const { id, digest } = prepared.plan;
  await services.store.write((tx) => storePlan(tx, prepared));
  await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  services.notify('queue');
  await appliance.runner.idle();
}

/** To the login, with one that is typed. */
export async function toMountLogin(house: House, who: Credentials, fake: VsphereNas): Promise<Walk> {
  const walk = await new Walk(house, who).open(MOUNT);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  await walk.send('Server', { server: nasServerOf(fake) });
  return walk.send('Fingerprint', { confirm: 'yes' });
}

export const mountLoggedIn = async (house: House, who: Credentials, fake: VsphereNas): Promise<Walk> =>
  (await toMountLogin(house, who, fake)).send('Login', fake.account);
