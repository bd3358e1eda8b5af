// The n-th call of an apply fails, for every n: each reading or writing of a file, each program, each statement of the
// database and each named step. Whatever fails, the host has the one state or the other, and the plan says which. With and
// without a confirm window; every so-manieth n only, unless `npm run long` asks for all.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { READER_DONE } from '../../shared/platform/host/networkd.ts';
import { type Credentials, House, LINKS } from '../setup/house.ts';

/** From one n to the next. Those with a window take half a second each. */
const strideOf = (windowed: boolean): number => Number(process.env.NTH_STRIDE ?? (windowed ? 11 : 3));
const PLANS = '/api/v1/apply/plans';
const FILE = '/etc/systemd/network/40-groundcrew-ens192.network';
const COUNTED = ['read', 'write', 'remove', 'exec', 'links', 'startDaemon', 'stopDaemon', 'reloadDaemon'] as const;
/** More than any apply makes. */
const MOST = 1_000;

let house: House;
let admin: Credentials;
/** Calls until one fails; null: none is counted. */
let left: number | null = null;
let failed = '';
/** So far ahead that the grace before a change is over. */
let ahead = 0;

function call(what: string): void {
  if (left === null) return;
  left -= 1;
  if (left !== 0) return;
  failed = what;
  throw Object.assign(new Error(`the test lets ${what} fail`), { code: 'EIO' });
}

const mtuIn = (content: string | null): number => Number(/MTUBytes=(\d+)/.exec(content ?? '')?.[1] ?? 1500);

/** Enforces: its link has the MTU that the file says. Each call of it is counted. */
function failing(rehearsal: Host): Host {
  const seen = async () => {
    const mtu = mtuIn(await rehearsal.read(FILE));
    return LINKS.map((link) => (link.name === 'ens192' ? { ...link, mtu } : link));
  };
  const host: Host = {
    ...rehearsal,
    enforces: true,
    daemonRunning: async () => true,
    links: seen,
    exec: async (program, args) => {
      if (program === 'unshare') return { code: 0, stdout: `${READER_DONE}\n`, stderr: '' };
      if (program === 'nft' && args.includes('list'))
        return { code: 1, stdout: '', stderr: 'No such file or directory' };
      const shown = (await seen()).map(({ name, mtu }) => ({ ifname: name, flags: ['UP'], mtu, addr_info: [] }));
      const json = args.includes('-j') && !args.includes('route');
      return { code: 0, stdout: json ? JSON.stringify(shown) : '', stderr: '' };
    },
  };
  for (const name of COUNTED) {
    const real = host[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(host, {
      [name]: async (...args: unknown[]) => {
        call(`${name} ${String(args[0] ?? '')}`);
        return real(...args);
      },
    });
  }
  return host;
}

beforeAll(async () => {
  house = await House.open({
    host: failing,
    observe: (sql) => call(sql),
    services: { clock: { now: () => new Date(Date.now() + ahead) }, checkpoint: (step) => call(step) },
  });
  admin = await house.actor('admin');
  await api('PATCH', '/api/v1/firewall/settings', { enabled: false });
}, 120_000);
afterAll(() => house.close());

const api = async (method: string, path: string, body?: unknown) => {
  const over = { local: '127.0.0.1', remote: '127.0.0.1' };
  return house.send(method, path, { token: admin.token, over, ...(body !== undefined && { body }) });
};

/** Confirms the plan as soon as it may be, unless it comes to another end first. */
async function confirmSoon(nonce: string, plan: string): Promise<void> {
  const { window } = enforcementOf(house.services);
  for (;;) {
    const record = await window.read();
    if (record?.plan_id === plan && record.enforced_uptime_ms !== null) {
      await window.confirm(plan, nonce, 'test').catch(() => undefined);
      return;
    }
    if (record?.plan_id === plan && record.state !== 'armed') return;
    if (left === null) return;
    await pause(5);
  }
}

interface Outcome {
  state: string;
  /** Whether what the plan changes is in force on the host, and whether the database says so. */
  there: boolean;
  recorded: boolean;
}

/** One apply of an MTU, in which the n-th call fails. */
async function apply(mtu: number, n: number | null, windowed: boolean): Promise<Outcome> {
  const { store, host } = house.services;
  await api('PATCH', '/api/v1/interfaces/physical/ens192', { mtu });
  const before = mtuIn(await host.read(FILE));
  const { body: plan } = await api('POST', PLANS, {});
  const { runner } = house.appliance;
  const wake = runner.wake.bind(runner);
  runner.wake = () => undefined;
  const { body } = await api('POST', `${PLANS}/${plan.id}/submit`, {
    digest: plan.digest,
    ...(windowed && { confirm_timeout: 60 }),
  });
  runner.wake = wake;
  failed = '';
  ahead += 5_000;
  left = n ?? MOST;
  const confirming = windowed ? confirmSoon(body.confirm.nonce, plan.id) : undefined;
  await runner.idle();
  left = null;
  await confirming;
  // An end that could not be written down is written down when the clock comes round.
  const second = windowed ? confirmSoon(body.confirm.nonce, plan.id) : undefined;
  left = MOST;
  await runner.idle();
  left = null;
  await second;
  const [row] = await store.all<{ state: string; run: string; recorded: number }>(
    `SELECT state, run, (SELECT plan_id FROM unit_state WHERE unit = 'network') = plan.id AS recorded FROM plan WHERE id = ?`,
    [plan.id],
  );
  const now = mtuIn(await host.read(FILE));
  const { state, recorded, run } = row!;
  const step = (JSON.parse(run ?? '{}') as Record<string, string>).network ?? 'not reached';
  const outcome = { state, there: now === mtu, recorded: recorded === 1 };
  const facts = { n, failed, now, ...outcome, step };
  expect({ ...facts, whole: now === mtu || now === before }).toEqual({ ...facts, whole: true });
  // What the database calls in force is what is in force; a plan is only called applied when it is, and put back when not.
  expect({ ...facts, recorded: outcome.recorded }).toEqual({ ...facts, recorded: outcome.there });
  expect({ ...facts, applied: step === 'applied' }).toEqual({ ...facts, applied: outcome.there });
  if (state === 'applied' || state === 'reverted')
    expect({ ...facts, there: state === 'applied' }).toEqual({ ...facts, there: outcome.there });
  else expect({ ...facts, known: ['failed', 'cancelled'].includes(state) }).toEqual({ ...facts, known: true });
  expect(await store.all('SELECT * FROM mutation_lock')).toEqual([]);
  expect(await enforcementOf(house.services).window.read()).toBeNull();
  return outcome;
}

test.each([
  ['without a window', false],
  ['with one', true],
])(
  'an apply %s, whichever of its calls fails, ends in a state that is told truthfully',
  async (_what, windowed) => {
    expect(await apply(windowed ? 4_000 : 3_000, null, windowed)).toEqual({
      state: 'applied',
      there: true,
      recorded: true,
    });
    const outcomes: Record<string, number> = {};
    let n = 1;
    for (; n < MOST; n += strideOf(windowed)) {
      const { state, there } = await apply((windowed ? 4_000 : 3_000) + n, n, windowed);
      if (failed === '') break;
      const said = `${state}${state === 'failed' && there ? ' after it was recorded' : ''}`;
      outcomes[said] = (outcomes[said] ?? 0) + 1;
    }
    process.stdout.write(
      `${n - 1} calls of an apply ${windowed ? 'with' : 'without'} a window: ${JSON.stringify(outcomes)}\n`,
    );
    expect(n).toBeGreaterThan(50);
    const { fault } = await verifyAudit(house.services.store, house.services.keys);
    expect(fault).toBeNull();
  },
  900_000,
);
