// A house with a depot and an OVA, fakes that are stopped after each test, and what tests of the wizard look at.
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { applianceFolder } from '../../../shared/services/offline-depot/store.ts';
import { type LiteOptions, startVsphereLite, type VsphereLite } from '../../fakes/vsphere-lite.ts';
import { answerForLab, putOva, SECRETS } from '../../setup/deployment-scene.ts';
import { readyDepot } from '../../setup/depot.ts';
import { type Credentials, House } from '../../setup/house.ts';
import type { OvaRecipe } from '../../setup/make-ova.ts';
import { permitLoopback } from '../../setup/remote-scene.ts';
import type { Walk } from '../../setup/wizard-walk.ts';

export interface WizardScene {
  house: House;
  /** New ones for each test: a user looks at so many servers in a quarter of an hour, and no more. */
  admin: Credentials;
  service: Credentials;
  /** Of the OVAs. */
  folder: string;
  lines: string[];
}

/** Declares what opens and closes it; its members are there once the first test begins. */
export function wizardScene(): WizardScene {
  const scene = { lines: [] as string[] } as WizardScene;
  beforeAll(async () => {
    const house = await House.open({ depot: true, log: (line) => void scene.lines.push(line) });
    await readyDepot(house);
    await permitLoopback(house, await house.actor('admin'));
    answerForLab(house.services);
    Object.assign(scene, { house, folder: applianceFolder(house.services.host) });
  });
  beforeEach(async () => {
    scene.admin = await scene.house.actor('admin');
    scene.service = await scene.house.actor('service-admin');
    await onlyOva(scene);
  });
  afterEach(async () => {
    for (const fake of fakes.splice(0)) await fake.stop();
  });
  afterAll(() => scene.house.close());
  return scene;
}

const fakes: VsphereLite[] = [];

export async function vsphere(options: LiteOptions = {}): Promise<VsphereLite> {
  const fake = await startVsphereLite(options);
  fakes.push(fake);
  return fake;
}

/** The depot has this OVA and no other. */
export async function onlyOva({ house, folder }: WizardScene, recipe: Partial<OvaRecipe> = {}): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await putOva(house.services, recipe);
}

/** Field → what stands at it. */
export const faults = ({ html }: Walk): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<p class="err" id="([\w-]+)-error">[\s\S]*?<span>([^<]*)<\/span>/g)].map(([, field, text]) => [
      field!,
      text!,
    ]),
  );

export const jobsOf = async ({ house }: WizardScene): Promise<number> =>
  (await house.services.store.one<{ count: number }>('SELECT COUNT(*) AS count FROM job'))!.count;

/** Of the hypervisor and of the OVF. */
export const passwords = ({ account }: VsphereLite) => ({ ...SECRETS, password: account.password });
