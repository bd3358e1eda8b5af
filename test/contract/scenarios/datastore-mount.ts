// Mounting on hosts: each form posted from where the steps before it lead; the vCenter is a fake, and a datastore is in force here.
import { startVsphereNas, type VsphereNas } from '../../fakes/vsphere-nas.ts';
import { datastoreInForce, mountLoggedIn, nasServerOf, toMountLogin } from '../../setup/datastore-mount-scene.ts';
import { formOf, type Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const running = new Map<string, VsphereNas>();

async function vcenter(scene: Scene): Promise<VsphereNas> {
  await datastoreInForce(scene.house, scene.admin, `mount-${scene.next()}`);
  const fake = await startVsphereNas();
  running.set(nasServerOf(fake), fake);
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
    const fake = await vcenter(scene);
    return { server: nasServerOf(fake), sha256: fake.sha256 };
  },
  after: settled,
};

type Walked = (scene: Scene, fake: VsphereNas) => Promise<Walk>;
const toLogin: Walked = ({ house, admin }, fake) => toMountLogin(house, admin, fake);
const loggedIn: Walked = ({ house, admin }, fake) => mountLoggedIn(house, admin, fake);
const reviewed: Walked = async (scene, fake) => (await loggedIn(scene, fake)).send('Hosts', { hosts: ['host-1'] });

/** The form of a step as its page holds it, with what is typed there. */
const step = (
  label: string,
  walked: Walked,
  typed: (fake: VsphereNas) => Given,
  more: Partial<Scenario>,
): Scenario => ({
  given: async (scene) => {
    const fake = await vcenter(scene);
    const walk = await walked(scene, fake);
    const held = formOf(walk.html, label).fields.filter(([name]) => name !== 'csrf');
    return { ...Object.fromEntries(held), ...typed(fake) };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

export const DATASTORE_MOUNT: Scenarios = {
  datastoreMountServerForm: {
    ...looking,
    send: ({ server }) => ({ form: { server: server! } }),
    audit: ['remote.target.probe'],
    statements: 12,
  },
  datastoreMountConfirmForm: {
    ...looking,
    send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
    audit: ['remote.target.trust'],
    statements: 9,
  },
  datastoreMountLoginForm: step('Login', toLogin, ({ account }) => account, {
    audit: ['remote.target.login'],
    statements: 12,
  }),
  datastoreMountChooseForm: step('Hosts', loggedIn, () => ({ hosts: 'host-1' }), { statements: 12 }),
  // The job with its tasks, a statement each.
  datastoreMountRunForm: step('Mount', reviewed, ({ account }) => ({ password: account.password }), {
    audit: ['remote.datastore.queue'],
    statements: 16,
  }),
  datastoreMountTaskPage: {
    given: async (scene) => {
      const fake = await vcenter(scene);
      const walk = await (await reviewed(scene, fake)).send('Mount', { password: fake.account.password });
      return { server: nasServerOf(fake), job_id: walk.at.split('/').at(-1)! };
    },
    after: settled,
  },
};
