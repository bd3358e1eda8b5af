// Validation of the staged files: first the unit's own, then the daemon's.
import type { Host } from '../../ground/machine/host.ts';
import { answering, faultLines, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type DnsDhcpDesired, runs, servedDhcp } from './desired.ts';
import { hostLines, optionLines } from './dhcp/render.ts';
import { desiredFaults } from './faults.ts';
import { CONF_FILE, SERVERS_FILE } from './files.ts';

const PROGRAM = 'dnsmasq --test';

export async function check(
  host: Host,
  desired: DnsDhcpDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!runs(desired)) return answer([], 'nothing to check: the name service is off');
  const own = desiredFaults(desired);
  if (own.length > 0) return answer(own, 'groundcrew (records, scopes and listeners)');
  const conf = staged(CONF_FILE);
  const { code, stderr } = await host.exec('dnsmasq', ['--test', '-C', conf]);
  // A rehearsal may run on a machine without dnsmasq; where files are enforced, its absence is a fault.
  if (code === NOT_FOUND && !host.enforces) return answer([], 'groundcrew only: dnsmasq is not installed here');
  if (code !== 0) return answer(faultLines('dnsmasq', stderr, (line) => line.replaceAll(conf, CONF_FILE)));
  if (desired.settings.enabled) {
    // The test of the configuration does not open this file, whose lines are directives as well.
    const servers = staged(SERVERS_FILE);
    const tested = await host.exec('dnsmasq', ['--test', '-C', servers]);
    if (tested.code !== 0)
      return answer(faultLines('dnsmasq', tested.stderr, (line) => line.replaceAll(servers, SERVERS_FILE)));
  }
  return answer(await refusedLines(host, desired));
}

const AT_LINE = /^(?:dnsmasq: )?(.*?) at line (\d+) of .*$/;

/** `--test` does not open the files of reservations and options, so their lines are passed as directives. */
async function refusedLines(host: Host, desired: DnsDhcpDesired): Promise<string[]> {
  const dhcp = servedDhcp(desired);
  if (!dhcp) return [];
  const options = optionLines(dhcp, desired.settings.enabled);
  const names = new Map(dhcp.scopes.map(({ id, name }) => [id, name]));
  const said = [
    ...options.map(({ option: { code, scope_id } }) =>
      scope_id === null ? `DHCP option ${code}` : `DHCP option ${code} of scope ${names.get(scope_id) ?? scope_id}`,
    ),
    ...dhcp.reservations.map(({ hostname, ip_address }) => `Reservation ${hostname} (${ip_address})`),
  ];
  const directives = [
    ...options.map(({ line }) => `dhcp-option=${line}\n`),
    ...hostLines(dhcp).map((line) => `dhcp-host=${line}\n`),
  ];
  const { code, stderr } = await host.exec('dnsmasq', ['--test', '-C', '-'], { input: directives.join('') });
  if (code === 0) return [];
  return faultLines('dnsmasq', stderr, (line) => line.replaceAll('stdin', CONF_FILE)).map((line) => {
    const [, fault, at] = AT_LINE.exec(line) ?? [];
    return at === undefined ? line : `${said[Number(at) - 1] ?? 'DHCP'}: dnsmasq says: ${fault}.`;
  });
}
