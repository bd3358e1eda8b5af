// Pointing another appliance at the depot of this one: each form posted from where the steps before it lead; the appliance
// is a fake, the depot here is put in order before each, whatever other scenarios made of it.
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { newestRoot } from '../../../shared/platform/certificate-authority/certificate-store.ts';
import { ensureServerCertificate } from '../../../shared/platform/certificate-authority/issue.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import { CERTIFICATE_PURPOSE } from '../../../shared/services/offline-depot/manifest.ts';
import { depotAvailability } from '../../../shared/services/offline-depot/serving/availability.ts';
import type { VcfAppliance } from '../../fakes/vcf-appliance.ts';
import { applyAll, DEPOT_PASSWORD } from '../../setup/depot.ts';
import { configured, DEPOT, hurry, reviewed } from '../../setup/remote-depot-scene.ts';
import { loggedIn, manager, permitLoopback, serverOf, toLogin } from '../../setup/remote-scene.ts';
import { formOf, type Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const BASE = '/api/v1/private-cloud-services';
const USER = 'remote-depot';
const running = new Map<string, VcfAppliance>();

async function certified({ house }: Scene): Promise<void> {
  const { services } = house.appliance;
  await services.store.write(async (tx) => {
    if (await newestRoot(tx)) return;
    const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
    await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
    await createRoot(tx, services, 'ada');
  });
  await ensureServerCertificate(services, { purpose: CERTIFICATE_PURPOSE, names: ['depot.lab.example'] });
}

/** The depot is in force, with a user whose password is known. */
async function depotReady(scene: Scene): Promise<void> {
  const { house, api } = scene;
  const ready = async () => (await depotAvailability(house.services)).endpoint?.username === USER;
  if (await ready()) return;
  const users = (await api('GET', `${BASE}/http-users?limit=200`)).body.items as { name: string }[];
  if (!users.some(({ name }) => name === USER)) {
    await api('POST', `${BASE}/http-users`, { name: USER, password: DEPOT_PASSWORD });
  }
  await api('POST', `${BASE}/software-depot-id`, { confirm: true });
  await certified(scene);
  await api('PATCH', `${BASE}/settings`, {
    ...{ enabled: true, hostname: 'depot.lab.example', listen_interfaces: ['ens192'], http_user: USER },
  });
  await applyAll(house, async (method, path, body) => (await api(method, path, body)).body);
  if (!(await ready())) throw new Error(JSON.stringify(await depotAvailability(house.services)));
}

async function appliance(scene: Scene): Promise<VcfAppliance> {
  hurry();
  await permitLoopback(scene.house, scene.admin);
  await depotReady(scene);
  const fake = await manager({ depot: { account: { username: USER, password: DEPOT_PASSWORD } } });
  running.set(serverOf(fake), fake);
  return fake;
}

/** A job that was queued comes to its end before the next scenario begins. */
async function settled({ house }: Scene, { server }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(server!)?.stop();
  running.delete(server!);
}

const looking: Scenario = {
  given: async (scene) => {
    const fake = await appliance(scene);
    return { server: serverOf(fake), sha256: fake.sha256 };
  },
  after: settled,
};

/** The form of a step as its page holds it, with what is typed there. */
const step = (
  label: string,
  walked: (house: Scene['house'], who: Scene['admin'], fake: VcfAppliance) => Promise<Walk>,
  typed: (fake: VcfAppliance) => Given,
  more: Partial<Scenario>,
): Scenario => ({
  given: async (scene) => {
    const fake = await appliance(scene);
    const walk = await walked(scene.house, scene.admin, fake);
    const held = formOf(walk.html, label).fields.filter(([name]) => name !== 'csrf');
    return { ...Object.fromEntries(held), ...typed(fake) };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

export const REMOTE_DEPOT: Scenarios = {
  offlineDepotServerForm: {
    ...looking,
    send: ({ server }) => ({ form: { server: server! } }),
    audit: ['remote.target.probe'],
    statements: 12,
  },
  offlineDepotConfirmForm: {
    ...looking,
    send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
    audit: ['remote.target.trust'],
    statements: 9,
  },
  offlineDepotLoginForm: step(
    'Login',
    (house, who, fake) => toLogin(house, who, DEPOT, fake),
    ({ account }) => account,
    { audit: ['remote.target.login'], statements: 11 },
  ),
  // The depot here, the networks that may be reached, and the user's hash are read.
  offlineDepotPasswordForm: step(
    'Depot password',
    (house, who, fake) => loggedIn(house, who, DEPOT, fake),
    () => ({ depot_password: DEPOT_PASSWORD }),
    { audit: ['remote.depot.password'], statements: 8 },
  ),
  // The job with its tasks, a statement each, and the appliance that it owns.
  offlineDepotConfigureForm: step(
    'Configure',
    reviewed,
    ({ account }) => ({ password: account.password, depot_password: DEPOT_PASSWORD }),
    { audit: ['remote.depot.queue'], statements: 16 },
  ),

  remoteDepotTaskPage: {
    given: async (scene) => {
      const fake = await appliance(scene);
      const walk = await configured(scene.house, scene.admin, fake);
      return { server: serverOf(fake), job_id: walk.at.split('/').at(-1)! };
    },
    after: settled,
  },
};
