// Signs in as nobody: sshd has to show the host key of the terminal, ask PAM for a password, and refuse. A socket that lets
// anybody in would be worse than none.
import { readFile } from 'node:fs/promises';
import type { Host } from '../../ground/machine/host.ts';
import { type Asked, askUntilRight, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { TerminalDesired } from './desired.ts';
import { HOST_KEY_PUBLIC, SOCKET } from './files.ts';
import { fingerprintIn, NoShell, openShell } from './session/shell.ts';

/** No account has this name, and faillock counts nothing for it. */
const NOBODY = 'groundcrew-probe';
const LIMIT_MS = 15_000;

/** One sign-in that has to fail. PAM lets a wrong password wait for two seconds. */
async function ask(host: Host): Promise<Asked> {
  const line = await readFile(host.resolve(HOST_KEY_PUBLIC), 'utf8').catch(() => null);
  const host_key = fingerprintIn(line);
  if (host_key === null) return { fault: 'The host key of the terminal can not be read.', said: '' };
  let asked = 0;
  try {
    const shell = await openShell({
      ...{ socket: host.resolve(SOCKET), account: NOBODY, host_key, columns: 80, rows: 24 },
      ask: async (prompts) => {
        asked += prompts.length;
        return prompts.map(() => '');
      },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    shell.end();
    return { fault: 'The terminal let in an account that does not exist.', said: '' };
  } catch (error) {
    if (!(error instanceof NoShell)) throw error;
    if (error.cause_is === 'refused' && asked > 0)
      return { fault: null, said: 'Signed in as an account that does not exist: asked for its password, and refused.' };
    return { fault: 'The terminal did not answer at its socket as sshd with its own host key.', said: '' };
  }
}

export async function probe(host: Host, desired: TerminalDesired, pause: Pause = pausing): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (!desired.settings.enabled) return { ok: true, said: 'The web terminal is off: not asked.' };
  return askUntilRight(() => ask(host), { attempts: 4, pause_ms: 500, limit_ms: 20_000 }, pause);
}
