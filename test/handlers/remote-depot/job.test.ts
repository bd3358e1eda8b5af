// The job that points an appliance at the depot, over time: old ends of a synchronisation and fresh ones, services that
// restart, an hour that goes by, logins that run out, a restart of our own, and somebody who stops it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { JobRun } from '../../../shared/kernel/jobs/run.ts';
import { jobSecrets } from '../../../shared/kernel/jobs/secrets.ts';
import { PACE } from '../../../shared/vcf/remote-depot/patience.ts';
import { synchronise } from '../../../shared/vcf/remote-depot/sync.ts';
import type { DepotOptions } from '../../fakes/vcf-appliance/depot.ts';
import type { VcfAppliance, VcfApplianceOptions } from '../../fakes/vcf-appliance.ts';
import { type Credentials, House } from '../../setup/house.ts';
import {
  asked,
  configured,
  DEPOT,
  DEPOT_PASSWORD,
  type DepotScene,
  depotScene,
  type Ended,
  hurry,
  PATH,
  reviewed,
  said,
  states,
} from '../../setup/remote-depot-scene.ts';
import { manager, serverOf, stored } from '../../setup/remote-scene.ts';
import { Walk } from '../../setup/wizard-walk.ts';

let scene: DepotScene;
let house: House;
let admin: Credentials;
/** Milliseconds by which both clocks are ahead. */
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const uptime = { boot: 'boot', milliseconds: () => Math.floor(performance.now() + ahead) };
let at: ((step: string) => Promise<void> | void) | null = null;
const checkpoint = (step: string) => at?.(step);

beforeAll(async () => {
  hurry();
  scene = await depotScene({ services: { clock, uptime, checkpoint } });
  ({ house } = scene);
});
afterAll(() => house.close());
beforeEach(async () => {
  admin = await house.actor('admin');
});

const fakes: VcfAppliance[] = [];
afterEach(async () => {
  at = null;
  ahead = 0;
  for (const fake of fakes.splice(0)) await fake.stop();
});

async function appliance(depot: DepotOptions = {}, more: Partial<VcfApplianceOptions> = {}): Promise<VcfAppliance> {
  const fake = await manager({ depot, ...more });
  fakes.push(fake);
  return fake;
}

const jobAt = async (walk: Walk, where = house, who = admin): Promise<Ended> => {
  await where.appliance.runner.idle();
  ahead = 0;
  return (await where.send('GET', `/api/v1/jobs/${walk.at.split('/').at(-1)}`, { token: who.token })).body;
};
const count = (fake: VcfAppliance, method: string, path = PATH) => asked(fake, method, path).length;
const EARLIER = '2026-11-20T10:00:00.000Z';

describe('a synchronisation', () => {
  test('an old success that stays for a while is not taken for the new one', async () => {
    const fake = await appliance({ sync: { earlier: EARLIER, stale: 4, states: ['SYNCED'] } });
    const job = await jobAt(await configured(house, admin, fake));
    expect(job.state).toBe('succeeded');
    expect(said(job)).toContain(`still shows the end of an earlier synchronisation (SYNCED at ${EARLIER})`);
    expect(count(fake, 'GET', `${PATH}/depot-sync-info`)).toBeGreaterThan(4);
  });

  test('services that restart meanwhile are borne, and told once', async () => {
    const fake = await appliance({ sync: { gaps: 6, states: ['SYNCING', 'SYNCING', 'SYNCED'] } });
    const job = await jobAt(await configured(house, admin, fake));
    expect(job.state).toBe('succeeded');
    expect(said(job).match(/its services may restart/g)).toHaveLength(1);
    expect(said(job)).toContain('Answers again, after 6 without.');
  });

  test('connections that break are borne as well', async () => {
    const fake = await appliance();
    fake.faults.push({
      method: 'GET',
      path: /sync-info$/,
      times: 3,
      answer: { status: 200, body: '{"sync', cut: true },
    });
    expect((await jobAt(await configured(house, admin, fake))).state).toBe('succeeded');
  });

  test('one that fails is told with what the appliance says, and what that means', async () => {
    const fake = await appliance({ sync: { states: ['SYNCING', 'SYNC_FAILED'] } });
    const job = await jobAt(await configured(house, admin, fake));
    expect([job.state, job.error?.error_code]).toEqual(['failed', 'remote_refused']);
    expect(job.error?.detail).toContain('It says: Vmware compatibility data download failed.');
    expect(job.error?.detail).toContain('VmwareCompatibilityData.json');
    expect(states(job)).toEqual(['connect succeeded', 'login succeeded', 'depot succeeded', 'sync failed']);
  });

  test('a failure from before is not waited out for an hour', async () => {
    const fake = await appliance();
    const failed = { syncStatus: 'SYNC_FAILED', errorMessage: 'disk full' };
    fake.faults.push({
      ...{ path: /sync-info$/ },
      answer: () => {
        ahead += 60_000;
        return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(failed) };
      },
    });
    const job = await jobAt(await configured(house, admin, fake));
    expect(job.error?.detail).toContain(
      'did not begin a new synchronisation; the last one failed. It says: disk full.',
    );
  });

  test('ends after an hour, and says that the depot is set', async () => {
    const fake = await appliance({ sync: { states: ['SYNCING'] } });
    const walk = await configured(house, admin, fake);
    fake.faults.push({
      ...{ method: 'GET', path: /sync-info$/ },
      answer: () => {
        ahead += 5 * 60_000;
        return {
          ...{ status: 200, headers: { 'content-type': 'application/json' } },
          body: JSON.stringify({ syncStatus: 'SYNCING' }),
        };
      },
    });
    const job = await jobAt(walk);
    expect([job.state, job.error?.error_code]).toEqual(['failed', 'remote_timeout']);
    expect(job.error?.detail).toContain('did not end within 60 minutes. The appliance says SYNCING. The depot is set');
    expect(count(fake, 'PUT')).toBe(1);
  });

  test('one that is under way already is followed', async () => {
    const fake = await appliance();
    fake.faults.push({
      ...{ method: 'PATCH', path: /sync-info$/ },
      answer: {
        status: 409,
        headers: { 'content-type': 'application/json' },
        body: '{"errorCode":"SYNC_RUNNING","message":"running"}',
      },
    });
    let looks = 0;
    fake.faults.push({
      ...{ method: 'GET', path: /sync-info$/ },
      answer: () => {
        looks += 1;
        const info = looks < 5 ? { syncStatus: 'SYNCING' } : { syncStatus: 'SYNCED', lastSyncCompletionTimestamp: 'x' };
        return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(info) };
      },
    });
    expect((await jobAt(await configured(house, admin, fake))).state).toBe('succeeded');
  });

  test('another depot that somebody sets meanwhile is noticed at the end', async () => {
    const fake = await appliance();
    at = (step) => {
      if (step !== 'remote-depot.synchronising') return;
      const settings = { depotConfiguration: { isOfflineDepot: true, url: 'https://rival.lab.test' } };
      fake.faults.push({
        ...{ method: 'GET', path: /settings\/depot$/ },
        answer: { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(settings) },
      });
    };
    const job = await jobAt(await configured(house, admin, fake));
    expect(job.error?.detail).toContain('https://rival.lab.test');
    expect(job.error?.detail).toContain('somebody else changed it meanwhile');
  });
});

describe('whoever goes on', () => {
  /** A run of the synchronisation alone: what the appliance answers to GET in turn. */
  async function followed(kept: Record<string, unknown>, ...statuses: string[]) {
    const patches: string[] = [];
    const ask = async ({ method }: { method: string }) => {
      if (method === 'PATCH') patches.push(method);
      const syncStatus = method === 'PATCH' ? 'SYNCING' : statuses.shift();
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ syncStatus })), clean: String };
    };
    const job = {
      kept,
      keep: async (part: object) => Object.assign(kept, part),
      ...{ say: async () => undefined, sleep: async () => undefined, services: { clock, uptime } },
    };
    const run = { job, session: { ask }, signal: new AbortController().signal, submitted: {} };
    const fault = await synchronise(run as never).then(
      () => null,
      (error: Error) => error.message,
    );
    return { fault, started: patches.length };
  }

  test('after a synchronisation that failed has a new one started', async () => {
    const kept = {};
    const first = await followed(kept, 'NOT_SYNCED', 'SYNC_FAILED');
    expect(first).toEqual({ fault: expect.stringContaining('could not synchronise'), started: 1 });
    expect(await followed(kept, 'SYNC_FAILED', 'SYNCING', 'SYNCED')).toEqual({ fault: null, started: 1 });
  });

  test('hours later has an hour again for one that was started', async () => {
    const kept = {
      remote_depot_sync: {
        ...{ watch: { before: { status: 'NOT_SYNCED', completed: null }, moved: true }, started: true },
        begun: Date.now() - 5 * 3_600_000,
      },
    };
    expect(await followed(kept, 'SYNCING', 'SYNCING', 'SYNCED')).toEqual({ fault: null, started: 0 });
  });
});

describe('the login', () => {
  test.each(['json', 'refused'] as const)('that runs out again and again is renewed (refresh: %s)', async (refresh) => {
    const fake = await appliance(
      { sync: { states: Array(12).fill('SYNCING').concat('SYNCED') } },
      { token_uses: 3, refresh },
    );
    expect((await jobAt(await configured(house, admin, fake))).state).toBe('succeeded');
    expect(count(fake, 'PUT')).toBe(1);
  });

  test('refused while it synchronises: once, since accounts lock; it goes on with the right one, and sets nothing twice', async () => {
    const fake = await appliance(
      { sync: { states: Array(6).fill('SYNCING').concat('SYNCED') } },
      { token_uses: 8, refresh: 'refused' },
    );
    const { password } = fake.account;
    const walk = await configured(house, admin, fake);
    at = (step) => {
      if (step === 'remote-depot.synchronising') fake.account.password = 'changed-on-the-appliance-1!';
    };
    const job = await jobAt(walk);
    expect(job.error?.error_code).toBe('remote_login_refused');
    const refused = fake.requests.filter(({ path, status }) => path === '/v1/tokens' && status === 401);
    expect(refused).toHaveLength(1);
    fake.behaviour.token_uses = null;
    await walk.open(walk.at);
    expect(walk.html).not.toContain('name="depot_password"');
    const [task, id] = [walk.at, walk.at.split('/').at(-1)!];
    await walk.open(`/ui/management/jobs/${id}`);
    expect(walk.words).toContain(`Configure the offline depot of ${serverOf(fake)}`);
    await walk.send('Continue', { username: fake.account.username, password: fake.account.password });
    // From the page of any job as well as from its own, back to the one with the timeline.
    expect(walk.at).toBe(task);
    expect((await jobAt(walk)).state).toBe('succeeded');
    expect([count(fake, 'PUT'), count(fake, 'PATCH', `${PATH}/depot-sync-info`)]).toEqual([1, 1]);
    fake.account.password = password;
  });
});

const ours = (more: object = {}) => ({
  depotConfiguration: { isOfflineDepot: true, url: scene.ready.endpoint.url },
  offlineAccount: { username: scene.ready.endpoint.username, status: 'DEPOT_CONNECTION_SUCCESSFUL', ...more },
});

describe('what is right already', () => {
  test('stays as it is, and the job says so', async () => {
    const fake = await appliance({ initial: ours(), sync: { earlier: '2026-11-20T10:00:00.000Z' } });
    const walk = await reviewed(house, admin, fake);
    expect(walk.words).toContain('It has this depot already');
    await walk.send('Configure', { password: fake.account.password, depot_password: DEPOT_PASSWORD });
    const job = await jobAt(walk);
    expect([job.state, job.result?.outcome]).toEqual(['succeeded', 'no-op']);
    expect(states(job)).toEqual(['connect succeeded', 'login succeeded', 'depot succeeded', 'sync skipped']);
    expect(fake.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(PATH))).toEqual([]);
    await walk.open(walk.at);
    expect(walk.words).toContain('nothing was changed on it');
  });

  test('is set again when that is asked for: its user has another password', async () => {
    const fake = await appliance({ initial: ours(), sync: { earlier: '2026-11-20T10:00:00.000Z' } });
    const walk = await configured(house, admin, fake, { rewrite: 'yes' });
    const job = await jobAt(walk);
    expect([job.result?.outcome, asked(fake, 'PUT').length]).toEqual(['written-again', 1]);
  });

  test('the same depot that does not work is set again without a question', async () => {
    const fake = await appliance({ initial: ours({ status: 'DEPOT_INVALID_CREDENTIAL' }) });
    const job = await jobAt(await configured(house, admin, fake));
    expect([job.state, job.result?.outcome]).toEqual(['succeeded', 'written-again']);
  });

  test('its metadata is fetched where it is not complete', async () => {
    const fake = await appliance({ initial: ours() });
    const job = await jobAt(await configured(house, admin, fake));
    expect([job.result?.outcome, asked(fake, 'PUT').length]).toEqual(['synchronised', 0]);
    expect(asked(fake, 'PATCH', `${PATH}/depot-sync-info`)).toHaveLength(1);
  });
});

/** Resolves once a job that runs has been told so: its signal is aborted then. */
function noticed(what: 'cancel' | 'leave'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tell = JobRun.prototype[what];
  const spy = jest.spyOn(JobRun.prototype, what).mockImplementation(function (this: JobRun) {
    spy.mockRestore();
    tell.call(this);
    resolve();
  });
  return promise;
}

/** A service of its own that is left while the job is at a step; what `act` gets is the next life of it. */
async function leftAt(
  step: string,
  fake: VcfAppliance,
  login: 'typed' | 'stored',
  act: (next: House, walk: Walk, who: Credentials) => Promise<void>,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  const stops = async (name: string) => {
    if (name !== step) return;
    reached.resolve();
    await holds.promise;
  };
  const first = await depotScene({ services: { checkpoint: stops } });
  let next = first.house;
  try {
    const who = first.admin;
    let walk: Walk;
    if (login === 'typed') walk = await configured(first.house, who, fake);
    else {
      const { vault_id, choice_id } = await stored(first.house, who, fake, 'lab');
      walk = await new Walk(first.house, who).open(
        `${DEPOT}?${new URLSearchParams({ step: 'server', vault_id, choice_id })}`,
      );
      await walk.send('Server');
      await walk.send('Fingerprint', { confirm: 'yes' });
      await walk.send('Read');
      await walk.send('Depot password', { depot_password: DEPOT_PASSWORD });
      await walk.send('Configure', { depot_password: DEPOT_PASSWORD });
    }
    await reached.promise;
    const left = noticed('leave');
    const closed = first.house.close(true);
    await left;
    holds.resolve();
    await closed;
    next = await House.open({ data: first.house.data, depot: { port: first.ready.endpoint.port } });
    await next.appliance.followDepot();
    await next.appliance.runner.idle();
    const again = new Walk(next, who);
    await again.open(walk.at);
    await act(next, again, who);
  } finally {
    await next.close();
  }
}

describe('after a restart', () => {
  test('with a stored login it just goes on with its synchronisation', async () => {
    const fake = await appliance({ sync: { states: ['SYNCING', 'SYNCING', 'SYNCED'] } });
    await leftAt('remote-depot.synchronising', fake, 'stored', async (next, walk, who) => {
      const job = await jobAt(walk, next, who);
      expect([job.state, job.result?.outcome]).toEqual(['succeeded', 'configured']);
      expect(said(job)).toContain('Goes on from before');
      expect([count(fake, 'PUT'), count(fake, 'PATCH', `${PATH}/depot-sync-info`)]).toEqual([1, 1]);
    });
  });

  test('with a typed login it says that it is gone, and goes on once it is typed again, without setting it twice', async () => {
    const fake = await appliance();
    await leftAt('remote-depot.synchronising', fake, 'typed', async (next, walk, who) => {
      const job = await jobAt(walk, next, who);
      expect([job.error?.error_code, job.error?.detail.includes('The depot is set.')]).toEqual([
        'remote_credential_gone',
        true,
      ]);
      await walk.send('Continue', fake.account);
      expect((await jobAt(walk, next, who)).state).toBe('succeeded');
      expect(count(fake, 'PUT')).toBe(1);
    });
  });

  test('before it was set both passwords are asked for, and a wrong one of the depot is noticed before anything is sent', async () => {
    const fake = await appliance();
    await leftAt('remote-depot.put', fake, 'stored', async (next, walk, who) => {
      expect((await jobAt(walk, next, who)).error?.error_code).toBe('remote_credential_gone');
      const sent = fake.requests.length;
      await walk.send('Continue', { ...fake.account, depot_password: 'a wrong one' });
      const job = await jobAt(walk, next, who);
      expect([job.error?.error_code, fake.requests.length]).toEqual(['remote_credential_gone', sent]);
      expect(job.error?.detail).toContain('not the password of the depot user depot');
      await walk.open(walk.at);
      await walk.send('Continue', { ...fake.account, depot_password: DEPOT_PASSWORD });
      expect((await jobAt(walk, next, who)).result?.outcome).toBe('configured');
      expect(count(fake, 'PUT')).toBe(1);
    });
  });
});

describe('somebody who stops it', () => {
  test.each([
    ['connect', 0, ''],
    ['login', 0, ''],
    ['depot', 0, ''],
    ['put', 0, 'Given up while the appliance was setting it'],
    ['answered', 1, ''],
    ['set', 1, ''],
    ['sync', 1, 'The depot stays set'],
    ['synchronising', 1, 'The depot stays set'],
  ])('at the step %s: what was done is told, nothing more is sent, the machine is free', async (step, puts, words) => {
    const fake = await appliance({ sync: { states: ['SYNCING'] } });
    const walk = new Walk(house, admin);
    at = async (name) => {
      if (name !== `remote-depot.${step}`) return;
      at = null;
      const [{ id }] = (await house.send('GET', '/api/v1/jobs?state=running', { token: admin.token })).body.items;
      const stopped = noticed('cancel');
      await house.send('POST', `/api/v1/jobs/${id}/cancel`, { token: admin.token });
      await stopped;
    };
    const queued = await configured(house, admin, fake);
    walk.at = queued.at;
    const job = await jobAt(walk);
    expect([job.state, count(fake, 'PUT')]).toEqual(['cancelled', puts]);
    expect(said(job)).toContain(words);
    expect(count(fake, 'DELETE', '/v1/tokens/refresh-token')).toBe(/connect|login/.test(step) ? 1 : 2);
    expect(jobSecrets(house.services).get(walk.at.split('/').at(-1)!)).toBeNull();
    expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'remote-depot%'")).toEqual([]);
  });
});

test('no wait but those of the pace', () => {
  expect(PACE).toMatchObject({ sync_ms: 3_600_000 });
});
