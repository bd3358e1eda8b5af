// A depot that is ready here, an appliance elsewhere, and the way of the wizard between them.
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { DEPOT_PASSWORD, type ReadyDepot, readyDepot } from './depot.ts';
import { type Credentials, House, type HouseOptions } from './house.ts';
import { loggedIn, permitLoopback } from './remote-scene.ts';
import { steadyPort } from './steady-port.ts';
import type { Walk } from './wizard-walk.ts';

export const DEPOT = '/ui/management/vcf-helper/offline-depot';

/** Every wait short: for tests. */
export function hurry(): void {
  Object.assign(PACE, { every_ms: 5 });
}

export interface DepotScene {
  house: House;
  admin: Credentials;
  ready: ReadyDepot;
}

/** The depot answers on the same port after a restart. */
export async function depotScene(options: HouseOptions = {}): Promise<DepotScene> {
  const house = await House.open({ ...options, depot: { port: await steadyPort() } });
  const ready = await readyDepot(house);
  const admin = await house.actor('admin');
  await permitLoopback(house, admin);
  return { house, admin, ready };
}

/** To the review, with a typed login. */
export async function reviewed(house: House, who: Credentials, fake: VcfAppliance): Promise<Walk> {
  const walk = await loggedIn(house, who, DEPOT, fake);
  return walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
}

/** Queued; the walk stands on the page of the job. */
export async function configured(
  house: House,
  who: Credentials,
  fake: VcfAppliance,
  more: Record<string, string> = {},
): Promise<Walk> {
  const walk = await reviewed(house, who, fake);
  return walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD, ...more });
}

export { DEPOT_PASSWORD };

/** A job as the API has it. */
export interface Ended {
  state: string;
  result: Record<string, string> | null;
  error: { error_code: string; detail: string; blockers?: { page: string }[] } | null;
  tasks: { name: string; state: string; log: { text: string }[] }[];
}

export const states = ({ tasks }: Ended): string[] => tasks.map(({ name, state }) => `${name} ${state}`);
export const said = ({ tasks }: Ended): string => tasks.flatMap(({ log }) => log.map(({ text }) => text)).join('\n');

/** Of the depot settings on an appliance. */
export const PATH = '/v1/system/settings/depot';

export const asked = (fake: VcfAppliance, method: string, path = PATH) =>
  fake.requests.filter((request) => request.method === method && request.path === path);

/** An answer of an appliance that a fault gives in place of its own. */
export const answering = (body: object, status = 200) => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(body),
});
