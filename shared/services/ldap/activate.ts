// Makes slapd follow its files: it reads them when it starts. The trees are brought to the applied entries by the service
// itself, which sees the file change.
import type { Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { runsOtherwise } from './adopt/configuration.ts';
import type { LdapDesired } from './desired.ts';
import { ENTRIES_FILE, slapdDaemon } from './files.ts';

export type Action = 'none' | 'start' | 'restart' | 'stop';

/** Pure: what slapd has to do for a change. The files are in place already. */
export function actionFor(wanted: boolean, running: boolean, change: Pick<UnitChange, 'written' | 'removed'>): Action {
  if (!wanted) return running ? 'stop' : 'none';
  if (!running) return 'start';
  return [...change.written, ...change.removed].some((path) => path !== ENTRIES_FILE) ? 'restart' : 'none';
}

const SAID: Record<Action, string> = {
  none: 'slapd goes on; its entries are brought to the applied ones.',
  start: 'slapd was started; its entries are brought to the applied ones.',
  restart: 'slapd was restarted; its entries are brought to the applied ones.',
  stop: 'slapd was stopped.',
};

/** Answers what it did in one sentence. */
export async function activate(host: Host, desired: LdapDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, slapd does not run.';
  const daemon = slapdDaemon(host);
  const { enabled } = desired.settings;
  const wanted = actionFor(enabled, await host.daemonRunning(daemon), change);
  // Somebody may have started it otherwise, or changed what runs, though its files are as they were.
  const action = wanted === 'none' && enabled && (await runsOtherwise(host)) ? 'restart' : wanted;
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  // Written once more, so that entries which somebody changed by hand are put right although the file is the same.
  const content = enabled && !change.written.includes(ENTRIES_FILE) ? await host.read(ENTRIES_FILE) : null;
  if (content !== null) await host.write({ path: ENTRIES_FILE, content, mode: 0o640 });
  return enabled || action === 'stop' ? SAID[action] : 'slapd needs nothing.';
}
