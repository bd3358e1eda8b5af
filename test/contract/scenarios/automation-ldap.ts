// LDAP of VCF Automation: each form posted from where the steps before it lead; the product is a fake, and a directory is in
// force here as far as its files go.
import { ENTRIES_FILE, LISTEN_FILE } from '../../../shared/services/ldap/files.ts';
import type { VcfAutomation } from '../../fakes/vcf-automation.ts';
import { CHOSEN, furnishDirectory, makeRoot, PASSWORDS, putInForce } from '../../setup/automation-ldap-house.ts';
import { automation, configured, loggedIn, reviewed, serverOf, toLogin } from '../../setup/automation-ldap-scene.ts';
import { permitLoopback } from '../../setup/remote-scene.ts';
import { formOf, type Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const running = new Map<string, VcfAutomation>();

async function product({ house, admin }: Scene): Promise<VcfAutomation> {
  await permitLoopback(house, admin);
  await makeRoot(house);
  const { items } = (await house.send('GET', '/api/v1/ldap/organizations?slug=automation-lab', { token: admin.token }))
    .body;
  if (items.length === 0) await furnishDirectory(house, admin);
  await putInForce(house);
  const fake = await automation();
  running.set(serverOf(fake), fake);
  return fake;
}

/** A job that was queued comes to its end before the next scenario begins. */
async function settled({ house }: Scene, { server }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(server!)?.stop();
  running.delete(server!);
  for (const path of [ENTRIES_FILE, LISTEN_FILE]) await house.appliance.services.host.remove(path);
}

const looking: Scenario = {
  given: async (scene) => {
    const fake = await product(scene);
    return { server: serverOf(fake), sha256: fake.sha256 };
  },
  after: settled,
};

/** The form of a step as its page holds it, with what is typed there. */
const step = (
  label: string,
  walked: (house: Scene['house'], who: Scene['admin'], fake: VcfAutomation) => Promise<Walk>,
  typed: (fake: VcfAutomation) => Given,
  more: Partial<Scenario>,
): Scenario => ({
  given: async (scene) => {
    const fake = await product(scene);
    const walk = await walked(scene.house, scene.admin, fake);
    const held = formOf(walk.html, label).fields.filter(([name]) => name !== 'csrf');
    return { ...Object.fromEntries(held), ...typed(fake) };
  },
  send: (form) => ({ form }),
  after: settled,
  ...more,
});

export const AUTOMATION_LDAP: Scenarios = {
  automationLdapServerForm: {
    ...looking,
    send: ({ server }) => ({ form: { server: server! } }),
    audit: ['remote.target.probe'],
    statements: 12,
  },
  automationLdapConfirmForm: {
    ...looking,
    send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
    audit: ['remote.target.trust'],
    statements: 9,
  },
  automationLdapLoginForm: step('Login', toLogin, ({ account }) => account, {
    audit: ['remote.target.login'],
    statements: 11,
  }),
  automationLdapChooseForm: step('Directory', loggedIn, () => CHOSEN, { statements: 9 }),
  // The hashes of two accounts are read, and a job is queued with its tasks, a statement each.
  automationLdapConfigureForm: step(
    'Configure',
    reviewed,
    ({ account }) => ({ password: account.password, ...PASSWORDS }),
    { audit: ['remote.automation-ldap.queue'], statements: 26 },
  ),

  automationLdapTaskPage: {
    given: async (scene) => {
      const fake = await product(scene);
      const walk = await configured(scene.house, scene.admin, fake);
      return { server: serverOf(fake), job_id: walk.at.split('/').at(-1)! };
    },
    after: settled,
  },
};
