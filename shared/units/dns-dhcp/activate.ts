// Makes the running dnsmasq follow its files by the cheapest way: an address never costs a restart.
import type { Host } from '../../host/host.ts';
import type { UnitChange } from '../unit.ts';
import type { DnsDhcpDesired } from './desired.ts';
import { CONF_FILE, dnsmasqDaemon, HOSTS_FILE } from './files.ts';

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

/** Pure: what a change needs. Files are already in place when it is done. */
export function actionFor(enabled: boolean, running: boolean, change: Pick<UnitChange, 'written' | 'removed'>): Action {
  if (!enabled) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...change.written, ...change.removed]);
  if (touched.has(CONF_FILE)) return 'restart';
  return touched.has(HOSTS_FILE) ? 'reload' : 'none';
}

const SAID: Record<Action, string> = {
  none: 'dnsmasq needs nothing.',
  reload: 'dnsmasq re-read its addresses without a restart.',
  start: 'dnsmasq was started.',
  restart: 'dnsmasq was restarted.',
  stop: 'dnsmasq was stopped.',
};

/** Answers what it did in one sentence. */
export async function activate(host: Host, desired: DnsDhcpDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, dnsmasq does not run.';
  const daemon = dnsmasqDaemon(host);
  const action = actionFor(desired.settings.enabled, await host.daemonRunning(daemon), change);
  if (action === 'reload') await host.reloadDaemon(daemon);
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  return SAID[action];
}
