// Makes the host follow: first boot programs into the folder of TFTP, and dnsmasq told what to say to machines that boot.
// The boot listener is part of this service and follows the manifest by itself.
import { dnsmasqDaemon, startDnsmasq } from '../../host/dnsmasq-daemon.ts';
import { firstLine } from '../../host/exec.ts';
import type { Host } from '../../host/host.ts';
import type { UnitChange } from '../unit.ts';
import type { NetworkBootDesired } from './desired.ts';
import { BOOT_PROGRAMS, FRAGMENT_FILE, IPXE_FOLDER, TFTP_FOLDER } from './files.ts';

const README = 'The first boot programs, copied here from the package ipxe by each apply.\n';

/** Copies rather than links: what firmware starts must not change under an upgrade of a package between two applies. */
async function placePrograms(host: Host): Promise<void> {
  const from = BOOT_PROGRAMS.map((name) => `${IPXE_FOLDER}/${name}`);
  const folder = host.resolve(TFTP_FOLDER);
  // Makes the folder so that dnsmasq, which has a user of its own, can enter it.
  await host.write({ path: `${TFTP_FOLDER}/README`, content: README, mode: 0o644 });
  const { code, ...said } = await host.exec('install', ['-m', '0644', '-t', folder, ...from]);
  if (code !== 0) throw new Error(`The first boot programs could not be copied: ${firstLine({ code, ...said })}`);
}

/** Answers what it did in one or two sentences. */
export async function activate(host: Host, { settings }: NetworkBootDesired, change: UnitChange): Promise<string> {
  if (!host.enforces) return 'Rehearsal: the files are kept, nothing is served.';
  const serves = settings.enabled && (settings.tftp_enabled || settings.uefi_http_url !== '');
  if (serves) await placePrograms(host);
  const said = serves ? 'The first boot programs are in place. ' : '';
  if (![...change.written, ...change.removed].includes(FRAGMENT_FILE)) return `${said}dnsmasq needs nothing.`;
  const daemon = dnsmasqDaemon(host);
  if (!(await host.daemonRunning(daemon))) return `${said}dnsmasq does not run: nobody is told to boot from here.`;
  await host.stopDaemon(daemon);
  await startDnsmasq(host);
  return `${said}dnsmasq was restarted.`;
}
