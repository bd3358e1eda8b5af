// A lived-in appliance: interfaces, VLANs, zones, records, users, tokens, a plan that was applied and one that waits.
// What the browser tests look at; names and addresses are those of a small VMware lab.
import { beginTotp, useStep } from '../../shared/kernel/access/second-factor/factor-store.ts';
import { furnishAlerts } from './furnish-alerts.ts';
import { furnishDeployment } from './furnish-deployment.ts';
import { furnishDepot } from './furnish-depot.ts';
import { furnishDhcp } from './furnish-dhcp.ts';
import { furnishHistory } from './furnish-history.ts';
import { furnishKms } from './furnish-kms.ts';
import { furnishLogs } from './furnish-logs.ts';
import { furnishOidc } from './furnish-oidc.ts';
import { furnishUnits } from './furnish-units.ts';
import { furnishVaults } from './furnish-vaults.ts';
import type { Credentials, House } from './house.ts';
import { plainRequest } from './signing-request.ts';

export interface Furnished {
  /** A value for each path parameter of a page. */
  parameters: Record<string, string>;
  /** A query for pages that need one. */
  queries: Record<string, string>;
  /** Addresses of pages that need another sample than the rest. */
  addresses: Record<string, string>;
}

const VLANS: [number, string][] = [
  [20, '172.16.20.2/24'],
  [30, '172.16.30.2/24'],
];

const RECORDS: [string, string, string][] = [
  ['vc01.lab.example', 'A', '172.16.20.10'],
  ['vc01.lab.example', 'AAAA', 'fd00:20::10'],
  ['nsx01.lab.example', 'A', '172.16.20.11'],
  ['sddcm.lab.example', 'A', '172.16.20.12'],
  ['esx01.lab.example', 'A', '172.16.30.21'],
  ['esx02.lab.example', 'A', '172.16.30.22'],
  ['esx03.lab.example', 'A', '172.16.30.23'],
  ['vcenter.lab.example', 'CNAME', 'vc01.lab.example'],
  ['_ldap._tcp.lab.example', 'SRV', '0 10 389 vc01.lab.example'],
  ['lab.example', 'MX', '10 mail.lab.example'],
  ['lab.example', 'TXT', 'v=spf1 -all'],
  ['lab.example', 'CAA', '0 issue "ca.lab.example"'],
  ['mail.lab.example', 'A', '172.16.20.25'],
];

export async function furnish(house: House, admin: Credentials): Promise<Furnished> {
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await house.send(method, path, { token: admin.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  await call('PATCH', '/api/v1/interfaces/physical/ens224', {
    role: 'access',
    ipv4_cidr: '192.168.10.2/24',
    enabled: true,
  });
  await call('PATCH', '/api/v1/interfaces/physical/ens256', { mode: 'trunk', enabled: true });
  let vlan = { id: '' };
  for (const [vlan_id, ipv4_cidr] of VLANS)
    vlan = await call('POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id, ipv4_cidr });
  await call('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens224', 'ens256.20'] });
  const zone = await call('POST', '/api/v1/dns/zones', { name: 'lab.example', description: 'The management domain' });
  await call('POST', '/api/v1/dns/zones', { name: '20.16.172.in-addr.arpa' });
  await call('POST', '/api/v1/dns/records/bulk', {
    records: RECORDS.map(([fqdn, type, value]) => ({ fqdn, type, value })),
  });
  const records = await house.send('GET', '/api/v1/dns/records?fqdn=vc01.lab.example', { token: admin.token });
  const dhcp = await furnishDhcp(call);
  const units = await furnishUnits(call);
  const kms = await furnishKms(house.services, call);
  await furnishHistory(house);
  furnishLogs(house);
  const oidc = await furnishOidc(house.services, call);
  const alerts = await furnishAlerts(house.services, call);
  const depot = await furnishDepot(house.services, call);
  const vaults = await furnishVaults(call);
  const archive = await call('POST', '/api/v1/archives', { encryption: 'none' });
  await call('PATCH', '/api/v1/public-pages/settings', { certificate_requests: true, status: true });
  const asked = await askAs(house, admin);
  const target = await call('POST', '/api/v1/archives/schedule/targets', {
    ...{ name: 'backup01', kind: 'sftp', host: 'backup01.lab.example', username: 'groundcrew', path: 'archives' },
    password: 'kept for backup01',
  });
  const operator = await house.actor('network-admin', ['read:interfaces', 'write:vlans'], 'olga');
  const applied = await apply(house, admin, 'First bring-up of the lab');
  await call('POST', '/api/v1/dns/records', { fqdn: 'esx04.lab.example', type: 'A', value: '172.16.30.24' });
  await call('PATCH', `/api/v1/vlans/${vlan.id}`, { ipv4_cidr: '172.16.31.2/24' });
  const waiting = await review(house, admin);
  const jobs = await house.send('GET', '/api/v1/jobs', { token: admin.token });
  return {
    parameters: {
      ...dhcp,
      ...units,
      ...depot,
      ...vaults,
      ...kms,
      ...oidc,
      ...alerts,
      archive_id: archive.id,
      target_id: target.id,
      name: 'ens224',
      vlan_id: vlan.id,
      zone_id: zone.id,
      record_id: records.body.items[0].id,
      user_id: operator.user.id,
      factor_id: await authenticator(house, admin),
      unit: 'network',
      plan_id: waiting || applied,
      job_id: jobs.body.items[0].id,
      kind: 'validation',
      subject: 'apply',
    },
    addresses: {
      ...(await furnishDeployment(house.services, kms)),
      '/ui/public/ca/requests/{request_id}': `/ui/public/ca/requests/${asked}`,
      '/ui/management/appliance-apply/{plan_id}/restore': `/ui/management/appliance-apply/${applied}/restore`,
    },
    queries: {
      '/ui/management/search': '?q=vc01',
      '/ui/management/dns/records/new': `?zone=${zone.id}`,
      '/ui/management/dhcp/scopes/new': '?interface=ens224',
      '/ui/management/dhcp/reservations/new': '?ip_address=172.16.20.35',
    },
  };
}

/** A certificate request of the user himself, as the public pages make it. */
async function askAs(house: House, admin: Credentials): Promise<string> {
  const form = { csr: plainRequest().csr, profile: 'server', note: 'Test bench in rack 3' };
  const path = '/ui/management/certificate-authority/requests/new';
  const { headers } = await house.send('POST', path, { session: admin, form });
  return headers.location!.split('/').at(-1)!;
}

/** An authenticator of the admin, who from now on signs in with it. */
async function authenticator({ services }: House, { user }: Credentials): Promise<string> {
  return services.store.write(async (tx) => {
    const { id } = await beginTotp(tx, services, user.id, 'Phone');
    await useStep(tx, id, 1, services.clock.now());
    return id;
  });
}

/** Makes a plan and answers its id. */
async function review(house: House, admin: Credentials): Promise<string> {
  const answer = await house.send('POST', '/ui/management/appliance-apply', { session: admin });
  return answer.headers.location?.split('/').at(-1) ?? '';
}

/** Reviews, submits, and waits for the end. */
async function apply(house: House, admin: Credentials, note: string): Promise<string> {
  const plan_id = await review(house, admin);
  const { store } = house.services;
  const plan = await store.one<{ digest: string }>('SELECT digest FROM plan WHERE id = ?', [plan_id]);
  const sent = await house.send('POST', `/ui/management/appliance-apply/${plan_id}/submit`, {
    session: admin,
    form: { digest: plan!.digest, note },
  });
  if (sent.status !== 303) throw new Error(`submit: ${sent.status} ${sent.text}`);
  await house.appliance.runner.idle();
  return plan_id;
}
