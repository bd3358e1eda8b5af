// Makes the running chronyd follow its files in the cheapest way: a change of sources needs no restart.
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { keyPath } from '../../platform/host/key-files.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { type NtpDesired, runs } from './desired.ts';
import { CERTIFICATE_FILE, CONF_FILE, chronyc, chronyDaemon, KEY_NAME, SOURCES_FILE } from './files.ts';

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

/** Pure: what chronyd has to do for a change. The files are in place already. */
export function actionFor(wanted: boolean, running: boolean, change: Pick<UnitChange, 'written' | 'removed'>): Action {
  if (!wanted) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...change.written, ...change.removed]);
  // It reads certificate and key only when it starts.
  if ([CONF_FILE, CERTIFICATE_FILE, keyPath(KEY_NAME)].some((path) => touched.has(path))) return 'restart';
  return touched.has(SOURCES_FILE) ? 'reload' : 'none';
}

const SAID: Record<Action, string> = {
  none: 'chronyd needs nothing.',
  reload: 'chronyd re-read its sources without a restart.',
  start: 'chronyd was started.',
  restart: 'chronyd was restarted.',
  stop: 'chronyd was stopped.',
};

/** Answers what it did in one sentence. */
export async function activate(host: Host, desired: NtpDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, chronyd does not run.';
  const daemon = chronyDaemon(host);
  const action = actionFor(runs(desired), await host.daemonRunning(daemon), change);
  if (action === 'reload') {
    // Twice: chronyd 4.3 adds new sources before it drops old ones, so that a source with other options is refused as a
    // duplicate of itself, and added by the second reload.
    await chronyc(host, ['reload', 'sources']);
    const reloaded = await chronyc(host, ['reload', 'sources']);
    if (reloaded.code === 0) return SAID.reload;
    // Without its control socket it can't reload; a restart reads everything again.
    await host.stopDaemon(daemon);
    await host.startDaemon(daemon);
    return `chronyd was restarted, since it could not re-read its sources: ${firstLine(reloaded)}`;
  }
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  return SAID[action];
}
