// The forms of the wizard that deploys a service manager, each posted from where the steps before it lead; the vSphere can
// be looked at and logged in to, and what is queued waits.
import { startVsphereLite, type VsphereLite } from '../../fakes/vsphere-lite.ts';
import { answerForLab, putOva, SECRETS, type StepName, sentBy, walkTo } from '../../setup/deployment-scene.ts';
import { permitLoopback } from '../../setup/remote-scene.ts';
import type { Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const running = new Map<string, VsphereLite>();

async function lite({ house, admin }: Scene): Promise<VsphereLite> {
  await permitLoopback(house, admin);
  await putOva(house.services);
  answerForLab(house.services);
  const started = await startVsphereLite();
  running.set(`${started.host}:${started.port}`, started);
  return started;
}

/** A job that was queued meets a target that imports nothing; it is over before the next scenario begins. */
async function settled({ house }: Scene, { server }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(server!)?.stop();
  running.delete(server!);
}

async function at(scene: Scene, step: StepName): Promise<{ walk: Walk; fake: VsphereLite }> {
  const fake = await lite(scene);
  const appliance = { name: `sddc${scene.next()}` };
  return { walk: await walkTo(scene.house, scene.admin, fake, step, { appliance }), fake };
}

const looking: Scenario = {
  given: async (scene) => {
    const { host, port, sha256 } = await lite(scene);
    return { server: `${host}:${port}`, sha256 };
  },
  after: settled,
};

/** The form of a step as its page holds it, with what is typed there. */
const step = (name: StepName, label: string, typed: Given = {}, more: Partial<Scenario> = {}): Scenario => ({
  given: async (scene) => {
    const { walk, fake } = await at(scene, name);
    return { ...sentBy(walk, label), ...(name === 'login' && fake.account), ...typed };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

/** Passwords of the review; that of the login is the fake's. */
const review = (more: Partial<Scenario>): Scenario => ({
  given: async (scene) => {
    const { walk, fake } = await at(scene, 'review');
    return { ...sentBy(walk, 'Deploy'), ...SECRETS, password: fake.account.password };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

export const DEPLOYMENT: Scenarios = {
  sddcManagerDeploymentServerForm: {
    ...looking,
    send: ({ server }) => ({ form: { server: server! } }),
    audit: ['remote.target.probe'],
    statements: 12,
  },
  sddcManagerDeploymentConfirmForm: {
    ...looking,
    send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
    audit: ['remote.target.trust'],
    statements: 9,
  },
  sddcManagerDeploymentLoginForm: step('login', 'Login', {}, { audit: ['remote.target.login'], statements: 10 }),
  sddcManagerApplianceForm: step('appliance', 'Appliance', { eula: 'yes' }),
  sddcManagerPlacementForm: step('placement', 'Placement'),
  sddcManagerPropertiesForm: step('properties', 'Properties'),
  sddcManagerAfterForm: step('after', 'After the start'),
  sddcManagerCheckForm: review({ audit: ['vcf-helper.deployment.check'], statements: 10 }),
  // The job with its thirteen tasks, a statement each, and the name that it owns.
  sddcManagerDeployForm: review({ audit: ['vcf-helper.deployment.queue'], statements: 28 }),

  sddcManagerTaskPage: {
    given: async (scene) => {
      const { walk, fake } = await at(scene, 'review');
      await walk.send('Deploy', { ...SECRETS, password: fake.account.password });
      const server = `${fake.host}:${fake.port}`;
      return { server, job_id: walk.at.split('/').at(-1)! };
    },
    after: settled,
  },
};
