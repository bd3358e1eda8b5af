// Registering at a vCenter: each form posted from where the steps before it lead; the vCenter is a fake, and a KMIP server is
// in force here as far as its manifest and its certificate go.
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { newestRoot } from '../../../shared/platform/certificate-authority/certificate-store.ts';
import { ensureServerCertificate } from '../../../shared/platform/certificate-authority/issue.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import { MANIFEST_PATH, SERVER_PURPOSE, writeManifest } from '../../../shared/services/kms/manifest.ts';
import { startVcenterKms, type VcenterKms } from '../../fakes/vcenter-kms.ts';
import { PASSWORD } from '../../setup/house.ts';
import { hurry, loggedIn, registered, reviewed, serverOf, toLogin } from '../../setup/key-provider-scene.ts';
import { permitLoopback } from '../../setup/remote-scene.ts';
import { formOf, type Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const running = new Map<string, VcenterKms>();

async function vcenter({ house, admin }: Scene): Promise<VcenterKms> {
  hurry();
  await permitLoopback(house, admin);
  const { services } = house.appliance;
  await services.store.write(async (tx) => {
    if (await newestRoot(tx)) return;
    const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
    await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
    await createRoot(tx, services, 'ada');
  });
  await ensureServerCertificate(services, { purpose: SERVER_PURPOSE, names: ['127.0.0.1'] });
  // Nothing listens there: a job that was queued takes back what it did.
  const listeners = [{ interface: 'lo', address: '127.0.0.1', port: 1 }];
  const content = writeManifest({ version: 1, listeners, hostname: '' });
  await services.host.write({ path: MANIFEST_PATH, content, mode: 0o640 });
  const fake = await startVcenterKms();
  running.set(serverOf(fake), fake);
  return fake;
}

/** A job that was queued comes to its end before the next scenario begins. */
async function settled({ house }: Scene, { server }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(server!)?.stop();
  running.delete(server!);
  await house.appliance.services.host.remove(MANIFEST_PATH);
}

const looking: Scenario = {
  given: async (scene) => {
    const fake = await vcenter(scene);
    return { server: serverOf(fake), sha256: fake.sha256 };
  },
  after: settled,
};

/** The form of a step as its page holds it, with what is typed there. */
const step = (
  label: string,
  walked: (house: Scene['house'], who: Scene['admin'], fake: VcenterKms, scene: Scene) => Promise<Walk>,
  typed: (fake: VcenterKms, scene: Scene) => Given,
  more: Partial<Scenario>,
): Scenario => ({
  given: async (scene) => {
    const fake = await vcenter(scene);
    const walk = await walked(scene.house, scene.admin, fake, scene);
    const held = formOf(walk.html, label).fields.filter(([name]) => name !== 'csrf');
    return { ...Object.fromEntries(held), ...typed(fake, scene) };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

const named = (scene: Scene) => ({ provider_name: `vcenter-${scene.next()}` });

export const KEY_PROVIDER: Scenarios = {
  keyProviderServerForm: {
    ...looking,
    send: ({ server }) => ({ form: { server: server! } }),
    audit: ['remote.target.probe'],
    statements: 12,
  },
  keyProviderConfirmForm: {
    ...looking,
    send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
    audit: ['remote.target.trust'],
    statements: 9,
  },
  // The root and the certificate of the KMIP server are read.
  keyProviderLoginForm: step('Login', toLogin, ({ account }) => account, {
    audit: ['remote.target.login'],
    statements: 12,
  }),
  keyProviderChooseForm: step('Key provider', loggedIn, (_fake, scene) => named(scene), { statements: 10 }),
  // The job with its tasks, a statement each, and the vCenter that it owns.
  keyProviderRegisterForm: step(
    'Register',
    (house, who, fake, scene) => reviewed(house, who, fake, named(scene)),
    ({ account }) => ({ password: account.password, own_password: PASSWORD }),
    { audit: ['remote.key-provider.queue'], statements: 18 },
  ),

  keyProviderTaskPage: {
    given: async (scene) => {
      const fake = await vcenter(scene);
      const walk = await registered(scene.house, scene.admin, fake, named(scene));
      return { server: serverOf(fake), job_id: walk.at.split('/').at(-1)! };
    },
    after: settled,
  },
};
