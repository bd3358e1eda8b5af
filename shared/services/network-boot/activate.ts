// Makes the host follow: copies the first boot programs into the folder of TFTP, and restarts dnsmasq with its options
// for machines that boot. The boot listener is part of this service and follows the manifest by itself.

import { firstLine } from '../../ground/machine/exec.ts';
import type { DaemonSpec, Host } from '../../ground/machine/host.ts';
import { dnsmasqDaemon, startDnsmasq } from '../../platform/host/dnsmasq-daemon.ts';
import { holdNames } from '../../platform/host/hold-names.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import type { NetworkBootDesired } from './desired.ts';
import { BOOT_PROGRAMS, FRAGMENT_FILE, IPXE_FOLDER, TFTP_FOLDER } from './files.ts';
import { NO_BOOT_URL } from './settings.ts';

const README = 'The first boot programs, copied here from the package ipxe by each apply.\n';

/** Whether each of the files passes a test of test(1): `-r` readable, `-s` not empty. */
async function each(host: Host, test: '-r' | '-s', paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await host.exec('test', [test, path])).code !== 0) return false;
  return true;
}

/** Copies, not links: an upgrade of the package between two applies must not change what firmware starts. */
async function placePrograms(host: Host): Promise<string> {
  const from = BOOT_PROGRAMS.map((name) => `${IPXE_FOLDER}/${name}`);
  const folder = host.resolve(TFTP_FOLDER);
  // Makes the folder with a mode that dnsmasq, which has a user of its own, can enter.
  await host.write({ path: `${TFTP_FOLDER}/README`, content: README, mode: 0o644 });
  const { code, ...said } = await host.exec('install', ['-m', '0644', '-t', folder, ...from]);
  const copies = BOOT_PROGRAMS.map((name) => `${folder}/${name}`);
  if (code === 0) {
    // Copied files have to survive a power cut.
    await host.exec('sync', copies);
    return 'The first boot programs are in place.';
  }
  // A rollback must not fail because the package was removed since: its copies are still there.
  if (!(await each(host, '-r', from)) && (await each(host, '-s', copies))) {
    return 'The first boot programs stay as they were copied, since the package ipxe is gone.';
  }
  throw new Error(`The first boot programs could not be copied: ${firstLine({ code, ...said })}`);
}

/** A fault of network boot, such as a TFTP port in use, must not end DNS and DHCP. */
async function restart(host: Host, daemon: DaemonSpec): Promise<void> {
  const answered = await holdNames(host);
  await host.stopDaemon(daemon);
  try {
    await startDnsmasq(host);
  } catch (error) {
    await host.remove(FRAGMENT_FILE);
    await startDnsmasq(host).catch(() => undefined);
    throw error;
  }
  await answered();
}

/** Answers what it did in one or two sentences. */
export async function activate(host: Host, { settings }: NetworkBootDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, nothing is served.';
  const serves = settings.enabled && (settings.tftp_enabled || settings.uefi_http_url !== NO_BOOT_URL);
  const said = serves ? `${await placePrograms(host)} ` : '';
  if (![...change.written, ...change.removed].includes(FRAGMENT_FILE)) return `${said}dnsmasq needs nothing.`;
  const daemon = dnsmasqDaemon(host);
  if (!(await host.daemonRunning(daemon))) return `${said}dnsmasq does not run: nobody is told to boot from here.`;
  await restart(host, daemon);
  return `${said}dnsmasq was restarted.`;
}
