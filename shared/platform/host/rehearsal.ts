// The rehearsal driver: configuration is rendered, checked and written below the data folder, and nothing else happens.
import { join } from 'node:path';
import { execProgram } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { hostFiles } from './files.ts';
import { rehearsedKeys } from './key-driver.ts';
import { linksWithoutTools, observeLinks } from './links.ts';
import type { Guard } from './system-guard.ts';

const CODE_REFUSED = 126;

/**
 * `guard`: of what the units declare, or what loads it when the first program is to run. Without one no program runs: a check
 * gets code 126, with a line that says so.
 */
export function rehearsalHost(
  dataFolder: string,
  guard: Pick<Guard, 'rehearses'> | (() => Promise<Pick<Guard, 'rehearses'>>) = { rehearses: () => false },
): Host {
  return {
    kind: 'rehearsal',
    name: 'rehearsal',
    label: 'Rehearsal',
    enforces: false,
    ...hostFiles(join(dataFolder, 'host', 'rehearsal'), rehearsedKeys(dataFolder)),
    exec: async (program, args, options) => {
      const { rehearses } = typeof guard === 'function' ? await guard() : guard;
      if (rehearses(program, args)) return execProgram(program, args, options);
      return {
        code: CODE_REFUSED,
        stdout: '',
        stderr: `rehearsal: ${program} is not run; it could change the machine\n`,
      };
    },
    links: async () => {
      const probe = await execProgram('ip', ['-V']);
      return probe.code === 0 ? observeLinks(execProgram) : linksWithoutTools();
    },
    // No daemon runs in a rehearsal; units see that by `enforces`.
    daemonRunning: async () => false,
    startDaemon: async () => undefined,
    stopDaemon: async () => undefined,
    reloadDaemon: async () => undefined,
  };
}
