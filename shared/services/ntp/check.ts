// Validation of the staged files: first the unit's own, for faults that chronyd accepts (a network with a prefix of 33
// bits, a host name with two dots in a row, a port in use), then the daemon's.

import { isLinkLocal, isUnicast, networkOf, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { hostNameFault } from '../../ground/addresses/domain-name.ts';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { answering, faultLines, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type NtpDesired, runs, type TimeSource } from './desired.ts';
import { CLIENTS_FILE, CONF_FILE, LOCAL_FILE, SOURCES_FILE } from './files.ts';
import { addressesOf, isDynamic } from './listening.ts';

const PROGRAM = 'chronyd -p';
/** chronyd has no quoting: a blank ends a path. */
const BLANK = /\s/;

function listenFaults({ settings, listen }: NtpDesired): string[] {
  if (!settings.enabled) return [];
  if (listen.length === 0) return ['The time service is on but listens on no interface.'];
  return listen.flatMap((link) => {
    if (!link.usable) return [`Interface ${link.name} is missing or switched off, but the time service listens on it.`];
    if (addressesOf(link).length > 0 || isDynamic(link)) return [];
    return [`Interface ${link.name} has no address to listen on.`];
  });
}

function clientFaults({ settings }: NtpDesired): string[] {
  return settings.allowed_clients.flatMap((text) => {
    const cidr = parseCidr(text);
    if (cidr && networkOf(cidr) === text) return [];
    return [`${JSON.stringify(text)} is not a network of clients.`];
  });
}

function sourceFault({ address, kind, nts }: TimeSource, own: ReadonlySet<string>): string | null {
  if (own.has(address)) return `The source ${address} is the appliance itself.`;
  const number = parseAddress(address);
  if (number) {
    if (!isUnicast(number) || isLinkLocal(number)) return `The source ${address} is not the address of a machine.`;
    if (kind === 'pool' || nts) return `The source ${address} must be a host name to be a pool or to speak NTS.`;
    return number.text === address ? null : `The source ${address} is not in its canonical form; save it again.`;
  }
  const fault = hostNameFault(address);
  return fault === null ? null : `The source ${JSON.stringify(address)} is not a host name: ${fault}`;
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: NtpDesired): string[] {
  const own = new Set(desired.listen.flatMap(addressesOf));
  const sources = desired.sources.flatMap((source) => sourceFault(source, own) ?? []);
  return [...listenFaults(desired), ...clientFaults(desired), ...sources];
}

/**
 * `2026-11-21T08:17:27Z Fatal error : Could not parse local directive at line 1 in file …`: without time, with our
 * path.
 */
const known = (line: string, path: string, stagedPath: string): string =>
  line.replace(/^\S+Z /, '').replaceAll(stagedPath, path);

export async function check(host: Host, desired: NtpDesired, staged: (path: string) => string): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!runs(desired)) return answer([], 'nothing to check: the time service is off and there is no source');
  const own = desiredFaults(desired);
  if (BLANK.test(host.resolve(CONF_FILE))) own.push('The path of the data folder has a blank; chronyd cannot read it.');
  if (own.length > 0) return answer(own, 'groundcrew (listeners, clients and sources)');
  const faults: string[] = [];
  // The check reads the folders as they are in force, so each staged file of them is checked by itself.
  const told = desired.settings.enabled ? [CLIENTS_FILE, LOCAL_FILE] : [];
  for (const path of [CONF_FILE, ...told, SOURCES_FILE]) {
    const result = await host.exec('chronyd', ['-p', '-f', staged(path)]);
    // A rehearsal may run on a machine without chronyd; where files are enforced, its absence is a fault.
    if (result.code === NOT_FOUND && !host.enforces)
      return answer([], 'groundcrew only: chronyd is not installed here');
    if (result.code === NOT_FOUND) return answer([firstLine(result)]);
    if (result.code !== 0)
      faults.push(...faultLines('chronyd', result.stderr, (line) => known(line, path, staged(path))));
  }
  return answer(faults);
}
