// Plans, jobs and tasks.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { instant, later } from '../../../shared/ground/clock.ts';
import type { Host } from '../../../shared/ground/machine/host.ts';
import { queueJob } from '../../../shared/kernel/jobs/job.ts';
import { LEASE_SECONDS } from '../../../shared/kernel/jobs/lease.ts';
import { loadInterfaces, type NetworkInterface } from '../../../shared/platform/interfaces/interface.ts';
import { until } from '../../setup/until.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

/** A job that waits, and that no runner here takes up: another one has it. */
async function job({ house }: Scene) {
  const { services } = house;
  const job_id = await services.store.write(async (tx) => {
    const tasks = [{ name: 'wait', title: 'Wait' }];
    const wanted = { kind: 'certificate-trust', subject: null, input: {}, created_by: 'test', tasks };
    const id = await queueJob(tx, services.clock.now(), services.entropy, wanted);
    const until = instant(later(services.clock.now(), LEASE_SECONDS));
    const held = "UPDATE job SET state = 'waiting', lease_owner = 'elsewhere/1/1', lease_until = ? WHERE id = ?";
    await tx.run(held, [until, id]);
    return id;
  });
  const row = await services.store.one<{ id: string }>('SELECT id FROM task WHERE job_id = ?', [job_id]);
  return { job_id, task_id: row!.id };
}

/** The job has ended: the other runner's lease would, and then it would run here, in the midst of another test. */
async function gone({ house }: Scene, { job_id }: Given) {
  await house.services.store.write((tx) =>
    tx.run("UPDATE job SET state = 'failed', lease_owner = NULL, lease_until = NULL WHERE id = ?", [job_id!]),
  );
}

/** Something that the host does not have in force. */
function change(scene: Scene) {
  const ipv4_cidr = `10.40.${scene.next() % 250}.1/24`;
  return scene.api('PATCH', '/api/v1/interfaces/physical/ens256', { role: 'route', enabled: true, ipv4_cidr });
}

/** A reviewed plan of a change that the unit `network` has not in force. */
async function plan(scene: Scene) {
  await change(scene);
  const heard = await scene.house.send('POST', '/ui/management/appliance-apply', {
    session: scene.admin,
    headers: { accept: '*/*' },
  });
  const plan_id = heard.headers.location?.split('/').pop() ?? '';
  if (!plan_id.startsWith('plan_')) throw new Error(`no plan was made: ${JSON.stringify(heard.headers)} ${heard.text}`);
  const row = await scene.house.services.store.one<{ digest: string }>('SELECT digest FROM plan WHERE id = ?', [
    plan_id,
  ]);
  return { plan_id, digest: row?.digest ?? '' };
}

async function submitted(scene: Scene) {
  const given = await plan(scene);
  const { plan_id, digest } = given;
  // The runner doesn't hear of the job, so that there is something left to stop.
  scene.house.appliance.runner.wake = () => undefined;
  const form = { digest: digest!, note: '' };
  const target = `/ui/management/appliance-apply/${plan_id}/submit`;
  const heard = await scene.house.send('POST', target, { session: scene.admin, form, headers: { accept: '*/*' } });
  if (heard.status !== 303) throw new Error(`the plan was not submitted: ${heard.text}`);
  return given;
}

/** An applied plan, and a change since then. */
async function former(scene: Scene) {
  const { plan_id, digest } = await plan(scene);
  const body = { digest, note: '' };
  await scene.api('POST', `/api/v1/apply/plans/${plan_id}/submit`, body);
  await scene.house.appliance.runner.idle();
  await change(scene);
  return { plan_id: plan_id! };
}

/** An applied network, of which one link has another MTU on the host when it is looked at next. */
async function drifted({ house, api, next }: Scene) {
  const ipv4_cidr = `10.41.${next() % 250}.1/24`;
  await api('PATCH', '/api/v1/interfaces/physical/ens256', { role: 'access', enabled: true, ipv4_cidr });
  const { body } = await api('POST', '/api/v1/apply/plans', { units: ['network'], reapply: true });
  await api('POST', `/api/v1/apply/plans/${body.id}/submit`, { digest: body.digest });
  await house.appliance.runner.idle();
  const { services } = house;
  const { host } = services;
  const rows = (await loadInterfaces(services.store)).filter(({ enabled }) => enabled);
  const mtu = (row: NetworkInterface) => (row.name === 'ens256' ? 1400 + (next() % 90) : row.mtu);
  const links = rows.map((row) => ({
    ...row,
    driver: null,
    mtu: mtu(row),
    link: 'up' as const,
    ipv4_cidrs: [row.ipv4_cidr].filter(Boolean),
    ipv6_cidrs: [row.ipv6_cidr].filter(Boolean),
    vlan: row.vlan_id === null ? null : { parent: row.parent_interface!, id: row.vlan_id },
  }));
  const routing = rows.filter(({ role }) => role === 'route');
  const shown: [RegExp, unknown][] = [
    [/ link show$/, links.map(({ name }) => ({ ifname: name, flags: ['UP'] }))],
    [/ -4 route /, rows.flatMap(({ name, ipv4_gateway: gateway }) => (gateway ? [{ dev: name, gateway }] : []))],
    [/ -6 route /, rows.flatMap(({ name, ipv6_gateway: gateway }) => (gateway ? [{ dev: name, gateway }] : []))],
    // What the role route is enforced by.
    [
      / rule /,
      [...routing.map(({ name }) => ({ priority: 32_000, iif: name })), { priority: 32_001, action: 'prohibit' }],
    ],
  ];
  const exec: Host['exec'] = async (program, args) => {
    const found = shown.find(([asked]) => asked.test(`${program} ${args.join(' ')}`))?.[1];
    return { code: 0, stdout: program === 'cat' ? '1\n1\n' : found ? JSON.stringify(found) : '', stderr: '' };
  };
  const look = async () => {
    services.host = host;
    return links;
  };
  services.host = { ...host, enforces: true, exec, links: look };
  unseen = () => {
    services.host = host;
  };
  return { unit: 'network' };
}

/** Takes the host back that was not looked at. */
let unseen: () => void = () => undefined;
const seen = async () => unseen();

const OVER = { local: '127.0.0.1', remote: '127.0.0.1' };

/** A plan that is in force and waits for its confirmation. */
async function waiting(scene: Scene) {
  const { plan_id, digest } = await plan(scene);
  const { house, admin } = scene;
  const body = { digest, confirm_timeout: 60 };
  const target = `/api/v1/apply/plans/${plan_id}/submit`;
  const heard = await house.send('POST', target, { token: admin.token, body, over: OVER });
  const state = () => house.services.store.one<{ state: string }>('SELECT state FROM plan WHERE id = ?', [plan_id]);
  await until(async () => (await state())?.state === 'confirming');
  return { plan_id, nonce: heard.body.confirm.nonce as string };
}

const NO_WINDOW = { plan_id: 'plan_none', nonce: 'none' };

/** A record of a confirm window that says nothing any more, and that no plan waits for. */
async function damaged({ house }: Scene): Promise<Given> {
  await mkdir(join(house.data, 'apply'), { recursive: true });
  await writeFile(join(house.data, 'apply/window.json'), '{"plan_id"');
  return {};
}

const repaired = ({ house }: Scene) => rm(join(house.data, 'apply/window.json'), { force: true });

/** Comes to its end, whether or not it was confirmed. */
async function settled(scene: Scene, { plan_id }: Given) {
  const { house, admin } = scene;
  if (plan_id === NO_WINDOW.plan_id) return;
  await house.send('POST', `/api/v1/apply/plans/${plan_id}/cancel`, { token: admin.token });
  await unlocked(scene);
}

/** Waits for the job that owns all mutations. */
async function unlocked({ house }: Scene) {
  await until(async () => !(await house.services.store.one('SELECT 1 FROM mutation_lock')));
}

/** The runner hears again. */
async function woken(scene: Scene) {
  delete (scene.house.appliance.runner as { wake?: unknown }).wake;
  await unlocked(scene);
}

export const APPLY: Scenarios = {
  createPlanForm: {
    given: async (scene) => {
      await change(scene);
      return {};
    },
    audit: ['plan.create'],
    // One of each unit that may want a certificate.
    statements: 42,
  },
  submitPlanForm: {
    given: plan,
    send: ({ digest }) => ({ form: { digest: digest!, note: 'contract' } }),
    audit: ['plan.submit'],
    after: unlocked,
    // Every unit of the plan is rendered again.
    statements: 34,
  },
  createPlan: {
    given: async (scene) => {
      await change(scene);
      return {};
    },
    status: 201,
    audit: ['plan.create'],
    // One of each unit that may want a certificate.
    statements: 42,
  },
  getPlan: { given: plan },
  submitPlan: {
    given: plan,
    audit: ['plan.submit'],
    after: unlocked,
    statements: 34,
  },
  confirmPlan: {
    given: waiting,
    unseen: NO_WINDOW,
    send: () => ({ over: OVER }),
    audit: ['plan.confirm'],
    after: settled,
    statements: 10,
  },
  confirmPlanForm: {
    given: waiting,
    unseen: NO_WINDOW,
    send: ({ nonce }) => ({ form: { nonce: nonce! }, over: OVER }),
    audit: ['plan.confirm'],
    after: settled,
    statements: 10,
  },
  extendPlan: {
    given: waiting,
    unseen: NO_WINDOW,
    audit: ['plan.extend'],
    after: settled,
    statements: 10,
  },
  extendPlanForm: {
    given: waiting,
    unseen: NO_WINDOW,
    send: () => ({ form: { confirm_timeout: '90' } }),
    audit: ['plan.extend'],
    after: settled,
    statements: 10,
  },
  clearConfirmWindow: {
    given: damaged,
    audit: ['window.clear'],
    after: repaired,
  },
  clearConfirmWindowForm: {
    given: damaged,
    send: () => ({ form: { reason: 'A disk went bad.' } }),
    audit: ['window.clear'],
    after: repaired,
  },
  cancelPlan: { given: submitted, audit: ['job.cancel'], after: woken, statements: 8 },
  dnsLegacyApply: { audit: ['dns.legacy_apply'], statements: 12 },
  dhcpLegacyApply: { audit: ['dhcp.legacy_apply'], statements: 12 },
  firewallLegacyApply: { audit: ['firewall.legacy_apply'], statements: 16 },
  cancelPlanForm: { given: submitted, audit: ['job.cancel'], after: woken, statements: 14 },
  planPage: { given: plan },
  // It reads and writes the rows of a unit, and makes a plan of all.
  // All of it twice: once to have it checked, once for good.
  restorePlan: { given: former, audit: ['plan.restore', 'plan.settle'], statements: 110 },
  restorePlanForm: { given: former, audit: ['plan.restore', 'plan.settle'], statements: 110 },
  restorePlanPage: { given: former },
  compareDrift: { audit: ['drift.compare'], statements: 14 },
  compareDriftForm: { audit: ['drift.compare'], statements: 14 },
  adoptDrift: { given: drifted, audit: ['drift.adopt'], after: seen, statements: 16 },
  adoptDriftForm: { given: drifted, audit: ['drift.adopt'], after: seen, statements: 16 },
  adoptDriftPage: { given: drifted, after: seen, statements: 16 },

  getJob: { given: job, after: gone, statements: 3 },
  jobPage: { given: job, after: gone },
  getTask: { given: job, after: gone },
  cancelJob: { given: job, after: gone, audit: ['job.cancel'], statements: 10 },
  cancelJobForm: { given: job, after: gone, audit: ['job.cancel'], statements: 10 },
};
