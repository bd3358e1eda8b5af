// The system driver: the appliance itself. The service runs as a user of its own. It reads, and root reads for it what
// it may not; changes of the machine go through enforcement-by-root.ts. Programs that run as root get the driver that
// changes the machine.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execProgram } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import { hostFiles } from './files.ts';
import { keyName } from './key-files.ts';
import { observeLinks } from './links.ts';
import { isReader } from './networkd.ts';
import { NETWORK_CHECK_SOCKET, RootStep } from './root-step.ts';
import type { Guard } from './system-guard.ts';
import { questionFor } from './system-questions.ts';
import { isRunning, rootHost } from './system-root.ts';

export const isRoot = (): boolean => process.geteuid?.() === 0;

/** `guard`: what the driver may do to the machine where it runs as root; `data`: the data folder of the service. */
export function systemHost(guard: Guard, data: string): Host {
  if (isRoot()) return rootHost(guard, data);
  return serviceHost(new RootStep(), new RootStep(NETWORK_CHECK_SOCKET, 'the network check'));
}

const rootOnly = async (): Promise<never> => {
  throw new Error('Only the root step changes this machine.');
};

/** The driver of the service. Writing, removing, starting, stopping and reloading throw. */
export function serviceHost(rootStep: RootStep, networkCheck: RootStep): Host {
  const files = hostFiles('', {
    read: async (target) => rootStep.ask<string | null>({ verb: 'key', name: keyName(target) }),
    write: rootOnly,
  });
  return {
    kind: 'system',
    name: 'system',
    label: 'System',
    enforces: true,
    resolve: files.resolve,
    read: files.read,
    stamp: files.stamp,
    write: rootOnly,
    remove: rootOnly,
    async exec(program, args, options) {
      const question = questionFor(program, args);
      if (question !== null) return asked(rootStep.ask<ExecResult>({ verb: 'ask', question }));
      // nft checks rules only for a user that could load them. The content is sent, since root reads no file of the
      // service.
      if (program === 'nft' && args.length === 3 && args[0] === '-c' && args[1] === '-f') {
        const content = await readFile(args[2]!, 'utf8');
        const result = await asked(rootStep.ask<ExecResult>({ verb: 'check-filter', content }));
        return { ...result, stderr: result.stderr.replaceAll('/dev/stdin', args[2]!) };
      }
      // The service may not make the namespaces that networkd needs for this.
      if (program === 'unshare' && isReader(args)) {
        return asked(networkCheck.ask<ExecResult>({ verb: 'read-network', files: await contents(args.at(-1)!) }));
      }
      return execProgram(program, args, options);
    },
    links: () => observeLinks(execProgram),
    daemonRunning: isRunning,
    startDaemon: rootOnly,
    stopDaemon: rootOnly,
    reloadDaemon: rootOnly,
  };
}

async function contents(folder: string): Promise<{ name: string; content: string }[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  return Promise.all(files.map(async ({ name }) => ({ name, content: await readFile(join(folder, name), 'utf8') })));
}

/** A program that can't be run answers with its exit code, and never throws. */
async function asked(answer: Promise<ExecResult>): Promise<ExecResult> {
  return answer.catch((error: Error) => ({ code: 126, stdout: '', stderr: `${error.message}\n` }));
}
