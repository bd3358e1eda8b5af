// Makes the running chronyd follow its files in the cheapest way: a change of sources, of clients or of the local stratum
// needs no restart.
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { type NtpDesired, runs } from './desired.ts';
import { CLIENTS_FILE, chronyc, chronyDaemon, LOCAL_FILE, RESTARTING, SOURCES_FILE } from './files.ts';
import { clientLines, localLines } from './render.ts';

/** What a running chronyd can be told. */
const TOLD = [SOURCES_FILE, CLIENTS_FILE, LOCAL_FILE];

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

/** Pure: what chronyd has to do for a change. The files are in place already. */
export function actionFor(wanted: boolean, running: boolean, change: Pick<UnitChange, 'written' | 'removed'>): Action {
  if (!wanted) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...change.written, ...change.removed]);
  for (const path of touched) if (RESTARTING.has(path)) return 'restart';
  return TOLD.some((path) => touched.has(path)) ? 'reload' : 'none';
}

const SAID: Record<Action, string> = {
  none: 'chronyd needs nothing.',
  reload: 'chronyd follows its files without a restart.',
  start: 'chronyd was started.',
  restart: 'chronyd was restarted.',
  stop: 'chronyd was stopped.',
};

/**
 * Commands that make the clients of a running chronyd those of its file, whatever they were: its table forgets a network
 * only by `all`. That is why everybody is allowed first: the table is never empty, and nobody who may ask goes without an
 * answer. All commands together take about a millisecond.
 */
export function clientCommands(desired: NtpDesired): string[] {
  const lines = clientLines(desired);
  return ['allow all', ...lines, ...(lines.includes('allow') ? [] : ['deny'])];
}

/** Tells a running chronyd what is in the changed files. Answers the first refusal, or null. */
async function tell(host: Host, desired: NtpDesired, { written, removed }: UnitChange): Promise<ExecResult | null> {
  const touched = new Set([...written, ...removed]);
  if (touched.has(SOURCES_FILE)) {
    // Twice: chronyd 4.3 adds new sources before it drops old ones, so that a source with other options is refused as a
    // duplicate of itself, and added by the second reload.
    await chronyc(host, ['reload', 'sources']);
    const reloaded = await chronyc(host, ['reload', 'sources']);
    if (reloaded.code !== 0) return reloaded;
  }
  const [local = 'local off'] = localLines(desired);
  const commands = [
    ...(touched.has(CLIENTS_FILE) ? clientCommands(desired) : []),
    ...(touched.has(LOCAL_FILE) ? [local] : []),
  ];
  if (commands.length === 0) return null;
  const told = await chronyc(host, ['-m', ...commands]);
  return told.code === 0 ? null : told;
}

/** Answers what it did in one sentence. */
export async function activate(host: Host, desired: NtpDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, chronyd does not run.';
  const daemon = chronyDaemon(host);
  const action = actionFor(runs(desired), await host.daemonRunning(daemon), change);
  if (action === 'reload') {
    const refused = await tell(host, desired, change);
    if (refused === null) return SAID.reload;
    // Without its control socket it can't be told; a restart reads everything again.
    await host.stopDaemon(daemon);
    await host.startDaemon(daemon);
    return `chronyd was restarted, since it could not be told of the change: ${firstLine(refused)}`;
  }
  if (action === 'stop' || action === 'restart') await host.stopDaemon(daemon);
  if (action === 'start' || action === 'restart') await host.startDaemon(daemon);
  return SAID[action];
}
