// The root step of the appliance: the only program that changes the host. systemd starts one as root for each connection to
// a socket that only the service may open; arguments: `serve`.
//
// What a service that somebody has taken over can make it do: put in force any desired state that renders and passes the
// units' probes, as a plan that is submitted in the service's own database, with or without a confirm window; put back or
// forget what it applied itself; see the packet filter's counters and chronyd's sources. That is what an operator who is
// signed in as admin can do.
//
// It also opens the sealed private keys of daemons, which the service can open as well, and writes them where the daemons read
// them; of a key that lies there it tells the digest of the public key, and never the key.
//
// What it can't: run a program of its choice, name a path or hand over the content of a file (requests carry ids only; the
// state is rendered here, by code that root owns); get a line into a file that its unit never writes, such as dnsmasq's
// dhcp-script, however its reader cuts a line in two, or a program or argument past the lists of the units' host-files.ts;
// have a file read that the service can't read itself (desired-state.ts reads as the service's user, so links in its folder
// lead nowhere new), or root look at a path that was not judged before; have anything run by a database of its own making;
// change what was kept as the way back, or the record of a confirm window, which lie in folders of root.
import { GUARD } from '../../shared/appliance/host-guard.ts';
import { execProgram, firstLine } from '../../shared/ground/machine/exec.ts';
import { ROOT_STEP_FOLDER } from '../../shared/platform/host/root-step.ts';
import { rootHost } from '../../shared/platform/host/system-root.ts';
import { readConfig } from '../config.ts';
import { managementPlace } from '../management-names.ts';
import { serve } from './serve.ts';
import { rootVerbs } from './verbs.ts';

async function startWatchdog(): Promise<void> {
  const result = await execProgram('systemctl', ['start', 'groundcrew-watchdog.service']);
  if (result.code !== 0) throw new Error(`the watchdog did not start: ${firstLine(result)}`);
}

async function main(words: readonly string[]): Promise<void> {
  if (words.join(' ') !== 'serve') throw new Error('it takes the word serve, and is started by systemd');
  if (process.geteuid?.() !== 0) throw new Error('it must run as root');
  process.setgroups?.([]);
  const config = readConfig();
  const verbs = rootVerbs({
    host: rootHost(GUARD, config.data),
    data: config.data,
    folder: ROOT_STEP_FOLDER,
    settings: { ...managementPlace(config), public_listen: config.public_listen },
    // Standard output is the answer.
    logger: { warn: (said) => say(String(said)) },
    startWatchdog,
  });
  // What was begun is ended; systemd gives it the time.
  process.on('SIGTERM', () => process.stdin.destroy());
  await serve(process.stdin, process.stdout, verbs, say);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    say(`groundcrew root step: ${error.message}`);
    process.exit(1);
  },
);
