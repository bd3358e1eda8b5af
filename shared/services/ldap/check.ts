// Validation: first the unit's own, then slapd's. slapadd alone tells by its exit code; slaptest also passes a folder that is
// half written. Neither looks at certificate and key.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { answering, faultLines, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type LdapDesired, listenersOf } from './desired.ts';
import { parseEntries, writeEntries } from './entries.ts';
import { CONFIG_FILE, DATA_FOLDER, slapdDaemon } from './files.ts';

const PROGRAM = 'slapadd -n 0';
const RUNS = 'slapadd -n 0, at the start of the slapd that runs with this configuration';

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: LdapDesired): string[] {
  const { listen, authority, certificate } = desired;
  const faults = listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the directory listens on it.`];
    return addresses.length > 0 ? [] : [`Interface ${name} has no fixed address, which the certificate has to name.`];
  });
  if (listen.length === 0) faults.push('The directory is on but listens on no interface.');
  if (authority === null) {
    faults.push(
      'The directory is encrypted, and there is no root certificate that its own could be issued by: create it on the page of the certificate authority.',
    );
  }
  if (faults.length === 0 && certificate === null) {
    faults.push(
      'There is no certificate for its host name and addresses yet: switch custody on, so that the certificate authority makes it, and make another plan.',
    );
  }
  return faults;
}

/** `slapadd: could not add entry dn="…" (line=12): …`, with our paths; a line of the log has its time in front. */
const known = (line: string, folder: string): string =>
  line.replace(/^[0-9a-f]{8}(?:\.[0-9a-f]+)? (?:0x[0-9a-f]+ )?/, '').replaceAll(join(folder, 'data'), DATA_FOLDER);

export async function check(host: Host, desired: LdapDesired, staged: (path: string) => string): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!desired.settings.enabled) return answer([], 'nothing to check: the directory is off');
  const own = desiredFaults(desired);
  if (own.length > 0) return answer(own, 'groundcrew (listeners and certificate authority)');
  // What can't be read again must not be applied.
  if (listenersOf(desired).length > 0) parseEntries(writeEntries(desired));
  const config = await readFile(staged(CONFIG_FILE), 'utf8');
  if (await runsWith(host, config)) return answer([], RUNS);
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-slapd-'));
  try {
    const result = await converted(host, folder, config);
    // A rehearsal may run on a machine without slapd; where files are enforced, its absence is a fault.
    if (result.code === NOT_FOUND && !host.enforces) return answer([], 'groundcrew only: slapd is not installed here');
    if (result.code === NOT_FOUND) return answer([firstLine(result)]);
    return answer(result.code === 0 ? [] : faultLines('slapadd', result.stderr, (line) => known(line, folder)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Then slapadd took it when slapd was started, and where entries alone change it has nothing to check. */
async function runsWith(host: Host, config: string): Promise<boolean> {
  return host.enforces && (await host.read(CONFIG_FILE)) === config && (await host.daemonRunning(slapdDaemon(host)));
}

/** As at a start, but with folders of its own: slapadd wants those of the data to be there. */
async function converted(host: Host, folder: string, text: string) {
  const data = host.resolve(DATA_FOLDER);
  const own = text.replaceAll(`olcDbDirectory: ${data}/`, `olcDbDirectory: ${join(folder, 'data')}/`);
  const folders = [...own.matchAll(/^olcDbDirectory: (.+)$/gm)].map(([, path]) => path!);
  for (const path of [join(folder, 'config'), ...folders]) await mkdir(path, { recursive: true });
  const file = join(folder, 'slapd.ldif');
  await writeFile(file, own);
  return host.exec('slapadd', ['-n', '0', '-F', join(folder, 'config'), '-l', file]);
}
