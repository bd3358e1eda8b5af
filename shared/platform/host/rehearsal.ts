// The rehearsal driver: configuration is rendered, checked and written below the data folder, and nothing else happens.
import { join } from 'node:path';
import { execProgram } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import { hostFiles } from './files.ts';
import { rehearsedKeys } from './key-driver.ts';
import { linksWithoutTools, observeLinks } from './links.ts';
import { isReader } from './networkd.ts';

type Harmless = (args: readonly string[]) => boolean;
const always: Harmless = () => true;
const has =
  (...flags: string[]): Harmless =>
  (args) =>
    flags.some((flag) => args.includes(flag));

/**
 * Programs that a rehearsal may run, each with a test of its arguments that it changes nothing. A unit whose checker is
 * missing here gets code 126 from its check, with a line that says so.
 */
const CHECKERS: ReadonlyMap<string, Harmless> = new Map([
  ['dnsmasq', has('--test', '--version')],
  ['nft', has('-c', '--check')],
  ['chronyd', has('-p')],
  ['test', always],
  // Only with the arguments that separate network, mounts and processes of the program from the machine.
  ['unshare', isReader],
]);
const CODE_REFUSED = 126;

export function rehearsalHost(dataFolder: string): Host {
  return {
    kind: 'rehearsal',
    name: 'rehearsal',
    label: 'Rehearsal',
    enforces: false,
    ...hostFiles(join(dataFolder, 'host', 'rehearsal'), rehearsedKeys(dataFolder)),
    exec: async (program, args, options) => {
      if (CHECKERS.get(program)?.(args)) return execProgram(program, args, options);
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
