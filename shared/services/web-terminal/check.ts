// Validation: first the unit's own, then sshd's. The real host key is root's, and may not be there yet: sshd is given another one
// for the check, since it refuses to check anything without a key.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { answering, faultLines, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { listenersOf, type TerminalDesired } from './desired.ts';
import { CONF_FILE, HOST_KEY } from './files.ts';
import { parseManifest } from './manifest.ts';
import { render } from './render.ts';

const PROGRAM = 'sshd -t';
const MISSING = 'sshd is not installed here: install the Debian package openssh-server, or leave the terminal off.';

const NO_FOLDER = /^Missing privilege separation directory/m;

/** Faults of the desired state, one line each. */
export function desiredFaults({ listen }: TerminalDesired): string[] {
  if (listen.length === 0) return ['The web terminal is on but opens at no interface.'];
  return listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the web terminal opens there.`];
    return addresses.length > 0 ? [] : [`Interface ${name} has no fixed address that the web terminal could open at.`];
  });
}

export async function check(
  host: Host,
  desired: TerminalDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!desired.settings.enabled) return answer([], 'nothing to check: the web terminal is off');
  const own = desiredFaults(desired);
  if (own.length > 0) return answer(own, 'groundcrew (interfaces)');
  // A manifest that can't be read again must not be applied.
  if (listenersOf(desired).length > 0) parseManifest(render(desired, (path) => path).at(-1)!.content);
  const folder = await mkdtemp(join(tmpdir(), 'groundcrew-sshd-'));
  try {
    const key = join(folder, 'key');
    const made = await host.exec('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    const result =
      made.code === 0 ? await host.exec('/usr/sbin/sshd', ['-t', '-f', staged(CONF_FILE), '-h', key]) : made;
    // A rehearsal may run on a machine without sshd; where files are enforced, its absence is a fault.
    if (result.code === NOT_FOUND && !host.enforces) return answer([], 'groundcrew only: sshd is not installed here');
    if (result.code === NOT_FOUND) return answer([MISSING]);
    // Made at each boot of Debian: where nothing boots, as in a container, sshd checks nothing without it.
    if (NO_FOLDER.test(result.stderr) && !host.enforces)
      return answer([], 'groundcrew only: sshd checks nothing here, since /run/sshd is missing');
    return answer(
      result.code === 0 ? [] : faultLines('sshd', result.stderr, (line) => known(line, staged, host)),
      PROGRAM,
    );
  } catch (error) {
    return answer([firstLine({ code: 1, stdout: '', stderr: (error as Error).message })]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The missing key is no fault: it is made with the first start. */
const known = (line: string, staged: (path: string) => string, host: Host): string =>
  line.includes(host.resolve(HOST_KEY)) ? '' : line.replaceAll(staged(CONF_FILE), CONF_FILE);
