// Network namespaces that a test makes for itself: an appliance and a client, joined by a pair of virtual NICs. Root only.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

export interface Lab {
  appliance: string;
  client: string;
  /** Runs a program in the client namespace; answers its output, without throwing. */
  inClient(program: string, ...args: string[]): string;
  remove(): void;
}

/**
 * Two namespaces. `mgmt0` of the appliance has 10.77.0.1/24 and faces the client's 10.77.0.2; `lab0` has no address and
 * faces the client's `c1`, which has 10.88.0.2/24.
 */
export function makeLab(name: string): Lab {
  // The id of this process keeps two runs on one machine out of each other's way.
  const appliance = `gct-${name}-${process.pid}-ap`;
  const client = `gct-${name}-${process.pid}-cl`;
  ip('netns', 'add', appliance);
  ip('netns', 'add', client);
  for (const namespace of [appliance, client]) ip('-n', namespace, 'link', 'set', 'lo', 'up');
  ip('link', 'add', 'mgmt0', 'netns', appliance, 'type', 'veth', 'peer', 'name', 'c0', 'netns', client);
  ip('link', 'add', 'lab0', 'netns', appliance, 'type', 'veth', 'peer', 'name', 'c1', 'netns', client);
  ip('-n', appliance, 'addr', 'add', '10.77.0.1/24', 'dev', 'mgmt0');
  ip('-n', client, 'addr', 'add', '10.77.0.2/24', 'dev', 'c0');
  ip('-n', client, 'addr', 'add', '10.88.0.2/24', 'dev', 'c1');
  ip('-n', appliance, 'link', 'set', 'mgmt0', 'up');
  ip('-n', appliance, 'link', 'set', 'lab0', 'up');
  for (const link of ['c0', 'c1']) ip('-n', client, 'link', 'set', link, 'up');
  return {
    appliance,
    client,
    inClient(program, ...args) {
      const ran = spawnSync('ip', ['netns', 'exec', client, program, ...args], { encoding: 'utf8', timeout: 120_000 });
      return ran.stdout.trim();
    },
    remove() {
      for (const namespace of [appliance, client]) {
        endProcesses(namespace);
        removeNamespace(namespace);
      }
    },
  };
}

function removeNamespace(name: string): void {
  spawnSync('ip', ['netns', 'del', name], { stdio: 'ignore' });
}

/** Ends the daemons that live in a namespace of ours, by their ids. */
export function endProcesses(namespace: string): void {
  const listed = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }).stdout ?? '';
  for (const pid of listed.split(/\s+/).filter(Boolean).map(Number)) {
    if (pid !== process.pid) process.kill(pid, 'SIGKILL');
  }
}

/** Ids of the processes of one program in a namespace: to see that a daemon was not restarted. */
export function pidsOf(namespace: string, program: string): number[] {
  const listed = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }).stdout ?? '';
  return listed
    .split(/\s+/)
    .filter(Boolean)
    .map(Number)
    .filter((pid) => alive(pid, program));
}

function alive(pid: number, program: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program) && readlinkSync(`/proc/${pid}/ns/net`) !== '';
  } catch {
    return false;
  }
}

/** True when this process may make network namespaces. */
export function canMakeNamespaces(): boolean {
  return process.getuid?.() === 0 && readdirSync('/proc/self/ns').includes('net');
}
