// The forms of tasks on remote machines, each posted from where the steps before it lead; the machine is a fake.
import { queueTrust } from '../../../shared/vcf/remote/trust-job.ts';
import { makeCertificate } from '../../fakes/tls-target.ts';
import type { VcfAppliance } from '../../fakes/vcf-appliance.ts';
import { IMPORT, loggedIn, manager, permitLoopback, serverOf, TRUST, toLogin } from '../../setup/remote-scene.ts';
import { formOf, type Walk } from '../../setup/wizard-walk.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const CA = makeCertificate({ subject: '/O=Lab/CN=Lab root', names: '' });
const running = new Map<string, VcfAppliance>();

/** A fake of this request alone; `settled` stops it. */
async function fake({ house, admin }: Scene): Promise<VcfAppliance> {
  await permitLoopback(house, admin);
  const started = await manager();
  running.set(serverOf(started), started);
  return started;
}

async function settled({ house }: Scene, { server }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(server!)?.stop();
  running.delete(server!);
}

const placeOf = ({ at, house }: Walk, { account }: VcfAppliance): Given => {
  const { server = '', trust = '', draft = '' } = Object.fromEntries(new URL(at, house.origin).searchParams);
  return { server, trust, draft, ...account };
};

const looking: Scenario = {
  given: async (scene) => {
    const { sha256, ...started } = await fake(scene);
    return { server: serverOf(started as VcfAppliance), sha256 };
  },
  after: settled,
};

const serverScenario: Scenario = {
  ...looking,
  send: ({ server }) => ({ form: { server: server! } }),
  audit: ['remote.target.probe'],
  statements: 12,
};

const confirmScenario: Scenario = {
  ...looking,
  send: ({ server, sha256 }) => ({ form: { server: server!, sha256: sha256!, confirm: 'yes' } }),
  audit: ['remote.target.trust'],
  statements: 9,
};

/** The login that the place was made with. */
const login = ({ server, trust, draft = '', username, password }: Given) => ({
  form: { server: server!, trust: trust!, draft, username: username!, password: password! },
});
/** The same, from the review that was shown. */
const reviewed = (given: Given) => {
  const { form } = login(given);
  return { form: { ...form, reviewed: given.reviewed! } };
};
const markOf = (walk: Walk, label: string): Given => Object.fromEntries(formOf(walk.html, label).fields);

const loginScenario = (path: string): Scenario => ({
  given: async (scene) => {
    const started = await fake(scene);
    return placeOf(await toLogin(scene.house, scene.admin, path, started), started);
  },
  send: login,
  after: settled,
  audit: ['remote.target.login'],
  statements: 10,
});

async function chosen(scene: Scene): Promise<{ walk: Walk; given: Given }> {
  const started = await fake(scene);
  const walk = await loggedIn(scene.house, scene.admin, IMPORT, started);
  const ref = formOf(walk.html, 'Passwords').fields.find(([name]) => name === 'picks')![1];
  return { walk, given: { ...placeOf(walk, started), ref, new_vault: `imported-${scene.next()}` } };
}

const selected = ({ server, trust, draft, ref, new_vault }: Given) => ({
  ...{ server: server!, trust: trust!, draft: draft!, into: '', new_vault: new_vault! },
  ...{ picks: ref!, [`key.${ref}`]: 'esx01.root' },
});

export const REMOTE_WIZARD: Scenarios = {
  passwordImportServerForm: serverScenario,
  passwordImportConfirmForm: confirmScenario,
  passwordImportLoginForm: loginScenario(IMPORT),
  passwordImportSelectForm: {
    given: async (scene) => (await chosen(scene)).given,
    send: (given) => ({ form: selected(given) }),
    after: settled,
    statements: 8,
  },
  passwordImportForm: {
    given: async (scene) => {
      const { walk, given } = await chosen(scene);
      await walk.send('Passwords', { picks: [given.ref!], into: '', new_vault: given.new_vault! });
      return { ...given, reviewed: markOf(walk, 'Import').reviewed! };
    },
    send: reviewed,
    after: settled,
    audit: ['vault.create', 'vault.import'],
    statements: 16,
  },

  certificateTrustServerForm: serverScenario,
  certificateTrustConfirmForm: confirmScenario,
  certificateTrustLoginForm: loginScenario(TRUST),
  certificateTrustCertificateForm: {
    given: async (scene) => {
      const started = await fake(scene);
      return placeOf(await loggedIn(scene.house, scene.admin, TRUST, started), started);
    },
    send: ({ server, trust, draft }) => ({
      form: { server: server!, trust: trust!, draft: draft!, certificate: CA.cert },
    }),
    after: settled,
  },
  // The job with its five tasks, and the runner's first look for it.
  certificateTrustForm: {
    given: async (scene) => {
      const started = await fake(scene);
      const walk = await loggedIn(scene.house, scene.admin, TRUST, started);
      await walk.send('Certificate', { certificate: CA.cert });
      return { ...placeOf(walk, started), reviewed: markOf(walk, 'Trust').reviewed! };
    },
    send: reviewed,
    after: settled,
    audit: ['remote.certificate.queue'],
    statements: 16,
  },

  continueJobForm: {
    async given({ house }) {
      const { store, clock, entropy } = house.services;
      const target = { host: '192.0.2.1', port: 1, address: '192.0.2.1', sha256: 'no fingerprint' };
      const certificate = { pem: CA.cert, sha256: CA.sha256, subject: 'CN=Lab root' };
      const job_id = await store.write(async (tx) => {
        const id = await queueTrust(tx, { clock, entropy }, { target, certificate, stored: null }, 'ada');
        const error = JSON.stringify({ error_code: 'remote_credential_gone' });
        await tx.run("UPDATE job SET state = 'failed', error = ?, finished_at = created_at WHERE id = ?", [error, id]);
        return id;
      });
      return { job_id };
    },
    send: () => ({ form: { username: 'admin@local', password: 'a typed password' } }),
    after: ({ house }) => house.appliance.runner.idle(),
    audit: ['job.continue'],
    statements: 11,
  },

  updateRemoteSettingsForm: {
    given: async (scene) => {
      const { body } = await scene.api('GET', '/api/v1/remote/settings');
      return { network: `10.${scene.next() & 255}.0.0/16`, revision: String(body.revision) };
    },
    send: ({ network, revision }) => ({ form: { allowed_networks: network!, revision: revision! } }),
    audit: ['remote.settings.update'],
  },
};
