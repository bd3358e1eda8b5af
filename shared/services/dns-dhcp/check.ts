// Validation of the staged files: first the unit's own, then the daemon's.
import type { Host } from '../../ground/machine/host.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type DnsDhcpDesired, runs, servedDhcp } from './desired.ts';
import { hostLines, optionLines } from './dhcp/render.ts';
import { desiredFaults } from './faults.ts';
import { CONF_FILE } from './files.ts';

const PROGRAM = 'dnsmasq --test';
/** What a shell answers for a program that is not installed. */
const NOT_FOUND = 127;

/** dnsmasq names the staged file; an operator knows it by its path on the appliance. */
function faultLines(stderr: string, stagedConf: string): string[] {
  const lines = stderr.split('\n').map((line) => line.trim().replaceAll(stagedConf, CONF_FILE));
  const said = lines.filter((line) => line !== '');
  return said.length > 0 ? said : ['dnsmasq refused the configuration without saying why.'];
}

export async function check(
  host: Host,
  desired: DnsDhcpDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const start = performance.now();
  const answer = (faults: string[], program = PROGRAM): CheckResult => ({
    ok: faults.length === 0,
    program,
    faults,
    duration_ms: Math.round(performance.now() - start),
  });
  if (!runs(desired)) return answer([], 'nothing to check: the name service is off');
  const own = desiredFaults(desired);
  if (own.length > 0) return answer(own, 'groundcrew (records, scopes and listeners)');
  const conf = staged(CONF_FILE);
  const { code, stderr } = await host.exec('dnsmasq', ['--test', '-C', conf]);
  // A rehearsal may run on a machine without dnsmasq; where files are enforced, its absence is a fault.
  if (code === NOT_FOUND && !host.enforces) return answer([], 'groundcrew only: dnsmasq is not installed here');
  if (code !== 0) return answer(faultLines(stderr, conf));
  return answer(await refusedLines(host, desired));
}

const AT_LINE = /^(?:dnsmasq: )?(.*?) at line (\d+) of .*$/;

/** `--test` does not open the files of reservations and options: their lines are handed in as directives. */
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
  return faultLines(stderr, 'stdin').map((line) => {
    const [, fault, at] = AT_LINE.exec(line) ?? [];
    return at === undefined ? line : `${said[Number(at) - 1] ?? 'DHCP'}: dnsmasq says: ${fault}.`;
  });
}
