// The web terminal through a reviewed apply of a real service in a network namespace: another machine signs in over TLS with the
// operating system's own password, and gets the shell of that account from a real sshd. Off again, the shell is gone.
import type { ChildProcess } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { pidsOf } from '../setup/namespaces.ts';
import { TerminalLab } from '../setup/terminal-lab.ts';
import { startWalk, type Walk } from '../setup/walking.ts';

const SLOW = 300_000;

let there: TerminalLab;
const walks: ChildProcess[] = [];

beforeAll(async () => {
  there = await TerminalLab.open('wt');
}, SLOW);
afterEach(() => {
  for (const walk of walks.splice(0)) walk.kill('SIGKILL');
});
afterAll(() => there?.close());

/** From the other machine; each line that it prints, as it comes. */
function walk(change: Partial<Walk> = {}) {
  const says = (text: string) => (there.log += text);
  const { child, seen, type } = startWalk(there.lab.client, { ...there.asked, ...change }, says);
  walks.push(child);
  return {
    seen,
    type,
    sees: (what: string, test: (line: Record<string, unknown>) => boolean) =>
      there.until(`${what}, of ${JSON.stringify(seen)}`, () => seen.some(test)),
  };
}

test(
  'without an apply there is none; applied, another machine gets the shell of an account for its own password',
  async () => {
    const before = walk();
    await before.sees('it is refused', ({ status }) => status === 409);
    there.api('PATCH', '/api/v1/web-terminal/settings', { enabled: true, listen_interfaces: ['mgmt0'] });
    const plan = await there.apply();
    const unit = plan.units.find(({ id }: { id: string }) => id === 'web-terminal');
    expect(unit).toMatchObject({ risk: 'medium' });
    const open = walk();
    await open.sees('a shell', ({ ready }) => ready === true);
    expect(open.seen[0]).toEqual({ prompts: [{ prompt: 'Password: ', echo: false }] });
    open.type('stty size; id -un; grep CapEff /proc/self/status; tty');
    await open.sees('its size and its user', ({ text }) =>
      /30 99\r\ngcoperator\r\nCapEff:\s0{16}\r\n\/dev\/pts/.test(String(text)),
    );
    there.api('PATCH', '/api/v1/web-terminal/settings', { enabled: false });
    await there.apply();
    // Whichever is seen first: its shell ends, or the terminal is not in force any more.
    await open.sees('it is closed', ({ closed }) => closed === 4401 || closed === 1000);
    await there.until('no sshd is left', () => pidsOf(there.lab.appliance, 'sshd').length === 0);
    expect(pidsOf(there.lab.appliance, 'terminal-accept')).toEqual([]);
  },
  SLOW,
);

test(
  'a wrong password, an account outside of the group and one that does not exist open nothing, and all is written without content',
  async () => {
    there.api('PATCH', '/api/v1/web-terminal/settings', { enabled: true, listen_interfaces: ['mgmt0'] });
    await there.apply();
    for (const change of [{ os_password: 'canary wrong' }, { account: 'gcoutsider' }, { account: 'gcnobody' }]) {
      const refused = walk(change);
      await refused.sees('it is refused', ({ closed }) => closed === 4403);
      expect(refused.seen.some(({ ready }) => ready === true)).toBe(false);
    }
    const rows = JSON.stringify(there.api('GET', '/api/v1/audit?limit=50'));
    for (const action of ['terminal.ticket', 'terminal.open', 'terminal.close', 'terminal.refuse'])
      expect(rows).toContain(action);
    expect(rows + there.log).not.toContain('canary');
  },
  SLOW,
);

test(
  'another machine of a vault: nothing before its host key is confirmed, then its shell without a question; another key is refused',
  async () => {
    there.api('PATCH', '/api/v1/web-terminal/settings', {
      enabled: true,
      listen_interfaces: ['mgmt0'],
      idle_minutes: 20,
    });
    await there.apply();
    const vault = there.api('POST', '/api/v1/vaults', { name: 'machines' });
    there.api('POST', `/api/v1/vaults/${vault.id}/entries`, {
      ...{ key: 'other.operator', username: 'gcoperator', value: there.asked.os_password },
      uris: ['ssh://10.77.0.2:2222'],
    });
    const former = there.machine(2222);
    await there.until('the machine listens', () => /Server listening on 10\.77\.0\.2/.test(there.log));
    const early = walk({ remote: 'confirmed' });
    await early.sees('it is refused', ({ closed }) => closed === 4416);
    const open = walk({ remote: 'confirm' });
    await open.sees('a shell', ({ ready }) => ready === true);
    open.type('echo $SSH_CONNECTION; id -un; tty');
    await open.sees('the other machine', ({ text }) =>
      /10\.77\.0\.1 \d+ 10\.77\.0\.2 2222\r\ngcoperator\r\n\/dev\/pts/.test(String(text)),
    );
    open.type('exit');
    await open.sees('it is closed', ({ closed }) => closed === 1000);
    there.log = '';
    const present = there.machine(2222);
    await there.until('the machine listens again', () => /Server listening on 10\.77\.0\.2/.test(there.log));
    const refused = walk({ remote: 'confirmed' });
    await refused.sees(
      'both fingerprints',
      ({ says }) => String(says).includes(former) && String(says).includes(present),
    );
    await refused.sees('it is refused', ({ closed }) => closed === 4416);
    const rows = JSON.stringify(there.api('GET', '/api/v1/audit?limit=50'));
    for (const action of ['terminal.host_key.look', 'terminal.host_key.trust', 'vault.entry.use'])
      expect(rows).toContain(action);
    expect(rows + there.log).not.toContain('canary');
  },
  SLOW,
);

test(
  'recorded by a reviewed apply: told before the password, output alone, sealed on the disk',
  async () => {
    const settings = { enabled: true, listen_interfaces: ['mgmt0'], recording: true };
    there.api('PATCH', '/api/v1/web-terminal/settings', settings);
    const plan = await there.apply();
    const unit = plan.units.find(({ id }: { id: string }) => id === 'web-terminal');
    expect(JSON.stringify(unit)).toMatch(/is recorded, and their users are told/);
    const open = walk();
    await open.sees('a shell', ({ ready }) => ready === true);
    open.type('read -s hidden; echo canary-"$(echo printed)"');
    open.type('canary-hidden');
    await open.sees('what is printed', ({ text }) => String(text).includes('canary-printed'));
    open.type('exit');
    await open.sees('it is closed', ({ closed }) => closed === 1000);
    const list = () => there.api('GET', '/api/v1/web-terminal/recordings').items;
    await there.until('the recording is complete', () => list()[0]?.state === 'complete');
    expect(list()[0]).toMatchObject({ user: 'admin', account: 'gcoperator', source_address: '10.77.0.2' });
    expect(there.recordings().length).toBe(1);
    for (const bytes of there.recordings()) expect(bytes).not.toMatch(/canary|gcoperator/);
    expect(there.log).not.toContain('canary');
  },
  SLOW,
);
