// The confirm window by itself: which plans need one, what its record says of time, and that a confirmation and a deadline
// never both win.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enforcementIn } from '../../shared/appliance/apply/enforcement.ts';
import { keep, keptFolder } from '../../shared/appliance/apply/kept.ts';
import { windowIn } from '../../shared/appliance/apply/window/confirm-window.ts';
import { withHostLock } from '../../shared/appliance/apply/window/host-lock.ts';
import { type Arrival, confirmationOf, isLocal, type PathQuestion } from '../../shared/appliance/apply/window/path.ts';
import { deadlineIn, hashNonce, timeLeft, type WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { readWindow, writeWindow } from '../../shared/appliance/apply/window/record-file.ts';
import { revert } from '../../shared/appliance/apply/window/revert.ts';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';

function row(name: string, fields: Partial<NetworkInterface> = {}): NetworkInterface {
  return {
    name,
    kind: 'physical',
    id: name,
    mac_address: '',
    driver: null,
    speed_mbps: null,
    observed: null,
    present: true,
    parent_interface: null,
    vlan_id: null,
    role: 'access',
    mode: 'access',
    ipv4_method: 'static',
    ipv4_cidr: '',
    ipv4_gateway: '',
    ipv6_enabled: false,
    ipv6_cidr: '',
    ipv6_gateway: '',
    mtu: 1500,
    enabled: true,
    access_management_ui_enabled: false,
    revision: 1,
    updated_at: '',
    ...fields,
  };
}

const TRUNK = row('ens224', { role: 'unused', mode: 'trunk' });
const VLAN = row('ens224.30', {
  kind: 'vlan',
  parent_interface: 'ens224',
  vlan_id: 30,
  ipv4_cidr: '172.16.30.1/24',
  access_management_ui_enabled: true,
});
/** Management on ens192 behind a gateway, a VLAN that also shows the UI, a lab network, one by DHCP. */
const ROWS: NetworkInterface[] = [
  row('ens192', {
    role: 'management',
    ipv4_cidr: '10.0.0.5/24',
    ipv4_gateway: '10.0.0.1',
    ipv6_enabled: true,
    ipv6_cidr: 'fd00::5/64',
  }),
  TRUNK,
  VLAN,
  row('ens256', { ipv4_cidr: '192.168.9.1/24' }),
  row('ens288', {
    ipv4_method: 'dhcp',
    observed: { ipv4_cidrs: ['10.8.0.7/24'], ipv6_cidrs: [], mtu: 1500, link: 'up' },
  }),
];
const edited = (name: string, fields: Partial<NetworkInterface>): NetworkInterface[] =>
  ROWS.map((each) => (each.name === name ? { ...each, ...fields } : each));

const NEIGHBOUR: Arrival = { local: '10.0.0.5', remote: '10.0.0.99' };
const FAR: Arrival = { local: '10.0.0.5', remote: '203.0.113.9' };
const VIA_VLAN: Arrival = { local: '172.16.30.1', remote: '172.16.30.9' };
const VIA_DHCP: Arrival = { local: '10.8.0.7', remote: '10.8.0.99' };
const LOOPBACK: Arrival = { local: '127.0.0.1', remote: '127.0.0.1' };

const ask = (arrival: Arrival, saved: NetworkInterface[], more: Partial<PathQuestion> = {}): string[] | null =>
  confirmationOf({ arrival, before: ROWS, saved, network: true, filter: false, ...more })?.because ?? null;

describe('a plan touches the way of its operator', () => {
  const OVER = 'ens192 changes, which you came in over at 10.0.0.5.';
  test.each<[string, Arrival, NetworkInterface[], string[] | null]>([
    ['when nothing of the network differs: no', NEIGHBOUR, ROWS, null],
    ['when another interface changes: no', NEIGHBOUR, edited('ens256', { mtu: 9000 }), null],
    ['when a DHCP interface elsewhere changes: no', NEIGHBOUR, edited('ens288', { mtu: 9000 }), null],
    ['when the MTU of his interface changes', NEIGHBOUR, edited('ens192', { mtu: 9000 }), [OVER]],
    [
      'when its address moves',
      NEIGHBOUR,
      edited('ens192', { ipv4_cidr: '10.0.0.6/24' }),
      [OVER, 'The management UI will no longer be reached at 10.0.0.5.'],
    ],
    ['when its gateway changes', NEIGHBOUR, edited('ens192', { ipv4_gateway: '10.0.0.2' }), [OVER]],
    [
      'when it is disabled',
      NEIGHBOUR,
      edited('ens192', { enabled: false }),
      [
        OVER,
        'The management UI will no longer be reached at 10.0.0.5.',
        'The management UI will no longer be reached at fd00::5.',
      ],
    ],
    [
      'when only a listener elsewhere goes away',
      NEIGHBOUR,
      edited('ens224.30', { access_management_ui_enabled: false }),
      ['The management UI will no longer be reached at 172.16.30.1.'],
    ],
    [
      'when another interface gets the network that he is in',
      NEIGHBOUR,
      edited('ens256', { ipv4_cidr: '10.0.0.77/25' }),
      ['ens256 changes, and you, at 10.0.0.99, are in its network 10.0.0.0/25.'],
    ],
    [
      'when the trunk below his VLAN changes',
      VIA_VLAN,
      edited('ens224', { mtu: 9000 }),
      ['ens224 changes, the trunk that carries ens224.30.'],
    ],
    ['when the trunk of somebody else changes: no', NEIGHBOUR, edited('ens224', { mtu: 9000 }), null],
    [
      'when another interface gets a gateway and he is behind one',
      FAR,
      edited('ens256', { ipv4_gateway: '192.168.9.254' }),
      ['ens256 changes, and its gateway may be the one that you, at 203.0.113.9, are behind.'],
    ],
    [
      'when he is a neighbour and gateways change elsewhere: no',
      NEIGHBOUR,
      edited('ens256', { ipv4_gateway: '192.168.9.254' }),
      null,
    ],
    [
      'when the interface by DHCP that he came in over becomes static',
      VIA_DHCP,
      edited('ens288', { ipv4_method: 'static', ipv4_cidr: '10.8.0.7/24' }),
      ['ens288 changes, which you came in over at 10.8.0.7.'],
    ],
    ['over loopback, whatever changes: no', LOOPBACK, edited('ens192', { enabled: false }), null],
  ])('%s', (_what, arrival, saved, because) => {
    expect(ask(arrival, saved)).toEqual(because);
  });

  test('at its first apply, and with every change of the packet filter', () => {
    expect(ask(NEIGHBOUR, ROWS, { before: null })).toEqual(['The network is put in force for the first time.']);
    const filter = ['The packet filter changes, which decides who reaches the management UI.'];
    expect(ask(NEIGHBOUR, edited('ens192', { mtu: 9000 }), { network: false, filter: true })).toEqual(filter);
    expect(ask(LOOPBACK, ROWS, { before: null, filter: true })).toBeNull();
  });

  test('and is told the addresses before and after', () => {
    const saved = edited('ens192', { ipv4_cidr: '10.0.0.6/24' });
    const question = { arrival: NEIGHBOUR, before: ROWS, saved, network: true, filter: false };
    expect(confirmationOf(question)).toMatchObject({
      addresses_before: ['10.0.0.5', 'fd00::5', '172.16.30.1'],
      addresses_after: ['10.0.0.6', 'fd00::5', '172.16.30.1'],
    });
    // A plan that leaves the network out leaves its addresses as they are, whatever is saved.
    expect(confirmationOf({ ...question, network: false, filter: true })?.addresses_after).toContain('10.0.0.5');
  });

  test.each([
    [LOOPBACK, true],
    [{ local: '::1', remote: '::1' }, true],
    [{ local: '', remote: '127.0.0.1' }, true],
    [{ local: '10.0.0.5', remote: '127.0.0.1' }, false],
    [{ local: '', remote: '' }, false],
  ])('unless %p is loopback: %p', (arrival, local) => {
    expect(isLocal(arrival)).toBe(local);
  });
});

test('time is counted since the machine started; another start has none left', () => {
  const now = { boot_id: 'a', ms: 50_000 };
  const record = { ...deadlineIn(30, now) } as WindowRecord;
  expect(timeLeft(record, now)).toBe(30_000);
  expect(timeLeft(record, { boot_id: 'a', ms: 81_000 })).toBe(-1_000);
  expect(timeLeft(record, { boot_id: 'b', ms: 10 })).toBe(0);
});

describe('a window', () => {
  const FILE = '/etc/groundcrew/chrony/chrony.conf';
  const RACES = 4;
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'groundcrew-window-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  /** One plan of one unit, in force, its way back kept, and a window around it. */
  async function armed(name: string, seconds: number) {
    const host = rehearsalHost(join(data, name));
    const folder = join(data, name, 'apply');
    await host.write({ path: FILE, content: 'old', mode: 0o644 });
    const change = { before: null, after: new Map(), written: [FILE], removed: [] };
    await keep(keptFolder(folder, 'plan_a', 'ntp'), host, new Map(), { earlier: null, change });
    const window = windowIn({ host, folder, startWatchdog: async () => undefined });
    await window.arm({
      plan_id: 'plan_a',
      nonce_sha256: hashNonce('nonce'),
      units: ['ntp'],
      timeout_seconds: seconds,
      arrived_at: '',
      listeners: [],
    });
    await window.whileOpen('plan_a', () => host.write({ path: FILE, content: 'new', mode: 0o644 }));
    await window.enforced('plan_a');
    const content = () => host.read(FILE);
    const watchdog = async () => {
      for (;;) {
        const record = await readWindow(folder);
        if (record?.state !== 'armed') return;
        if (timeLeft(record) <= 0) {
          await withHostLock(folder, async () => {
            const due = await readWindow(folder);
            if (due?.state === 'armed' && timeLeft(due) <= 0)
              await revert({ host, folder }, due, { by: 'watchdog', cause: 'timeout' });
          });
        }
        await pause(1);
      }
    };
    return { host, folder, window, content, watchdog };
  }

  test('says that a unit is not put back when what was kept of it is gone', async () => {
    const { folder, window, host, content } = await armed('lost', 60);
    await window.whileOpen('plan_a', async () => undefined, 'ntp');
    rmSync(join(folder, 'work'), { recursive: true });
    const ended = await window.end('plan_a', 'alice', 'cancelled');
    expect([ended?.state, ended?.ended?.unrestored]).toEqual(['unreverted', ['ntp']]);
    expect(ended?.ended?.said).toEqual([expect.stringContaining('what was kept of it is gone')]);
    expect([await content(), await host.read(FILE)]).toEqual(['new', 'new']);
  });

  test('is ended by a confirmation or by its deadline, 200 times, never by both', async () => {
    const won = { confirmed: 0, reverted: 0 };
    // Each round waits for its clock, so that some windows run side by side.
    const race = async (lane: number): Promise<void> => {
      const { folder, window, content, watchdog, host } = await armed(`race${lane}`, 60);
      const open = (await readWindow(folder))!;
      for (let round = lane; round < 200; round += RACES) {
        await host.write({ path: FILE, content: 'new', mode: 0o644 });
        await writeWindow(folder, { ...open, ...deadlineIn(0.06), state: 'armed', ended: null });
        const late = pause((round * 7) % 80).then(() => window.confirm('plan_a', 'nonce', 'alice'));
        const [said] = await Promise.allSettled([late, watchdog(), watchdog()]);
        const { state } = (await readWindow(folder))!;
        expect([round, state, said.status, await content()]).toEqual(
          state === 'confirmed' ? [round, 'confirmed', 'fulfilled', 'new'] : [round, 'reverted', 'rejected', 'old'],
        );
        won[state as keyof typeof won] += 1;
      }
    };
    await Promise.all(Array.from({ length: RACES }, (_, lane) => race(lane)));
    expect(won.confirmed + won.reverted).toBe(200);
    expect(won.confirmed).toBeGreaterThan(5);
    expect(won.reverted).toBeGreaterThan(5);
  }, 300_000);

  test('that was confirmed is not put back by anybody any more', async () => {
    const { window, content } = await armed('kept', 60);
    await window.confirm('plan_a', 'nonce', 'alice');
    expect((await window.end('plan_a', 'bob', 'cancelled'))?.state).toBe('confirmed');
    expect(await content()).toBe('new');
    await window.forget('plan_a');
    expect(await window.read()).toBeNull();
  });

  test('is put back once, however many begin with it, and finished by whoever finds it begun', async () => {
    const { folder, window, content, host } = await armed('twice', 60);
    const both = await Promise.all([
      window.end('plan_a', 'alice', 'cancelled'),
      window.end('plan_a', 'the watchdog', 'timeout'),
    ]);
    expect(both[0]).toEqual(both[1]);
    expect(await content()).toBe('old');
    // As if whoever began had died at it.
    const ended = both[0]!;
    await host.write({ path: FILE, content: 'new', mode: 0o644 });
    await writeWindow(folder, { ...ended, state: 'reverting' });
    const finished = await window.end('plan_a', 'somebody else', 'timeout');
    expect(finished).toMatchObject({ state: 'reverted', ended: { by: ended.ended!.by, cause: ended.ended!.cause } });
    expect(await content()).toBe('old');
  });

  test('that is over lets no step of its plan through, and is not forgotten before it was put back', async () => {
    const { folder, window, content } = await armed('over', 60);
    const record = (await readWindow(folder))!;
    await writeWindow(folder, { ...record, state: 'reverting' });
    await expect(window.whileOpen('plan_a', async () => undefined)).rejects.toThrow('ended while');
    await expect(window.extend('plan_a', 60)).rejects.toMatchObject({ code: 'window_closed' });
    await expect(window.confirm('plan_a', 'nonce', 'alice')).rejects.toMatchObject({ code: 'window_closed' });
    await window.forget('plan_a');
    expect((await window.end('plan_a', 'x', 'timeout'))?.state).toBe('reverted');
    expect(await content()).toBe('old');
  });

  test('is not opened when its watchdog does not start', async () => {
    const host = rehearsalHost(join(data, 'blind'));
    const enforcement = enforcementIn({
      host,
      folder: join(data, 'blind', 'apply'),
      startWatchdog: () => Promise.reject(new Error('no such program')),
    });
    const arming = {
      plan_id: 'plan_a',
      nonce_sha256: '',
      units: [],
      timeout_seconds: 30,
      arrived_at: '',
      listeners: [],
    };
    await expect(enforcement.window.arm(arming)).rejects.toThrow('no such program');
    expect((await enforcement.window.end('plan_a', 'apply', 'failed'))?.state).toBe('reverted');
  });
});
