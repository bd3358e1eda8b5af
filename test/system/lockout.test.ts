// The lockout drill: somebody behind a router applies what cuts him off, over HTTP, with the real service, networkd and nft
// in namespaces. He gets back in when the window ends, whether the service lives or was killed, and nothing of the change is
// left. Edits one by one and in pairs; LOCKOUT_ROUNDS says how many, and then two seconds after the window is too late.
// Without it the time is printed, not judged: a busy machine keeps its word later.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeWindow } from '../../shared/appliance/apply/window/record-file.ts';
import { type Answer, HOME, LockoutLab, type Somebody } from '../setup/lockout-lab.ts';

const ROUNDS = Number(process.env.LOCKOUT_ROUNDS ?? 4);
/** Seconds. */
const WINDOW = 2;
const GRACE = process.env.LOCKOUT_ROUNDS === undefined ? 30 : 2;
/** Milliseconds for a round. */
const ROUND_LIMIT = 60_000;

let lab: LockoutLab;
let client: Somebody;
let local: Somebody;

beforeAll(async () => {
  lab = await LockoutLab.open('lock');
  client = lab.client;
  local = lab.local;
}, 300_000);
afterAll(() => lab.close());

const MGMT = '/interfaces/physical/mgmt0';
const LAB = '/interfaces/physical/lab0';
const BASE: Record<string, object> = {
  [MGMT]: {
    role: 'management',
    enabled: true,
    ipv4_method: 'static',
    ipv4_cidr: `${HOME}/24`,
    ipv4_gateway: '10.77.0.254',
    ipv6_enabled: false,
    mtu: 1500,
  },
  [LAB]: { role: 'access', enabled: true, ipv4_cidr: '10.88.0.1/24', access_management_ui_enabled: false, mtu: 1500 },
};

interface Edit {
  patches: Record<string, object>;
  rules?: object[];
}

const rule = (fields: object) => ({ action: 'drop', direction: 'input', ...fields });
const UI_ON_LAB = { [LAB]: { access_management_ui_enabled: true } };
/** Each of them cuts off whoever is behind the router, but `moved`, which only makes him go elsewhere. */
const EDITS: Record<string, Edit> = {
  'wrong address': { patches: { [MGMT]: { ipv4_cidr: '10.123.0.1/24', ipv4_gateway: '10.123.0.254' } } },
  'moved address': { patches: { [MGMT]: { ipv4_cidr: '10.77.0.9/24' } } },
  'wrong gateway': { patches: { [MGMT]: { ipv4_gateway: '10.77.0.253' } } },
  'no gateway': { patches: { [MGMT]: { ipv4_gateway: '' } } },
  'removed address': { patches: { ...UI_ON_LAB, [MGMT]: { role: 'unused' } } },
  'disabled interface': { patches: { ...UI_ON_LAB, [MGMT]: { role: 'access', enabled: false } } },
  // One that drops everybody is refused at the review, so somebody is left who is not him.
  'filter that drops all but one': {
    patches: {},
    rules: [
      rule({ name: 'one', action: 'accept', source_cidr: '192.0.2.7', position: 10 }),
      rule({ name: 'all', position: 20 }),
    ],
  },
  'filter that drops him': {
    patches: {},
    rules: [rule({ name: 'him', source_cidr: '10.99.0.0/24', protocol: 'tcp' })],
  },
};
const SINGLE = Object.keys(EDITS);
const PAIRS = SINGLE.flatMap((one, at) => SINGLE.slice(at + 1).map((other) => [one, other]));
const COMBINATIONS: string[][] = [...SINGLE.map((name) => [name]), ...PAIRS];
const MODES = ['alive', 'killed', 'two watchdogs', 'killed and restarted', 'cancelled'] as const;

function merged(names: readonly string[]): Edit {
  const patches: Record<string, object> = {};
  const rules: object[] = [];
  for (const name of names) {
    const edit = EDITS[name]!;
    for (const [path, fields] of Object.entries(edit.patches)) patches[path] = { ...patches[path], ...fields };
    rules.push(...(edit.rules ?? []));
  }
  return { patches, rules };
}

async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, error } = await answer;
  if (status === 0 || status >= 300) throw new Error(`${status} ${error ?? ''} ${JSON.stringify(body).slice(0, 600)}`);
  return body;
}

/**
 * Over loopback, which no plan touches; the other listener first, so that one of them is always left. Answers whether the
 * edits go together.
 */
async function save({ patches, rules = [] }: Edit): Promise<boolean> {
  for (const path of [LAB, MGMT]) {
    if (!patches[path]) continue;
    const answer = await local.api('PATCH', path, patches[path]);
    if (answer.status === 422) return false;
    await ok(Promise.resolve(answer));
  }
  for (const each of rules) await ok(local.api('POST', '/firewall/rules', each));
  return true;
}

async function saveBase(): Promise<void> {
  await ok(local.api('PATCH', MGMT, BASE[MGMT]));
  await ok(local.api('PATCH', LAB, BASE[LAB]));
  for (const { id } of (await ok(local.api('GET', '/firewall/rules'))).items)
    await ok(local.api('DELETE', `/firewall/rules/${id}`));
}

/** The plan of what is saved, asked for over loopback: of the client some of it would be refused at once. */
const review = () => ok(local.api('POST', '/apply/plans', {}));
const planOf = (id: string) => ok(local.api('GET', `/apply/plans/${id}`));
const enforced = (id: string) =>
  lab.until(`${id} is in force`, async () => {
    const record = await lab.record();
    return record?.plan_id === id && record.enforced_uptime_ms !== null;
  });
const ended = (id: string, state: string) =>
  lab.until(`${id} is ${state}`, async () => (await planOf(id)).state === state);

async function submit(plan: { id: string; digest: string }, from = client): Promise<string> {
  const { confirm } = await ok(from.api('POST', `/apply/plans/${plan.id}/submit`, { digest: plan.digest }));
  expect(confirm).toMatchObject({ timeout_seconds: 120, nonce: expect.stringMatching(/^\S{32}$/) });
  return confirm.nonce;
}

const audited = async () =>
  (await ok(local.api('GET', '/audit?limit=5'))).items.map(({ action }: { action: string }) => action);

test('what the very first apply does goes back as well, to what others had put there', async () => {
  const before = lab.hostState({ linkLocal: true });
  await save({
    patches: { ...BASE, [MGMT]: { ...BASE[MGMT], ipv4_cidr: '10.123.0.1/24', ipv4_gateway: '10.123.0.254' } },
  });
  const plan = await review();
  await submit(plan);
  await enforced(plan.id);
  expect(await client.reaches(300)).toBeNull();
  await lab.shorten(plan.id, 1);
  expect(await client.reaches(3_000)).not.toBeNull();
  await ended(plan.id, 'reverted');
  expect(lab.hostState({ linkLocal: true })).toEqual(before);
}, 300_000);

test('a plan that is confirmed over the new path stays', async () => {
  await saveBase();
  const first = await review();
  const nonce = await submit(first);
  await enforced(first.id);
  expect((await client.api('POST', `/apply/plans/${first.id}/confirm`, { nonce })).status).toBe(200);
  await ended(first.id, 'applied');
}, 300_000);

interface Figures {
  rounds: number;
  locked: number;
  /** Milliseconds after the deadline until he was back, and until everything was put back; the longest. */
  slowest: number;
  whole: number;
  modes: Record<string, number>;
}

async function round(number: number, names: string[], figures: Figures): Promise<void> {
  const mode = MODES[number % MODES.length]!;
  const before = lab.hostState();
  const plan = await review();
  await submit(plan);
  const what = `${number}: ${names.join(' and ')}, ${mode}`;
  let deadline: number;
  if (mode.startsWith('killed')) {
    // Anywhere from the answer to the last moment of the window.
    await pause(Math.random() * (1_000 + 1_500 + WINDOW * 500));
    await lab.kill();
    // One that had not opened its window has changed nothing, and goes on after its start.
    if ((await lab.record())?.plan_id !== plan.id) await lab.start();
    else if (mode === 'killed and restarted') await lab.start();
    await lab.until('a window', async () => (await lab.record())?.plan_id === plan.id);
    await lab.shorten(plan.id, WINDOW).catch(() => undefined);
    deadline = performance.now() + WINDOW * 1_000;
  } else {
    await enforced(plan.id);
    if (mode === 'two watchdogs') for (let count = 0; count < 2; count += 1) lab.watchdog();
    if ((await client.reaches(400)) === null) figures.locked += 1;
    await lab.shorten(plan.id, WINDOW);
    deadline = performance.now() + WINDOW * 1_000;
    if (mode === 'cancelled') {
      await ok(local.api('POST', `/apply/plans/${plan.id}/cancel`));
      deadline = performance.now();
    }
  }
  const reached = await client.reaches((WINDOW + GRACE) * 1_000);
  const late = performance.now() - deadline;
  if (reached === null) throw new Error(`${what}: not back in time; ${JSON.stringify(await lab.record())}`);
  figures.slowest = Math.max(figures.slowest, late);
  await lab.until('nothing is open', async () => {
    const record = await lab.record();
    return record === null || record.state === 'reverted';
  });
  if (mode === 'killed') await lab.kill().then(() => lab.start());
  await ended(plan.id, 'reverted');
  expect({ what, ...lab.hostState() }).toEqual({ what, ...before });
  const { window, units } = await planOf(plan.id);
  figures.whole = Math.max(figures.whole, Date.parse(window.ended.at) - Date.now() + performance.now() - deadline);
  expect(window.ended).toMatchObject({ cause: mode === 'cancelled' ? 'cancelled' : 'timeout', unrestored: [] });
  expect(units.every(({ reached: step }: { reached: string | null }) => step === 'restored' || step === null)).toBe(
    true,
  );
  expect(await audited()).toContain('apply.reverted');
  await saveBase();
  // What is saved is what is in force again: nothing was recorded of the plan.
  expect({ what, plan: (await review()).plan_id }).toEqual({ what, plan: null });
  figures.rounds += 1;
  figures.modes[mode] = (figures.modes[mode] ?? 0) + 1;
}

test(
  `whoever cuts himself off is back after ${WINDOW} s, ${ROUNDS} times`,
  async () => {
    const figures: Figures = { rounds: 0, locked: 0, slowest: 0, whole: 0, modes: {} };
    const began = performance.now();
    try {
      for (let tried = 0; figures.rounds < ROUNDS; tried += 1) {
        const names = COMBINATIONS[tried % COMBINATIONS.length]!;
        if (await save(merged(names))) await round(figures.rounds, names, figures);
        else await saveBase();
      }
    } finally {
      process.stdout.write(
        `lockout: ${figures.rounds} of ${ROUNDS} back, ${figures.locked} seen cut off, latest ${Math.round(figures.slowest)} ms after the deadline, everything ${Math.round(figures.whole)} ms, ${JSON.stringify(figures.modes)}, ${Math.round((performance.now() - began) / 1000)} s\n`,
      );
    }
  },
  ROUNDS * ROUND_LIMIT,
);

describe('over the network', () => {
  /** A plan that moves the management UI, in force. */
  async function moved() {
    await save({ patches: { [MGMT]: { ipv4_cidr: '10.77.0.9/24' } } });
    const plan = await review();
    const { confirm } = await ok(
      client.api('POST', `/apply/plans/${plan.id}/submit`, { digest: plan.digest }, { kept: true }),
    );
    expect(confirm.addresses).toEqual(['10.77.0.9']);
    await enforced(plan.id);
    return { id: plan.id as string, nonce: confirm.nonce as string };
  }
  const confirm = (id: string, nonce: string, how: { at?: string; kept?: boolean } = {}, from = client) =>
    from.api('POST', `/apply/plans/${id}/confirm`, { nonce }, how);

  test('only a confirmation at the new address counts, with the nonce of the plan; it may be given more time', async () => {
    const { id, nonce } = await moved();
    expect((await confirm(id, nonce, {}, local)).body.error_code).toBe('wrong_path');
    await lab.until('the new address answers', async () => (await client.reaches(500, '10.77.0.9')) !== null);
    expect((await confirm(id, 'wrong', { at: '10.77.0.9' })).body.error_code).toBe('wrong_nonce');
    await lab.shorten(id, 3);
    const extended = await client.api(
      'POST',
      `/apply/plans/${id}/extend`,
      { confirm_timeout: 60 },
      { at: '10.77.0.9' },
    );
    expect(extended.body.seconds_left).toBe(60);
    await pause(3_500);
    expect((await lab.record())?.state).toBe('armed');
    expect((await confirm(id, nonce, { at: '10.77.0.9' })).status).toBe(200);
    await ended(id, 'applied');
    expect(await client.reaches(300)).toBeNull();
    // And back again, by a plan that is confirmed at the address that is home.
    await saveBase();
    const back = await review();
    const { confirm: opened } = await ok(
      client.api('POST', `/apply/plans/${back.id}/submit`, { digest: back.digest }, { at: '10.77.0.9' }),
    );
    await enforced(back.id);
    await lab.until('home answers', async () => (await client.reaches(500)) !== null);
    await lab.until('home is confirmed', async () => (await confirm(back.id, opened.nonce)).status === 200);
    await ended(back.id, 'applied');
  }, 300_000);

  test('a connection that was there before proves nothing', async () => {
    await save({
      patches: {},
      rules: [rule({ name: 'ssh', source_cidr: '10.99.0.0/24', protocol: 'tcp', ports: '22' })],
    });
    const plan = await review();
    // The one that is kept may have been cut by an earlier test; this makes it anew.
    await client.api('GET', '/apply/plans', undefined, { kept: true });
    const submitted = await ok(
      client.api('POST', `/apply/plans/${plan.id}/submit`, { digest: plan.digest }, { kept: true }),
    );
    // Kept alive until the change is complete, as the page that follows the apply does.
    for (let asked = 0; (await lab.record())?.enforced_uptime_ms == null && asked < 100; asked += 1) {
      await client.api('GET', `/apply/plans/${plan.id}`, undefined, { kept: true });
      await pause(100);
    }
    const { nonce } = submitted.confirm;
    const old = await confirm(plan.id, nonce, { kept: true });
    expect([old.status, old.body.error_code, old.headers.connection]).toEqual([409, 'wrong_path', 'close']);
    expect((await confirm(plan.id, nonce, { kept: true })).status).toBe(200);
    await ended(plan.id, 'applied');
    await saveBase();
    const back = await review();
    const again = await submit(back);
    await enforced(back.id);
    expect((await confirm(back.id, again)).status).toBe(200);
    await ended(back.id, 'applied');
  }, 300_000);

  test('a restart of the service within the window leaves it open; one of the machine ends it', async () => {
    const { id, nonce } = await moved();
    await lab.stop();
    await lab.start();
    await lab.until('the new address answers', async () => (await client.reaches(500, '10.77.0.9')) !== null);
    expect((await planOf(id)).state).toBe('confirming');
    await lab.kill();
    const record = (await lab.record())!;
    expect(record.state).toBe('armed');
    await writeWindow(join(lab.data, 'apply'), { ...record, boot_id: 'another start of the machine' });
    await lab.start();
    await ended(id, 'reverted');
    expect(await client.reaches(2_000)).not.toBeNull();
    expect((await planOf(id)).window.ended.cause).toBe('restart');
    expect((await confirm(id, nonce)).body.error_code).toBe('window_closed');
    await saveBase();
    expect((await review()).plan_id).toBeNull();
  }, 300_000);
});
