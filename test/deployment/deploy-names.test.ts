// A deployment from the wizard to an appliance with all three extras, whose address may stand in DNS: its records are saved
// as desired state with their audit event, shown by the next plan, and in force after it; it trusts our root, and has our depot.
import { X509Certificate } from 'node:crypto';
import { afterEach, expect, jest, test } from '@jest/globals';
import { depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';
import { pinnedClient } from '../../shared/vcf/connection/pinned-client.ts';
import { deploymentShell, replaceInShell } from '../../shared/vcf/deployment/shell.ts';
import { PACE } from '../../shared/vcf/remote-depot/patience.ts';
import { DEPOT_SUCCESS, readDepot } from '../../shared/vcf/vcf-api/depot.ts';
import { login } from '../../shared/vcf/vcf-api/session.ts';
import { ANSWERS, answerForLab, SECRETS, walkTo } from '../setup/deployment-scene.ts';
import { applyAll, DEPOT_PASSWORD } from '../setup/depot.ts';
import { APPLIANCE, DeployScene, NAME, outline } from './deploy-scene.ts';
import { detour } from './detour.ts';

jest.setTimeout(300_000);

const ADDRESS = ANSWERS['vami.ip0.SDDC-Manager']!;
const NAMED = `sddc01.lab.test A ${ADDRESS}`;

let scene: DeployScene | null = null;
let straight: (() => void) | null = null;
afterEach(async () => {
  await scene?.close();
  straight?.();
});

test('with all extras: the records are saved with their audit event, planned and applied', async () => {
  PACE.every_ms = 50;
  straight = detour(ADDRESS, APPLIANCE);
  /** Tables that each transaction wrote to. */
  const transactions: string[][] = [];
  scene = await DeployScene.open({
    depot: true,
    appliance: { depot: { account: { username: 'depot', password: DEPOT_PASSWORD } } },
    house: {
      observe(sql, connection) {
        if (connection !== 'writer') return;
        if (sql === 'BEGIN IMMEDIATE') transactions.push([]);
        const table = /^INSERT INTO (\w+)/.exec(sql)?.[1];
        if (table) transactions.at(-1)?.push(table);
      },
    },
  });
  const { house, vsphere, appliance, services } = scene;
  const admin = await house.actor('admin', undefined, 'ada');
  const api = async (method: string, path: string, body?: object) => {
    const heard = await house.send(method, `/api/v1${path}`, { token: admin.token, ...(body && { body }) });
    expect([method, path, heard.status < 300 ? 'well' : heard.text]).toEqual([method, path, 'well']);
    return heard.body;
  };
  await api('POST', '/dns/zones', { name: 'lab.test' });
  await api('PATCH', '/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] });
  const call = (method: string, path: string, body: object) => api(method, path.replace('/api/v1', ''), body);
  await applyAll(house, call);
  answerForLab(services);
  const { sha256 } = vsphere;
  replaceInShell(services, {
    questions: { ...deploymentShell(services).questions, tls: async () => ({ sha256 }) },
  });
  const { placement } = scene.typed();
  const walk = await walkTo(house, admin, vsphere, 'review', {
    appliance: { name: NAME },
    placement: {
      pool_id: placement.pool_id,
      host_id: placement.host_id!,
      datastore_id: placement.datastore_id,
      net0: placement.networks['Network 1']!,
    },
    after: { dns: 'yes', trust_root: 'yes', depot: 'yes' },
  });
  const typed = { ...SECRETS, password: vsphere.account.password, depot_password: DEPOT_PASSWORD };
  const before = await house.lastAudit();
  transactions.length = 0;
  await walk.send('Deploy', typed);
  const accept_warnings = /name="accept_warnings"[^>]*value="([^"]*)"/.exec(walk.html)?.[1];
  if (accept_warnings) await walk.send('Deploy', { ...typed, accept_warnings });
  expect(walk.at).toMatch(/\/tasks\/job_/);
  await house.appliance.runner.idle();
  const id = /job_\w+/.exec(walk.at)![0];

  const job = await api('GET', `/jobs/${id}`);
  expect([job.state, job.error]).toEqual(['succeeded', null]);
  expect(outline(job)).toMatchObject({ dns: 'succeeded', trust: 'succeeded', depot: 'succeeded', sync: 'succeeded' });
  expect(job.result).toMatchObject({ dns: expect.stringContaining(`Saved: ${NAMED}`), depot: 'configured' });

  // Saved, with its event in one transaction.
  const { items: saved } = await api('GET', '/dns/records?fqdn=sddc01.lab.test');
  expect(saved).toMatchObject([{ type: 'A', value: ADDRESS, zone: 'lab.test', owner: { source: 'vcf_helper' } }]);
  expect(transactions.filter((tables) => tables.includes('dns_record'))).toEqual([['dns_record', 'audit_event']]);
  const { items: events } = await api('GET', `/audit?request_id=${id}&action=dns.`);
  expect(events).toMatchObject([
    {
      ...{ action: 'dns.record.create', outcome: 'success', resource: { type: 'dns_record', id: saved[0].id } },
      ...{ actor: { name: 'appliance-deployment (ada)' }, detail: { value: ADDRESS, job_id: id } },
    },
  ]);

  // The next plan shows it and nothing else: a line of hosts, which answers for the name and for the address.
  const plan = await api('POST', '/apply/plans', {});
  expect(plan.units).toMatchObject([{ id: 'dns-dhcp', says: ['1 record is added: sddc01.lab.test A.'] }]);
  expect(plan.units[0].diff.rows).toEqual([{ setting: 'record sddc01.lab.test A', before: null, after: ADDRESS }]);
  expect(plan.units[0].raw).toContain(`\n+${ADDRESS} sddc01.lab.test\n`);
  await applyAll(house, call);
  expect(await api('POST', '/apply/plans', {})).toMatchObject({ plan_id: null, left_out: [] });

  // What the appliance itself says of the root and the depot.
  const endpoint = (await depotAvailability(services)).endpoint!;
  expect(appliance.trusted.map(({ certificate }) => new X509Certificate(certificate).fingerprint256)).toEqual([
    endpoint.ca_sha256,
  ]);
  const client = pinnedClient(job.result.appliance);
  const session = await login(client, appliance.account);
  const depot = await readDepot(session);
  client.close();
  expect(depot).toMatchObject({ url: endpoint.url, username: endpoint.username, status: DEPOT_SUCCESS });
  expect(await house.audited(before)).toEqual(
    expect.arrayContaining(['vcf-helper.deployment.queue', 'dns.record.create', 'vcf-helper.deployment.end']),
  );
});
