// The confirm window, rule by rule: which gateways count as the operator's way, what proves that he is still let in, and that
// confirming twice is the same as confirming once.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConfirmWindow, windowIn } from '../../../../../shared/appliance/apply/window/confirm-window.ts';
import {
  confirmAt,
  confirmationOf,
  dynamicListeners,
  questionAbout,
} from '../../../../../shared/appliance/apply/window/path.ts';
import { arrivesThere, isOld, refuseOtherPath } from '../../../../../shared/appliance/apply/window/proof.ts';
import {
  extendableBy,
  hashNonce,
  howItEnded,
  type WindowRecord,
} from '../../../../../shared/appliance/apply/window/record.ts';
import { readWindow, writeWindow } from '../../../../../shared/appliance/apply/window/record-file.ts';
import type { ObservedLink } from '../../../../../shared/ground/machine/host.ts';
import type { Services } from '../../../../../shared/kernel/operation/services.ts';
import { rehearsalHost } from '../../../../../shared/platform/host/rehearsal.ts';
import { type NetworkInterface, rowFromInterface } from '../../../../../shared/platform/interfaces/interface.ts';
import type { UnitId } from '../../../../../shared/platform/unit-names.ts';
import { staysOff } from '../../../../../shared/services/firewall/facts.ts';
import { access, link, management, row } from '../../../platform/interfaces/rows.ts';

const UNKNOWN = { local: '', remote: '203.0.113.9' };

describe('of somebody behind a gateway', () => {
  const changes = (was: Partial<NetworkInterface>, becomes: Partial<NetworkInterface>, remote = UNKNOWN.remote) =>
    confirmationOf({
      arrival: { local: '', remote },
      before: [management(), access(was)],
      saved: [management(), access(becomes)],
      network: true,
      filter: false,
    })?.because ?? null;
  const MAY = ['ens20 changes, and its gateway may be the one that you, at 203.0.113.9, are behind.'];
  const MAY_6 = ['ens20 changes, and its gateway may be the one that you, at 2001:db8::9, are behind.'];
  const GATEWAY = { ipv4_gateway: '10.0.0.254' };

  test.each<[string, Partial<NetworkInterface>, Partial<NetworkInterface>, string[] | null]>([
    ['a gateway that goes away counts', GATEWAY, {}, MAY],
    ['a gateway that comes counts', {}, GATEWAY, MAY],
    ['a gateway by DHCP counts', { ipv4_method: 'dhcp' }, {}, MAY],
    ['no gateway on either side does not', {}, { mtu: 9000 }, null],
    ['that of an interface which was unused does not', { role: 'unused', ...GATEWAY }, {}, null],
    ['that of an interface which is unused from now on does not', {}, { role: 'unused', ...GATEWAY }, null],
    ['that of an interface which was switched off does not', { enabled: false, ...GATEWAY }, {}, null],
    [
      'a gateway of the other family does not',
      { ipv6_enabled: true, ipv6_cidr: 'fd00::1/64', ipv6_gateway: 'fd00::9' },
      {},
      null,
    ],
  ])('%s', (_what, was, becomes, because) => expect(changes(was, becomes)).toEqual(because));

  test.each<[string, Partial<NetworkInterface>, string[] | null]>([
    ['a gateway of IPv6 counts', { ipv6_enabled: true, ipv6_cidr: 'fd00::1/64', ipv6_gateway: 'fd00::9' }, MAY_6],
    ['one by router advertisement counts', { ipv6_enabled: true }, MAY_6],
    ['an address without a gateway does not', { ipv6_enabled: true, ipv6_cidr: 'fd00::1/64' }, null],
    ['nor does one where IPv6 is off', { ipv6_gateway: 'fd00::9', mtu: 9000 }, null],
    ['nor one of IPv4', GATEWAY, null],
  ])('over IPv6, %s', (_what, was, because) => expect(changes(was, {}, '2001:db8::9')).toEqual(because));
});

describe('what is asked about a plan', () => {
  const asked = (changes_filter: boolean, ...ids: UnitId[]) => {
    const units = ids.map((id) => ({ id }));
    return questionAbout({ units, changes_filter }, UNKNOWN, null, []);
  };

  test('is whether it has the network and the packet filter in it', () => {
    expect(asked(false, 'network', 'ntp')).toMatchObject({ network: true, filter: false });
    expect(asked(true, 'firewall', 'ntp')).toMatchObject({ network: false, filter: true });
    expect(asked(false, 'ntp')).toMatchObject({ network: false, filter: false });
  });

  test.each<[string, boolean | null, boolean, boolean]>([
    ['that is off at its first apply changes nothing', null, false, false],
    ['that is on at its first apply does', null, true, true],
    ['that is switched off does', true, false, true],
    ['that is put in force once more does', false, false, true],
  ])('a packet filter %s', (_what, was, is, changes) => {
    const before = was === null ? null : new Map([['enabled', was]]);
    expect(staysOff({ before, after: new Map([['enabled', is]]) })).toBe(!changes);
  });
});

test('over loopback it is confirmed where it was submitted, or at a listener', () => {
  expect(confirmAt({ arrived_at: '127.0.0.1', listeners: ['10.0.0.5'] })).toEqual(['127.0.0.1', '10.0.0.5']);
  expect(confirmAt({ arrived_at: '10.0.0.6', listeners: ['10.0.0.5'] })).toEqual(['10.0.0.5']);
});

test('listeners without an address yet are those of the management UI that ask the network for one', () => {
  const dhcp = { ipv4_method: 'dhcp', ipv4_cidr: '' } as const;
  const rows = [
    management(dhcp),
    access(dhcp),
    row('ens21', { role: 'access', access_management_ui_enabled: true, ipv6_enabled: true }),
    row('ens22', { role: 'management', ipv4_cidr: '10.2.0.1/24', ipv6_enabled: true, ipv6_cidr: 'fd02::1/64' }),
    row('ens23', { role: 'management', ipv4_cidr: '10.3.0.1/24' }),
    row('ens24', { role: 'management', enabled: false, ...dhcp }),
  ];
  expect(dynamicListeners(rows)).toEqual(['ens10', 'ens21']);
});

const OPENED = 100_000;
const record = (fields: Partial<WindowRecord> = {}): WindowRecord =>
  ({
    plan_id: 'plan_a',
    arrived_at: '10.0.0.4',
    listeners: ['10.0.0.5', 'fd00::5'],
    enforced_uptime_ms: OPENED,
    ...fields,
  }) as WindowRecord;
const connection = (local_address: string, open_ms = 0) =>
  ({ connection: { local_address, remote_address: '10.0.0.99', open_ms } }) as unknown as Parameters<typeof isOld>[0];

describe('a confirmation proves something', () => {
  const now = OPENED + 5_000;
  test.each<[string, ReturnType<typeof connection>, Partial<WindowRecord>, boolean]>([
    ['over a connection of now', connection('10.0.0.5'), {}, false],
    ['over one opened in the very tick that the change was complete in', connection('10.0.0.5', 5_010), {}, false],
    ['not over one that was opened before', connection('10.0.0.5', 5_011), {}, true],
    ['not while the change is still being made', connection('10.0.0.5'), { enforced_uptime_ms: null }, true],
    ['not over a connection of which nothing is known', { connection: null } as never, {}, true],
  ])('%s', (_what, facts, fields, old) => expect(isOld(facts, record(fields), now)).toBe(old));

  test.each<[string, boolean]>([
    ['10.0.0.5', true],
    ['FD00:0::5', true],
    ['10.0.0.4', false],
    ['10.0.0.6', false],
    ['', false],
    ['no address', false],
  ])('at %p: %p', (local, arrives) =>
    expect(arrivesThere(local, record({ listeners: ['10.0.0.5', 'fd00::5', 'no'] }))).toBe(arrives),
  );

  /** A service whose interfaces and links are these. */
  const serving = (rows: NetworkInterface[], links: ObservedLink[] = []) =>
    ({
      store: { all: async () => rows.map(rowFromInterface) },
      host: { links: async () => links },
    }) as unknown as Services;
  const refusal = async (
    services: Services,
    facts: ReturnType<typeof connection>,
    fields: Partial<WindowRecord> = {},
  ) =>
    refuseOtherPath(services, facts, record({ enforced_uptime_ms: 0, ...fields })).then(
      () => null,
      (problem) => problem,
    );
  const DHCP = [management({ ipv4_method: 'dhcp', ipv4_cidr: '' })];
  const given = [
    link('ens10', { ipv4_cidrs: ['10.0.7.7/24'], ipv6_cidrs: ['fd07::7/64'] }),
    link('ens20', { ipv4_cidrs: ['10.0.8.8/24'] }),
  ];

  test('is let through there, over a new connection', async () => {
    expect(await refusal(serving([]), connection('10.0.0.5'))).toBeNull();
  });

  test('is let through at an address that the network gave to a listener meanwhile', async () => {
    for (const local of ['10.0.7.7', 'fd07::7'])
      expect(await refusal(serving(DHCP, given), connection(local))).toBeNull();
    // Of an interface that does not show the management UI; of one whose address is static; of none.
    for (const [rows, local] of [
      [DHCP, '10.0.8.8'],
      [[management()], '10.0.7.7'],
      [DHCP, ''],
      [DHCP, '10.0.7'],
    ] as const)
      expect(await refusal(serving([...rows], given), connection(local))).toMatchObject({ code: 'wrong_path' });
  });

  test('and is refused elsewhere with the addresses to come to, or over an old connection, which ends', async () => {
    expect((await refusal(serving([]), connection('10.0.0.9'))).message).toBe(
      'A confirmation has to arrive at an address that holds from now on: sign in at 10.0.0.5 or fd00::5 and confirm there.',
    );
    expect((await refusal(serving([]), connection('10.0.0.9'), { listeners: [] })).message).toBe(
      'A confirmation has to arrive over the network, at an address of the management UI.',
    );
    expect(await refusal(serving([]), { connection: null } as never)).toMatchObject({ code: 'wrong_path' });
    const old = await refusal(serving([]), connection('10.0.0.5'), { enforced_uptime_ms: null });
    expect(old).toMatchObject({ code: 'wrong_path', members: { close: true } });
    expect(old.message).toBe(
      'This connection was open before the change was complete, so it proves nothing. It is closed now: confirm once more.',
    );
  });
});

describe('a record', () => {
  const now = { boot_id: 'a', ms: 4_000_000 };
  test.each<[string, Partial<WindowRecord>, number]>([
    ['opened just now may be extended to the longest window', { opened_uptime_ms: 4_000_000 }, 600],
    ['has what is left of an hour', { opened_uptime_ms: 4_000_000 - 3_400_500 }, 199],
    ['of more than an hour has nothing left', { opened_uptime_ms: 4_000_000 - 3_700_000 }, 0],
    ['of an earlier release counts from when it was in force', { enforced_uptime_ms: 4_000_000 - 3_400_000 }, 200],
    ['that is not in force yet has all of it', { enforced_uptime_ms: null }, 600],
  ])('%s', (_what, fields, left) => expect(extendableBy(record(fields), now)).toBe(left));

  test.each([
    ['confirmed', 'The confirm window is over: bob confirmed the plan at noon, and it stays.'],
    ['timeout', 'The confirm window is over. Nobody confirmed it in time; bob rolled the plan back at noon.'],
    ['cancelled', 'The confirm window is over. It was stopped; bob rolled the plan back at noon.'],
    [
      'restart',
      'The confirm window is over. The machine was restarted before it was confirmed; bob rolled the plan back at noon.',
    ],
    ['failed', 'The confirm window is over. Its apply failed; bob rolled the plan back at noon.'],
  ] as const)('that ended as %s says so', (cause, sentence) => {
    expect(howItEnded({ by: 'bob', at: 'noon', cause })).toBe(sentence);
  });
});

describe('an open window', () => {
  let data: string;
  let made = 0;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'groundcrew-confirm-'));
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  /** Armed for plan_a, and in force unless told otherwise. */
  async function open({
    enforced = true,
  } = {}): Promise<{ window: ConfirmWindow; folder: string; started: () => number }> {
    const folder = join(data, String(++made), 'apply');
    let starts = 0;
    const startWatchdog = async () => {
      starts += 1;
    };
    const window = windowIn({ host: rehearsalHost(join(folder, '..')), folder, startWatchdog });
    await window.arm(ARMING);
    if (enforced) await window.enforced('plan_a');
    return { window, folder, started: () => starts };
  }
  const ARMING = {
    plan_id: 'plan_a',
    nonce_sha256: hashNonce('nonce'),
    units: ['ntp' as const],
    timeout_seconds: 60,
    arrived_at: '10.0.0.4',
    listeners: ['10.0.0.5'],
  };

  test('is recorded as it was asked for, and its watchdog started', async () => {
    const { window, started } = await open({ enforced: false });
    expect(await window.read()).toEqual({
      ...ARMING,
      state: 'armed',
      touched: [],
      boot_id: expect.any(String),
      opened_uptime_ms: expect.any(Number),
      deadline_uptime_ms: expect.any(Number),
      deadline_at: expect.any(String),
      enforced_uptime_ms: null,
      ended: null,
    });
    expect(started()).toBe(1);
  });

  test('is the same when it is armed or said to be in force once more, and no other plan gets one beside it', async () => {
    const { window, started } = await open();
    const before = await window.read();
    await window.arm({ ...ARMING, timeout_seconds: 30 });
    expect(await window.enforced('plan_a')).toEqual(before);
    expect(await window.read()).toEqual(before);
    expect(started()).toBe(2);
    await expect(window.arm({ ...ARMING, plan_id: 'plan_b' })).rejects.toThrow(
      'the confirm window of plan_a is still open',
    );
    await expect(window.enforced('plan_b')).rejects.toThrow('ended while');
    expect(await window.read()).toEqual(before);
  });

  test('that is over makes room for the one of another plan', async () => {
    const { window } = await open();
    await window.confirm('plan_a', 'nonce', 'alice');
    await window.arm({ ...ARMING, plan_id: 'plan_b' });
    expect(await window.read()).toMatchObject({ plan_id: 'plan_b', state: 'armed' });
  });

  test('notes each unit that the change comes to, once, before it does', async () => {
    const { window } = await open({ enforced: false });
    for (const unit of ['ntp', 'ntp', 'network'] as const)
      expect(await window.whileOpen('plan_a', async () => (await window.read())!.touched, unit)).toContain(unit);
    await window.whileOpen('plan_a', async () => undefined);
    expect((await window.read())!.touched).toEqual(['ntp', 'network']);
    expect(await window.whileOpen('plan_b', async () => 'not ours')).toBe('not ours');
  });

  test('is confirmed once: whoever says so again hears of the first time, and changes nothing', async () => {
    const { window, folder } = await open();
    const first = await window.confirm('plan_a', 'nonce', 'alice');
    expect(first).toMatchObject({
      state: 'confirmed',
      ended: { by: 'alice', cause: 'confirmed', said: [], unrestored: [] },
    });
    // What a second confirmation would write: another time, another name.
    const kept = { ...first, ended: { ...first.ended!, at: '2026-01-01T00:00:00.000Z' } };
    await writeWindow(folder, kept);
    expect(await window.confirm('plan_a', 'nonce', 'bob')).toEqual(kept);
    expect(await readWindow(folder)).toEqual(kept);
    await expect(window.confirm('plan_a', 'another', 'bob')).rejects.toMatchObject({ code: 'wrong_nonce' });
    await expect(window.confirm('plan_b', 'nonce', 'bob')).rejects.toMatchObject({ code: 'window_closed' });
    await expect(window.extend('plan_a', 60)).rejects.toMatchObject({
      code: 'window_closed',
      message: howItEnded(kept.ended),
    });
    expect(await readWindow(folder)).toEqual(kept);
  });

  test('is not confirmed by another nonce, for another plan, too early or too late', async () => {
    const { window, folder } = await open();
    const before = await window.read();
    await expect(window.confirm('plan_a', 'another', 'alice')).rejects.toMatchObject({
      code: 'wrong_nonce',
      message: 'This nonce does not belong to the plan; read the plan again.',
    });
    await expect(window.confirm('plan_b', 'nonce', 'alice')).rejects.toMatchObject({
      code: 'window_closed',
      message: 'This plan has no open confirm window.',
    });
    expect(await window.read()).toEqual(before);
    await writeWindow(folder, { ...before!, deadline_uptime_ms: 0 });
    const over = { code: 'window_closed', message: expect.stringMatching(/is over: it is being rolled back\.$/) };
    await expect(window.confirm('plan_a', 'nonce', 'alice')).rejects.toMatchObject(over);
    await writeWindow(folder, { ...before!, state: 'reverting' });
    await expect(window.confirm('plan_a', 'nonce', 'alice')).rejects.toMatchObject(over);
    const early = await open({ enforced: false });
    await expect(early.window.confirm('plan_a', 'nonce', 'alice')).rejects.toMatchObject({
      code: 'window_closed',
      message: 'The change is still being made; confirm it once it is complete.',
    });
    expect((await early.window.read())!.state).toBe('armed');
  });

  test('is read again in every state and with every cause that it may have', async () => {
    const { window, folder } = await open();
    const before = (await window.read())!;
    for (const state of ['armed', 'confirmed', 'reverting', 'reverted', 'unreverted'] as const) {
      for (const cause of ['timeout', 'cancelled', 'restart', 'failed', 'confirmed'] as const) {
        const ended = { by: 'bob', at: before.deadline_at, cause, said: ['Said'], unrestored: ['ntp' as const] };
        await writeWindow(folder, { ...before, state, ended });
        expect(await readWindow(folder)).toEqual({ ...before, state, ended });
      }
    }
  });

  test('is extended from now on, as long as an hour allows', async () => {
    const { window, folder } = await open();
    const before = (await window.read())!;
    const longer = await window.extend('plan_a', 600);
    expect(longer.deadline_uptime_ms).toBeGreaterThan(before.deadline_uptime_ms);
    expect(longer).toEqual({
      ...before,
      timeout_seconds: 600,
      deadline_uptime_ms: longer.deadline_uptime_ms,
      deadline_at: longer.deadline_at,
    });
    expect(await readWindow(folder)).toEqual(longer);
    await expect(window.extend('plan_a', 601)).rejects.toMatchObject({
      code: 'state_conflict',
      message:
        'A confirm window lasts at most 60 minutes in all. It can be extended to at most 600 seconds from now; otherwise confirm the plan or roll it back.',
    });
    expect(await readWindow(folder)).toEqual(longer);
  });

  test('is ended for its own plan only, forgotten once it is over, and not cleared while it can be read', async () => {
    const { window } = await open();
    const before = await window.read();
    expect(await window.end('plan_b', 'alice', 'cancelled')).toBeNull();
    await window.forget('plan_b');
    await window.forget('plan_a');
    await expect(window.clear(null, 'alice')).rejects.toMatchObject({
      code: 'state_conflict',
      message: 'The record of the confirm window is not damaged: there is nothing to clear.',
    });
    expect(await window.read()).toEqual(before);
    await window.confirm('plan_a', 'nonce', 'alice');
    await window.forget('plan_b');
    expect((await window.read())?.state).toBe('confirmed');
    await window.forget('plan_a');
    expect(await window.read()).toBeNull();
  });

  test('that is being rolled back is in force for nobody', async () => {
    const { window, folder } = await open({ enforced: false });
    await writeWindow(folder, { ...(await window.read())!, state: 'reverting' });
    await expect(window.enforced('plan_a')).rejects.toThrow('ended while');
  });

  test('is forgotten with what was kept to put its plan back', async () => {
    const { window, folder } = await open();
    for (const plan of ['plan_a', 'plan_b']) mkdirSync(join(folder, 'work', plan), { recursive: true });
    await window.confirm('plan_a', 'nonce', 'alice');
    await window.forget('plan_a');
    expect(['plan_a', 'plan_b'].map((plan) => existsSync(join(folder, 'work', plan)))).toEqual([false, true]);
  });

  describe('whose record is damaged', () => {
    async function damaged() {
      const made = await open();
      for (const name of readdirSync(made.folder).filter((file) => /^window.*json$/.test(file)))
        writeFileSync(join(made.folder, name), 'x');
      return made;
    }

    test('stops its own plan and no other', async () => {
      const { window } = await damaged();
      await expect(window.read()).rejects.toThrow('damaged');
      await expect(window.whileOpen('plan_a', async () => 'done')).rejects.toThrow('ended while');
      expect(await window.whileOpen('plan_b', async () => 'done')).toBe('done');
    });

    test('is armed anew where nothing was changed yet', async () => {
      const { window } = await damaged();
      await window.arm({ ...ARMING, plan_id: 'plan_b' });
      expect(await window.read()).toMatchObject({ plan_id: 'plan_b', state: 'armed' });
    });

    test('is set aside with a reason, and its plan put back where one waits', async () => {
      const none = await damaged();
      expect(await none.window.clear(null, 'alice')).toBeNull();
      expect(await none.window.read()).toBeNull();
      const waits = await damaged();
      expect(await waits.window.clear({ plan_id: 'plan_a', reached: [] }, 'alice')).toMatchObject({
        plan_id: 'plan_a',
        state: 'reverted',
        ended: { by: 'alice', cause: 'cancelled' },
      });
    });

    test('is put back by whoever ends it, or forgotten', async () => {
      const ends = await damaged();
      expect(await ends.window.end('plan_a', 'alice', 'cancelled')).toMatchObject({ state: 'reverted' });
      const { window } = await damaged();
      await window.forget('plan_a');
      expect(await window.read()).toBeNull();
    });
  });
});
