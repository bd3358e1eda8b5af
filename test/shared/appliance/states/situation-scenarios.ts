// Built situations of a whole appliance: what leads there, and what every place says then.
import { detectDrift } from '../../../../shared/appliance/apply/drift.ts';
import { writeDrift, writeProbes } from '../../../../shared/appliance/apply/drift-store.ts';
import { enforcementOf } from '../../../../shared/appliance/apply/enforcement-of.ts';
import type { StateId } from '../../../../shared/appliance/states/standing.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import type { UnitId } from '../../../../shared/platform/unit-names.ts';
import { until } from '../../../setup/until.ts';
import { api, apply, dnsOn, house, open, record, scope, submit, zone } from './states-scene.ts';

const fault = (code: string) => Object.assign(new Error(`${code}: no space left on device`), { code });

/** Applied, with the name service on; then an interface is edited. */
async function edited(options: Parameters<typeof open>[0] = {}): Promise<void> {
  await open(options);
  await dnsOn();
  await apply();
  await api('PATCH', 'interfaces/physical/ens192', { mtu: 1400 });
}

export interface Expected {
  states: Partial<Record<UnitId, StateId>>;
  pending: UnitId[];
  /** What the audit log has of applies, plans and the host, without the plan that is made to look at it. */
  audit: string[];
  /** What the page of a service says where that is not what its unit is. */
  services?: { dns?: StateId; dhcp?: StateId };
  /** Rows by the page of their list and what they begin with. */
  rows?: readonly (readonly [path: string, begins: string, state: StateId])[];
  /** Of the newest plan, as the history and the overview say it. */
  plan?: string;
  /** While a window is open its strip stands in the place of what is pending, and no plan is made. */
  window?: true;
}

const OFF = { ntp: 'off', 'private-cloud-services': 'off', 'network-boot': 'off' } as const;

/** Built situations of a whole appliance: what leads there, and what every place says then. */
export const SITUATIONS: [string, () => Promise<void>, Expected][] = [
  [
    'fresh',
    async () => open(),
    {
      states: { network: 'pending', firewall: 'pending', 'dns-dhcp': 'off', ...OFF },
      pending: ['network', 'firewall'],
      audit: [],
      rows: [
        ['/interfaces', 'ens192', 'pending'],
        ['/interfaces', 'ens224', 'off'],
      ],
    },
  ],
  [
    'saved only',
    async () => {
      await open();
      await dnsOn();
    },
    {
      states: { 'dns-dhcp': 'pending', ...OFF },
      pending: ['network', 'firewall', 'dns-dhcp'],
      audit: [],
      services: { dhcp: 'off' },
    },
  ],
  [
    'a service filled while it is off',
    async () => {
      await open();
      await apply();
      await scope();
      await zone();
      await record('a.lab.test', '10.10.0.7');
    },
    {
      states: { network: 'rehearsed', firewall: 'rehearsed', 'dns-dhcp': 'off', ...OFF },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      rows: [
        ['/dhcp', 'lab', 'saved'],
        ['/dns', 'lab.test', 'saved'],
        ['/interfaces', 'ens192', 'rehearsed'],
      ],
      plan: 'Applied',
    },
  ],
  [
    'first apply, as a rehearsal',
    async () => {
      await open();
      await dnsOn();
      await apply();
    },
    {
      states: { network: 'rehearsed', firewall: 'rehearsed', 'dns-dhcp': 'rehearsed', ...OFF },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
    },
  ],
  [
    'an edit and its opposite',
    async () => {
      await open();
      await dnsOn();
      await apply();
      const { id } = await zone();
      await api('DELETE', `dns/zones/${id}`);
    },
    {
      states: { 'dns-dhcp': 'rehearsed' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
    },
  ],
  [
    'edited after an apply',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await zone();
    },
    {
      states: { network: 'rehearsed', 'dns-dhcp': 'pending' },
      pending: ['dns-dhcp'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
      rows: [['/dns', 'lab.test', 'pending']],
      plan: 'Applied',
    },
  ],
  [
    'switched off, not applied',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await api('PATCH', 'dns-dhcp/settings', { enabled: false });
    },
    {
      states: { 'dns-dhcp': 'pending' },
      pending: ['firewall', 'dns-dhcp'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
    },
  ],
  [
    'switched off and applied',
    async () => {
      await open();
      await dnsOn();
      await apply();
      await api('PATCH', 'dns-dhcp/settings', { enabled: false });
      await apply();
    },
    {
      states: { 'dns-dhcp': 'off' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create', 'plan.submit', 'apply.succeeded'],
    },
  ],
  [
    'a part of it applied',
    async () => {
      await open();
      await apply();
      await dnsOn();
      await api('PATCH', 'interfaces/physical/ens192', { mtu: 1400 });
      await apply(['firewall']);
    },
    {
      states: { network: 'pending', firewall: 'rehearsed' },
      pending: ['network'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
      rows: [['/interfaces', 'ens192', 'pending']],
    },
  ],
  [
    'a plan that is stale',
    async () => {
      await open();
      await apply();
      await dnsOn();
      await api('POST', 'apply/plans', {});
      await zone();
    },
    {
      states: { 'dns-dhcp': 'pending' },
      pending: ['firewall', 'dns-dhcp'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create'],
      services: { dhcp: 'off' },
      plan: 'Open for review',
    },
  ],
  [
    'a file that somebody changed',
    async () => {
      await open();
      await dnsOn();
      await zone();
      await apply();
      await house.services.host.write({ path: '/etc/groundcrew/dnsmasq/dnsmasq.conf', content: 'x', mode: 0o644 });
      await detectDrift(house.services, UNITS);
    },
    {
      states: { 'dns-dhcp': 'drifted', network: 'rehearsed' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'drift.found'],
      services: { dhcp: 'off' },
      rows: [['/dns', 'lab.test', 'drifted']],
    },
  ],
  [
    'a service that does not answer',
    async () => {
      await open();
      await dnsOn();
      await zone();
      await apply();
      const at = '2026-11-23T10:00:00Z';
      const silent = { ok: false, said: '10.10.0.5 did not answer.', asked_at: at, since: at };
      await house.services.store.write((tx) => writeProbes(tx, new Map([['dns-dhcp', silent]])));
    },
    {
      states: { 'dns-dhcp': 'failing' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
      rows: [['/dns', 'lab.test', 'failing']],
    },
  ],
  [
    'a plan in its confirm window',
    async () => {
      await edited();
      const id = await submit(undefined, { confirm_timeout: 600 });
      await until(async () => (await api('GET', `apply/plans/${id}`)).state === 'confirming');
    },
    {
      states: { network: 'pending', 'dns-dhcp': 'rehearsed' },
      pending: ['network'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create', 'plan.submit'],
      services: { dhcp: 'off' },
      rows: [['/interfaces', 'ens192', 'pending']],
      plan: 'Waits for confirmation',
      window: true,
    },
  ],
  [
    'a plan that was rolled back, since nobody confirmed it',
    async () => {
      await edited();
      const id = await submit(undefined, { confirm_timeout: 600 });
      await until(async () => (await api('GET', `apply/plans/${id}`)).state === 'confirming');
      await enforcementOf(house.services).window.extend(id, 1);
      await until(async () => (await api('GET', `apply/plans/${id}`)).state === 'reverted');
      await house.appliance.runner.idle();
    },
    {
      states: { network: 'pending', 'dns-dhcp': 'rehearsed' },
      pending: ['network'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create', 'plan.submit', 'apply.reverted'],
      services: { dhcp: 'off' },
      rows: [['/interfaces', 'ens192', 'pending']],
      plan: 'Rolled back',
    },
  ],
  [
    'an apply that failed',
    async () => {
      let full = false;
      const write = (rehearsal: Host): Host => ({
        ...rehearsal,
        write: (file) => (full ? Promise.reject(fault('ENOSPC')) : rehearsal.write(file)),
      });
      await edited({ host: write });
      full = true;
      await apply();
    },
    {
      states: { network: 'pending', 'dns-dhcp': 'rehearsed' },
      pending: ['network'],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'plan.create', 'plan.submit', 'apply.failed'],
      services: { dhcp: 'off' },
      rows: [['/interfaces', 'ens192', 'pending']],
      plan: 'Failed',
    },
  ],
  [
    'a host that cannot be read',
    async () => {
      await open();
      await dnsOn();
      await apply();
      const at = '2026-11-23T10:00:00Z';
      const drift = { state: 'unreadable' as const, checked_at: at, first_seen_at: null, last_seen_at: null };
      const found = { ...drift, lines: ['the bus did not answer'], more: 0 };
      await house.services.store.write((tx) => writeDrift(tx, new Map([['network', found]])));
    },
    {
      states: { network: 'rehearsed', 'dns-dhcp': 'rehearsed' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
      rows: [['/interfaces', 'ens192', 'rehearsed']],
    },
  ],
  [
    'an interface that somebody changed',
    async () => {
      await open();
      await apply();
      const path = '/etc/systemd/network/40-groundcrew-ens192.network';
      await house.services.host.write({ path, content: 'x', mode: 0o644 });
      await detectDrift(house.services, UNITS);
    },
    {
      states: { network: 'drifted', firewall: 'rehearsed' },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded', 'drift.found'],
      rows: [
        ['/interfaces', 'ens192', 'drifted'],
        ['/interfaces', 'ens224', 'off'],
      ],
    },
  ],
  [
    'in force',
    async () => {
      await open();
      await dnsOn();
      await zone();
      await apply();
      // As the same store would be read by an appliance whose host is changed.
      Object.assign(house.services.host, { enforces: true });
    },
    {
      states: { network: 'in_force', firewall: 'in_force', 'dns-dhcp': 'in_force', ...OFF },
      pending: [],
      audit: ['plan.create', 'plan.submit', 'apply.succeeded'],
      services: { dhcp: 'off' },
      rows: [
        ['/dns', 'lab.test', 'in_force'],
        ['/interfaces', 'ens192', 'in_force'],
      ],
    },
  ],
];
