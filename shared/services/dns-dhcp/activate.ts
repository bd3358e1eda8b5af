// Makes the running dnsmasq follow its files in the cheapest way: changed addresses, zones, upstream servers, reservations
// and DHCP options need no restart. Leases that contradict the new state are ended.
import type { Host } from '../../ground/machine/host.ts';
import { holdNames } from '../../platform/host/hold-names.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { type DnsDhcpDesired, runs, servedDhcp } from './desired.ts';
import { type Lease, leasesToEnd, withoutLeases, withoutNames } from './dhcp/leases.ts';
import { hasReread, readLeases, releaseLeases } from './dhcp/server.ts';
import { takenNames } from './dhcp/taken-names.ts';
import {
  CONF_FILE,
  DHCP_HOSTS_FILE,
  DHCP_OPTIONS_FILE,
  dnsmasqDaemon,
  HOSTS_FILE,
  LEASES_FILE,
  SERVERS_FILE,
  startDnsmasq,
} from './files.ts';
import { render } from './render.ts';

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

const RELOADED = [SERVERS_FILE, HOSTS_FILE, DHCP_HOSTS_FILE, DHCP_OPTIONS_FILE];

/** Pure: what dnsmasq has to do for a change. The files are in place already. */
export function actionFor(enabled: boolean, running: boolean, change: Pick<UnitChange, 'written' | 'removed'>): Action {
  if (!enabled) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...change.written, ...change.removed]);
  if (touched.has(CONF_FILE)) return 'restart';
  return RELOADED.some((path) => touched.has(path)) ? 'reload' : 'none';
}

const SAID: Record<Action, string> = {
  none: 'dnsmasq needs nothing.',
  reload: 'dnsmasq re-read its files without a restart.',
  start: 'dnsmasq was started.',
  restart: 'dnsmasq was restarted.',
  stop: 'dnsmasq was stopped.',
};
const NAMED = 3;

function endedSentence(leases: readonly Lease[]): string {
  if (leases.length === 0) return '';
  const first = leases.slice(0, NAMED).map(({ ip_address }) => ip_address);
  const more = leases.length > NAMED ? ` and ${leases.length - NAMED} more` : '';
  return ` ${leases.length === 1 ? 'One lease was' : `${leases.length} leases were`} ended: ${first.join(', ')}${more}.`;
}

/** The daemon reads its leases when it starts, and does not start without the folder of their file. */
async function settleLeases(host: Host, ended: readonly Lease[], taken: ReadonlySet<string>): Promise<void> {
  const text = await host.read(LEASES_FILE);
  const kept = withoutLeases(text ?? '', new Set(ended.map(({ ip_address }) => ip_address)));
  const content = withoutNames(kept, taken);
  if (content === text) return;
  await host.write({ path: LEASES_FILE, content, mode: 0o644 });
}

/** Answers what it did in one or two sentences. */
export async function activate(host: Host, desired: DnsDhcpDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, dnsmasq does not run.';
  const daemon = dnsmasqDaemon(host);
  const dhcp = servedDhcp(desired);
  let action = actionFor(runs(desired), await host.daemonRunning(daemon), change);
  const ending = async () => (dhcp ? leasesToEnd((await readLeases(host)).leases, dhcp, change.before) : []);
  let ended: Lease[] = [];
  if (action === 'reload') {
    await host.reloadDaemon(daemon);
    // Until dnsmasq has read the new reservations it gives out addresses by the old ones, and writes leases of them.
    const reserved = [...change.written, ...change.removed].includes(DHCP_HOSTS_FILE);
    if (dhcp && reserved)
      await hasReread(
        host,
        dhcp,
        render(desired, (path) => host.resolve(path)),
      );
    ended = await ending();
    if (dhcp && (await releaseLeases(host, dhcp, ended)).length > 0) action = 'restart';
  }
  const answered = action === 'restart' ? await holdNames(host) : null;
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') {
    // Read again: dnsmasq gave out addresses until it stopped.
    const late = await ending();
    ended = [...ended, ...late.filter(({ ip_address }) => !ended.some((one) => one.ip_address === ip_address))];
    if (dhcp) await settleLeases(host, late, takenNames(desired.settings.enabled ? desired.records : [], dhcp));
    await startDnsmasq(host);
    await answered?.();
  }
  return `${SAID[action]}${endedSentence(ended)}`;
}
