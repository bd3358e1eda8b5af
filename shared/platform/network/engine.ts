// systemd-networkd, the engine of this unit: where it runs, and how it reloads its files.
import { firstLine } from '../../ground/machine/exec.ts';
import type { DaemonSpec, ExecResult, Host } from '../../ground/machine/host.ts';
import { launcher, NAMESPACE_BUS, NETWORK_FOLDER } from '../host/networkd.ts';

const PID_FILE = '/run/groundcrew/networkd.pid';

export function networkdDaemon(host: Host): DaemonSpec {
  const spec = {
    name: 'systemd-networkd',
    program: 'systemd-networkd',
    args: [],
    systemd: 'systemd-networkd.service',
    pidFile: PID_FILE,
  };
  if (host.kind !== 'namespace') return spec;
  return { ...spec, launcher: launcher(host.resolve(NETWORK_FOLDER), host.resolve(PID_FILE)) };
}

/**
 * networkd reads new, changed and removed files. Links whose file is the same inode as before are left alone, and
 * settings that do not change stay without a gap (unlike `networkctl reconfigure`). Answers before the links are ready.
 * @throws Error with the output of networkctl.
 */
export async function reload(host: Host): Promise<void> {
  const result = await networkctl(host, ['reload']);
  if (result.code !== 0) throw new Error(`networkctl reload: ${firstLine(result)}`);
}

/**
 * Links that networkd gave up on, each with its last log line; none when networkd does not answer. It never configures
 * such a link again before it is restarted, whatever the files are by then.
 */
export async function failedLinks(host: Host, ours: ReadonlySet<string>): Promise<Map<string, string>> {
  const { stdout } = await networkctl(host, ['list', '--json=short']);
  const failed = namesOfFailed(stdout).filter((name) => ours.has(name));
  if (failed.length === 0) return new Map();
  const [program, ...args] = host.kind === 'namespace' ? ['cat', `${host.resolve(PID_FILE)}.log`] : JOURNAL;
  const lines = (await host.exec(program!, args)).stdout.split('\n');
  const reason = (name: string) =>
    lines.findLast((line) => line.startsWith(`${name}: Failed `))?.slice(name.length + 2);
  return new Map(failed.map((name) => [name, reason(name) ?? 'Failed']));
}

const JOURNAL = ['journalctl', '--unit=systemd-networkd', '--lines=200', '--output=cat', '--no-pager'];

function namesOfFailed(json: string): string[] {
  try {
    const { Interfaces = [] } = JSON.parse(json) as { Interfaces?: { Name: string; AdministrativeState?: string }[] };
    return Interfaces.filter((link) => link.AdministrativeState === 'failed').map((link) => link.Name);
  } catch {
    return [];
  }
}

function networkctl(host: Host, args: string[]): Promise<ExecResult> {
  if (host.kind !== 'namespace') return host.exec('networkctl', args);
  return host.exec('env', [`DBUS_SYSTEM_BUS_ADDRESS=${NAMESPACE_BUS}`, 'networkctl', ...args]);
}
