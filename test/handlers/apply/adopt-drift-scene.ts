// What the tests of adopting drift share: an appliance whose network was applied, and a host that a hand can change.
import { expect } from '@jest/globals';
import { scheduled as detectDrift } from '../../../handlers/scheduled/detect-drift.ts';
import type { Host, ObservedLink } from '../../../shared/ground/machine/host.ts';
import { READER_DONE } from '../../../shared/platform/host/networkd.ts';
import { type Credentials, type Heard, House, LINKS } from '../../setup/house.ts';

const PLANS = '/api/v1/apply/plans';
export const ADOPT = '/api/v1/apply/drift/network/adopt';
export const PAGE = '/ui/management/appliance-apply/drift/network/adopt';

interface Route {
  dev?: string;
  gateway?: string;
  protocol?: string;
  nexthops?: { dev: string }[];
}

/** A host that enforces nothing real: its links are what the test says. */
class Hand {
  links: ObservedLink[] = [];
  down = new Set<string>();
  /** Addresses with a lifetime. */
  lent = new Set<string>();
  routes: Route[] = [];
  broken = false;

  reset() {
    const [ens192, ens224, ens256] = structuredClone(LINKS) as [ObservedLink, ObservedLink, ObservedLink];
    ens224.ipv4_cidrs = ['10.20.0.1/24'];
    const vlan = { ...structuredClone(ens256), name: 'ens256.30', ipv4_cidrs: ['10.30.0.1/24'] };
    this.links = [ens192, ens224, ens256, { ...vlan, vlan: { parent: 'ens256', id: 30 } }];
    this.down = new Set();
    this.lent = new Set();
    this.routes = [{ dev: 'ens224', gateway: '10.20.0.254' }];
    this.broken = false;
  }

  link(name: string): ObservedLink {
    return this.links.find((link) => link.name === name)!;
  }

  private shown(args: string[]): unknown[] {
    if (args.includes('rule')) return [];
    if (args.includes('route'))
      return this.routes.filter(({ gateway = '' }) => args.includes('-6') === gateway.includes(':'));
    return this.links.map(({ name, ipv4_cidrs, ipv6_cidrs }) => ({
      ifname: name,
      flags: this.down.has(name) ? [] : ['UP', 'LOWER_UP'],
      addr_info: [...ipv4_cidrs, ...ipv6_cidrs].map((cidr) => {
        const [local, prefix] = cidr.split('/');
        return { local, prefixlen: Number(prefix), scope: 'global', dynamic: this.lent.has(cidr), broadcast: '-' };
      }),
    }));
  }

  host = (rehearsal: Host): Host => ({
    ...rehearsal,
    kind: 'namespace',
    label: 'Namespace test',
    enforces: true,
    links: async () => this.links,
    daemonRunning: async () => false,
    exec: async (program, args) => {
      // There is no packet filter, and so none to compare with.
      if (program === 'nft' && args.includes('list'))
        return { code: 1, stdout: '', stderr: 'No such file or directory\n' };
      if (program === 'unshare') return { code: 0, stdout: `${READER_DONE}\n`, stderr: '' };
      if (program !== 'ip') return { code: 0, stdout: '', stderr: '' };
      if (this.broken) return { code: 1, stdout: '', stderr: 'Cannot open netlink socket\n' };
      return { code: 0, stdout: args.includes('show') ? JSON.stringify(this.shown(args)) : '', stderr: '' };
    },
  });
}

export const hand = new Hand();
export let house: House;
export let admin: Credentials;

export const api = (method: string, path: string, body?: unknown, token = admin.token): Promise<Heard> =>
  house.send(method, path, { token, ...(body !== undefined && { body }) });

export async function saved(method: string, path: string, body: unknown) {
  const heard = await api(method, path, body);
  expect([heard.status < 300, heard.text]).toEqual([true, heard.text]);
  return heard.body;
}

export async function applied(body: object) {
  const plan = await saved('POST', PLANS, body);
  await saved('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest });
  await house.appliance.runner.idle();
  const ended = (await api('GET', `${PLANS}/${plan.id}`)).body;
  const { error } = (await api('GET', `/api/v1/jobs/${ended.job_id}`)).body;
  expect([ended.state, error]).toEqual(['applied', null]);
}

export const physical = (name: string) => `/api/v1/interfaces/physical/${name}`;

/** A management NIC, an access NIC with a default route, and a trunk with a VLAN: saved, applied, and so on the host. */
export async function furnished() {
  hand.reset();
  house = await House.open({ host: hand.host, links: hand.links });
  admin = await house.actor();
  await saved('PATCH', '/api/v1/firewall/settings', { enabled: false });
  const lab = { role: 'access', ipv4_cidr: '10.20.0.1/24', ipv4_gateway: '10.20.0.254', enabled: true };
  await saved('PATCH', physical('ens224'), lab);
  await saved('PATCH', physical('ens256'), { mode: 'trunk', enabled: true });
  await saved('POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id: 30, ipv4_cidr: '10.30.0.1/24' });
  await applied({});
}

const look = () => detectDrift.handler({ source: 'groundcrew.ticker', id: 'detectDrift', time: '' }, house);
export const report = async (unit = 'network') => {
  await look();
  const { items } = (await api('GET', '/api/v1/apply/drift')).body;
  return items.find((item: { unit: string }) => item.unit === unit);
};
export const page = async (path = PAGE) =>
  (await house.send('GET', path, { session: admin })).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** `ens224 mtu 1500 → 1400`. */
export const changes = ({ body }: Heard): string[] =>
  body.interfaces.flatMap(
    ({ name, changed }: { name: string; changed: { property: string; from: unknown; to: unknown }[] }) =>
      changed.map(({ property, from, to }) => `${name} ${property} ${String(from)} → ${String(to)}`),
  );
export const blockers = ({ body }: Heard): string[] =>
  (body.blockers ?? []).map(({ subject, reason }: { subject: string; reason: string }) => `${subject}: ${reason}`);
