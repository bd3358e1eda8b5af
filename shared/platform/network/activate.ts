// systemd-networkd makes the links follow their files. Links whose file did not change are not touched. On a link with
// a file, networkd removes everything that is not in the file, whoever set it. Links without a file are left alone.
import { setTimeout as pause } from 'node:timers/promises';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import type { UnitChange } from '../units/unit.ts';
import { adoptionLines, type LinkAddresses } from './adoption.ts';
import { configured, enabled, type NetworkDesired } from './desired.ts';
import { failedLinks, networkdDaemon, reload } from './engine.ts';
import { byInterface, network } from './facts.ts';
import { endForwarding, forwardingFaults, removeFormerRules, routes } from './forwarding.ts';
import { compareKernel, differences, leftovers, readKernel } from './kernel.ts';
import { render } from './render.ts';
import { impossibleVlans, NO_8021Q } from './vlan-support.ts';

/** Milliseconds in which the links have to become what their files say. */
const PATIENCE = 8_000;
const POLL = 40;

/**
 * Idempotent. Answers what was done in one sentence, once the kernel has it.
 * @throws Error naming what is not as configured; what networkd did until then stays.
 */
export async function activate(host: Host, desired: NetworkDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'rehearsal: no link was changed';
  const [impossible] = await impossibleVlans(host, desired);
  if (impossible)
    throw new Error(`${impossible.name} could not be configured: ${NO_8021Q}, so it can't make VLAN links`);
  const rows = enabled(desired).filter((row) => row.present);
  const running = await host.daemonRunning(networkdDaemon(host));
  const stuck = running && (await failedLinks(host, concerned(desired, change))).size > 0;
  await adopt(host, rows);
  if (stuck) await host.stopDaemon(networkdDaemon(host));
  // Forwarding ends before the rules that limit it are removed. A failure is ignored here and fails again below:
  // configuring the links comes first, since this may be a rollback.
  await endForwarding(host, change).catch(() => undefined);
  if (stuck || !running) {
    await removeFormerRules(host, rows).catch(() => undefined);
    await host.startDaemon(networkdDaemon(host));
  } else {
    await touch(host, desired);
  }
  await reload(host);
  await removeVlans(host, desired, change);
  await settle(host, desired, change);
  await endForwarding(host, change);
  const names = rows.map((row) => row.name);
  const how = `systemd-networkd ${stuck ? 'was restarted' : running ? 'reloaded' : 'was started'}`;
  return names.length === 0 ? `${how}: no link to configure` : `${how}: ${names.join(', ')} as configured`;
}

/** Links that have a file, or had one: trouble with other links does not fail an apply. */
const concerned = (desired: NetworkDesired, { before }: UnitChange): Set<string> =>
  new Set([...configured(desired).map(({ name }) => name), ...byInterface(before).keys()]);

async function adopt(host: Host, rows: readonly NetworkInterface[]): Promise<void> {
  const shown = await host.exec('ip', ['-j', 'addr', 'show']);
  if (shown.code !== 0) throw new Error(`The addresses could not be read: ${firstLine(shown)}`);
  const lines = adoptionLines(rows, JSON.parse(shown.stdout.trim() || '[]') as LinkAddresses[]);
  if (lines.length === 0) return;
  const result = await host.exec('ip', ['-batch', '-'], { input: `${lines.join('\n')}\n` });
  if (result.code !== 0) throw new Error(`Addresses could not be taken over: ${firstLine(result)}`);
}

/**
 * Writes the files of links that differ from them once more: networkd configures a link again when its file is a new
 * inode. A VLAN link that somebody deleted is made again with its parent.
 */
async function touch(host: Host, desired: NetworkDesired): Promise<void> {
  const kernel = await readKernel(host);
  const there = new Set(kernel.links.map((link) => link.name));
  const names = new Set(differences(desired, kernel).keys());
  const up = enabled(desired).filter((row) => row.present);
  if ((await forwardingFaults(host, up)).length > 0) for (const { name } of up.filter(routes)) names.add(name);
  for (const row of desired.interfaces) {
    if (names.has(row.name) && row.parent_interface !== null && !there.has(row.name)) names.add(row.parent_interface);
  }
  const suffixes = [...names].flatMap((name) => [`-${name}.network`, `-${name}.netdev`]);
  for (const file of render(desired)) {
    if (suffixes.some((suffix) => file.path.endsWith(suffix))) await host.write(file);
  }
}

/** networkd never deletes a link that it made. */
async function removeVlans(host: Host, desired: NetworkDesired, change: UnitChange): Promise<void> {
  const wanted = new Set(enabled(desired).map((row) => row.name));
  const gone = [...network.all(change.before, 'vlan')].filter(([name]) => !wanted.has(name));
  if (gone.length === 0) return;
  const live = new Set((await host.links()).flatMap((link) => (link.vlan ? [link.name] : [])));
  for (const [name] of gone.filter(([name]) => live.has(name))) {
    const result = await host.exec('ip', ['link', 'delete', 'dev', name]);
    if (result.code !== 0) throw new Error(`${name} could not be removed: ${firstLine(result)}`);
  }
}

/** Waits until the kernel has what is configured, and nothing that was configured before. */
async function settle(host: Host, desired: NetworkDesired, change: UnitChange): Promise<void> {
  const started = performance.now();
  const up = enabled(desired).filter((row) => row.present);
  const ours = concerned(desired, change);
  for (;;) {
    const kernel = await readKernel(host);
    const faults = [...compareKernel(desired, kernel), ...leftovers(change.before, change.after, kernel)];
    // Also when the kernel has no fault: it does not show that a lease will never come.
    const failed = [...(await failedLinks(host, ours))].map(([name, reason]) => `${name}: ${reason}`);
    if (failed.length > 0) throw new Error(`systemd-networkd gave up on ${[failed.join('; '), ...faults].join(', ')}`);
    if (faults.length === 0) faults.push(...(await forwardingFaults(host, up)));
    if (faults.length === 0) return;
    if (performance.now() - started > PATIENCE) {
      throw new Error(`The links are not as configured after ${PATIENCE / 1000} s: ${faults.join(', ')}`);
    }
    await pause(POLL);
  }
}
