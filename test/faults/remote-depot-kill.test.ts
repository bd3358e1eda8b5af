// kill -9 while an appliance is pointed at the depot, at each step: the next life ends the job or says which password it
// lacks, sets nothing twice, and nowhere is a password to be found.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { DepotOptions } from '../fakes/vcf-appliance/depot.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { type Credentials, House } from '../setup/house.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { DEPOT, DEPOT_PASSWORD, depotScene, hurry } from '../setup/remote-depot-scene.ts';
import { manager, serverOf, toLogin } from '../setup/remote-scene.ts';
import { Walk } from '../setup/wizard-walk.ts';

jest.setTimeout(300_000);

const PATH = '/v1/system/settings/depot';
const STEPS = ['connect', 'login', 'depot', 'put', 'answered', 'set', 'sync', 'synchronising'];

let program: string;
let folder: string;
let port: number;
beforeAll(async () => {
  hurry();
  program = await bundleProgram('test/faults/remote-depot-program.ts');
  const { house, ready } = await depotScene();
  port = ready.endpoint.port;
  await house.close(true);
  folder = house.data;
}, 300_000);
afterAll(() => {
  rmSync(join(program, '..'), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

const count = (fake: VcfAppliance, method: string, path = PATH) =>
  fake.requests.filter((request) => request.method === method && request.path === path).length;

interface Life {
  fake: VcfAppliance;
  data: string;
  said: string;
  signal: string | null;
}

/** One life from the same beginning, which ends at a step; then `act` with the next. */
async function life(step: number, login: 'typed' | 'stored', act: (life: Life) => Promise<void>): Promise<void> {
  const account = { username: 'admin@local', password: 'Account-canary-0815!' };
  const fake = await manager({ account, depot: { sync: { states: ['SYNCING', 'SYNCING', 'SYNCED'] } } });
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-depot-kill-'));
  try {
    cpSync(folder, data, { recursive: true });
    const args = [data, `${port}`, `${step}`, login, serverOf(fake), account.username];
    const run = startProgram(program, args, { env: { FAKE_PASSWORD: account.password } });
    const { lines, stderr, signal } = await run.ended;
    await act({ fake, data, said: `${lines.join('\n')}\n${stderr}`, signal });
  } finally {
    await fake.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** The next life on the same folder; the job is looked at by somebody new. */
async function next({ data, fake }: Life, act: (walk: Walk, job: () => Promise<Job>) => Promise<void>): Promise<void> {
  const house = await House.open({ data, depot: { port } });
  try {
    await house.appliance.followDepot();
    const who: Credentials = await house.actor('admin');
    await house.appliance.runner.idle();
    const [row] = await house.services.store.all<{ id: string }>("SELECT id FROM job WHERE kind LIKE 'offline-depot%'");
    const walk = await new Walk(house, who).open(`${DEPOT}/tasks/${row!.id}`);
    const job = async () => {
      await house.appliance.runner.idle();
      return (await house.send('GET', `/api/v1/jobs/${row!.id}`, { token: who.token })).body;
    };
    await act(walk, job);
    expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'remote-depot%'")).toEqual([]);
    const pages = JSON.stringify(house.heard.map(({ answer }) => answer));
    for (const secret of [DEPOT_PASSWORD, fake.account.password]) expect(pages.includes(secret)).toBe(false);
  } finally {
    await house.close(true);
  }
}

interface Job {
  state: string;
  result: { outcome: string } | null;
  error: { error_code: string } | null;
  tasks: { name: string; started_at: string | null; finished_at: string | null }[];
}

function unread({ data, said, fake }: Life): void {
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(data, path)).isFile(),
  );
  for (const secret of [DEPOT_PASSWORD, ...fake.secrets()]) {
    for (const text of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ]) {
      expect(said.includes(text)).toBe(false);
      for (const path of files) expect([path, readFileSync(join(data, path)).includes(text)]).toEqual([path, false]);
    }
  }
}

test('not killed it comes to its end, by these steps', () =>
  life(0, 'stored', async (whole) => {
    const steps = [...whole.said.matchAll(/^\d+ remote-depot\.(\w+)$/gm)].map(([, name]) => name);
    if (!whole.said.includes('done')) throw new Error(whole.said);
    expect([steps, whole.said.includes('done')]).toEqual([STEPS, true]);
    unread(whole);
  }));

test.each(STEPS.map((name, at) => [name, at + 1] as const))('killed at %s, with a stored login', (name, step) =>
  life(step, 'stored', async (killed) => {
    expect(killed.signal).toBe('SIGKILL');
    // At the moment of `answered` the appliance has it, and nothing here says so yet.
    const set = STEPS.indexOf(name) >= STEPS.indexOf('answered');
    await next(killed, async (walk, job) => {
      if (!set) {
        expect((await job()).error?.error_code).toBe('remote_credential_gone');
        await walk.send('Continue', { ...killed.fake.account, depot_password: DEPOT_PASSWORD });
      }
      const ended = await job();
      expect([ended.state, ended.result?.outcome]).toEqual(['succeeded', 'configured']);
      // Going on with the second task does not end the first one again.
      const [depot, sync] = ['depot', 'sync'].map((task) => ended.tasks.find(({ name }) => name === task));
      expect(depot!.finished_at! <= sync!.started_at!).toBe(true);
    });
    expect(count(killed.fake, 'PUT')).toBe(1);
    expect(count(killed.fake, 'PATCH', `${PATH}/depot-sync-info`)).toBe(1);
    unread(killed);
  }),
);

test('killed while it synchronises, with a typed login: asks for that alone, and goes on', () =>
  life(STEPS.length, 'typed', async (killed) => {
    await next(killed, async (walk, job) => {
      expect((await job()).error?.error_code).toBe('remote_credential_gone');
      expect(walk.html).not.toContain('name="depot_password"');
      await walk.send('Continue', killed.fake.account);
      expect((await job()).state).toBe('succeeded');
    });
    expect(count(killed.fake, 'PUT')).toBe(1);
    unread(killed);
  }));

test('one run over every refusal, by an appliance that repeats what it gets: no password in logs, rows, audit, pages, answers or files', async () => {
  const logs: string[] = [];
  const account = { username: 'admin@local', password: 'Account-canary-4711!' };
  const mistyped = ['Mistyped-canary-at-the-login-1!', 'Mistyped-canary-of-the-depot-1!'] as const;
  const depot: DepotOptions = {};
  const fake = await manager({ account, echo: true, depot });
  const { house, admin } = await depotScene({ log: (line) => void logs.push(line) });
  try {
    const failed = (said: string) => ({
      ...{ status: 400, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({
        errorCode: 'X',
        message: `no: ${said}`,
        remediationMessage: said,
        nestedErrors: [{ message: said }],
      }),
    });
    const tries: (() => void)[] = [
      () =>
        Object.assign(depot, {
          test: 'DEPOT_INVALID_CREDENTIAL',
          message: (password: unknown) => `it was ${password}`,
        }),
      () => fake.faults.push({ method: 'PUT', path: /depot$/, times: 1, answer: ({ text }) => failed(text) }),
      () => fake.faults.push({ method: 'PATCH', path: /sync-info$/, times: 11, answer: () => failed(DEPOT_PASSWORD) }),
      () => {
        depot.sync = {
          states: ['SYNCING', 'SYNC_FAILED'],
          error: `https://depot:${DEPOT_PASSWORD}@depot/ ${DEPOT_PASSWORD}`,
        };
      },
      () => {
        depot.sync = { states: ['SYNCING', 'SYNCED'] };
      },
    ];
    const seen: string[] = [];
    for (const prepare of tries) {
      Object.assign(depot, { test: undefined, message: undefined });
      prepare();
      const who = await house.actor('admin');
      const walk = await toLogin(house, who, DEPOT, fake);
      await walk.send('Login', { username: account.username, password: mistyped[0] });
      await walk.send('Login', account);
      await walk.send('Depot password', { depot_password: mistyped[1] });
      await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
      const again = walk.html.includes('name="rewrite"') ? { rewrite: 'yes' } : {};
      await walk.send('Configure', { password: account.password, depot_password: mistyped[1], ...again });
      await walk.send('Configure', { password: account.password, depot_password: DEPOT_PASSWORD, ...again });
      await house.appliance.runner.idle();
      await walk.open(walk.at);
      seen.push(/Succeeded|Failed/.exec(walk.words)?.[0] ?? walk.words);
    }
    expect(seen).toEqual(['Failed', 'Failed', 'Failed', 'Failed', 'Succeeded']);
    for (const path of ['/api/v1/jobs', '/api/v1/audit-events', '/ui/management/jobs', '/ui/management/audit-log']) {
      await house.send('GET', path, path.startsWith('/api') ? { token: admin.token } : { session: admin });
    }
    const tables = await house.services.store.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const rows = await Promise.all(tables.map(({ name }) => house.services.store.all(`SELECT * FROM "${name}"`)));
    const heard = house.heard.map(({ path, answer }) => [path, answer]);
    const said = [JSON.stringify(heard), logs.join('\n'), JSON.stringify(rows)].join('\n');
    expect(said.includes('Mistyped-canary')).toBe(false);
    unread({ fake, data: house.data, said, signal: null });
  } finally {
    await house.close();
    await fake.stop();
  }
});
