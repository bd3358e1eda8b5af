// A KMIP server that listens here at a port that is known, a fake vCenter, and the way of the wizard between them.

import { MANIFEST_PATH, writeManifest } from '../../shared/services/kms/manifest.ts';
import { PACE } from '../../shared/vcf/key-provider/steps.ts';
import type { VcenterKms } from '../fakes/vcenter-kms.ts';
import { type Credentials, type House, type HouseOptions, PASSWORD } from './house.ts';
import { KmsScene } from './kms-scene.ts';
import { permitLoopback } from './remote-scene.ts';
import { steadyPort } from './steady-port.ts';
import { until } from './until.ts';
import { Walk } from './wizard-walk.ts';

export const REGISTER = '/ui/management/kms/vcenter';

/** Every wait short: for tests. */
export function hurry(): void {
  Object.assign(PACE, { every_ms: 5, connect_ms: 200 });
}

export const serverOf = ({ host, port }: VcenterKms): string => `${host}:${port}`;

/** The manifest names the port at which it listens; `known`: that of before a restart. */
export async function listenSteadily(scene: KmsScene, known = 0): Promise<void> {
  const port = known || (await steadyPort());
  const content = writeManifest({
    version: 1,
    listeners: [{ interface: 'lo', address: '127.0.0.1', port }],
    hostname: '',
  });
  await scene.house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
  await until(() => scene.listeners.addresses.some((at) => at.port === port));
}

export async function keyProviderScene(options: HouseOptions = {}): Promise<KmsScene> {
  const scene = await KmsScene.open(options);
  await listenSteadily(scene);
  await permitLoopback(scene.house, scene.admin);
  return scene;
}

/** To the login, with one that is typed. */
export async function toLogin(house: House, who: Credentials, fake: VcenterKms): Promise<Walk> {
  const walk = await new Walk(house, who).open(REGISTER);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  await walk.send('Server', { server: serverOf(fake) });
  return walk.send('Fingerprint', { confirm: 'yes' });
}

export const loggedIn = async (house: House, who: Credentials, fake: VcenterKms): Promise<Walk> =>
  (await toLogin(house, who, fake)).send('Login', fake.account);

export const reviewed = async (
  house: House,
  who: Credentials,
  fake: VcenterKms,
  chosen: Record<string, string | null> = {},
): Promise<Walk> =>
  (await loggedIn(house, who, fake)).send('Key provider', {
    provider_name: 'lab',
    cluster: 'lab-keys',
    ...chosen,
  } as never);

/** Queued; the walk stands on the page of the job. */
export const registered = async (
  house: House,
  who: Credentials,
  fake: VcenterKms,
  chosen: Record<string, string | null> = {},
): Promise<Walk> =>
  (await reviewed(house, who, fake, chosen)).send('Register', {
    ...{ password: fake.account.password, own_password: PASSWORD },
  });

/** A vault with a login of the fake; answers what the picker's fields hold. */
export async function storedLogin(
  house: House,
  { token }: Credentials,
  fake: VcenterKms,
  name: string,
): Promise<{ vault_id: string; choice_id: string }> {
  const { id: vault_id } = (await house.send('POST', '/api/v1/vaults', { token, body: { name } })).body;
  const { username, password: value } = fake.account;
  const body = { key: 'vcenter.admin', username, value, uris: [`https://${serverOf(fake)}`] };
  await house.send('POST', `/api/v1/vaults/${vault_id}/entries`, { token, body });
  const { items } = (await house.send('GET', `/api/v1/vaults/${vault_id}/credentials`, { token })).body;
  return { vault_id, choice_id: items[0].choice_id };
}
