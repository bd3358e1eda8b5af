// kill -9 of the service at each step of a deployment. Whatever was open at the target is ended by the next life, or told
// truthfully; a machine that may be somebody else's is never touched, and one that is complete is gone on with. Of what is
// done with the new appliance nothing is done twice, and only what is left asks for its password again.
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStore } from '../../shared/ground/store/open-store.ts';
import { APPLIANCE, NAME, placeOva, typedFor } from '../deployment/deploy-request.ts';
import { bootingAppliance, inventoryOf, trustedIn } from '../deployment/deploy-scene.ts';
import type { VcfAppliance } from '../fakes/vcf-appliance.ts';
import { startVsphere, type Vsphere } from '../fakes/vsphere.ts';
import { DEPOT_PASSWORD, readyDepot } from '../setup/depot.ts';
import { House } from '../setup/house.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { steadyPort } from '../setup/steady-port.ts';
import type { Told } from './deploy-program.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/deploy-program.ts');
}, 300_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

interface Stands {
  state: string;
  error: { code: string; detail: string } | null;
  log: string[];
  outline: Record<string, string>;
}

interface Life {
  /** All that it printed and logged. */
  said: string;
  steps: string[];
  /** At the end of the first run of this life; null when it was killed before. */
  job: Stands | null;
  asked: string[] | null;
  /** After what was asked was typed. */
  again: Stands | null;
}

/** @param fatal a step, or what kills the process at a time of its own; null: nothing does */
async function live(
  data: string,
  life: number,
  fatal: string | ((child: ChildProcess) => void) | null,
  told: Told,
): Promise<Life> {
  const run = startProgram(program, [data, String(life), typeof fatal === 'string' ? fatal : ''], {
    env: { DEPLOYMENT: JSON.stringify(told) },
  });
  if (typeof fatal === 'function') fatal(run.child);
  const { lines, signal, stderr } = await run.ended;
  if (signal !== (fatal === null ? null : 'SIGKILL'))
    throw new Error(`${signal} ${lines.join('\n')} ${stderr.slice(-3000)}`);
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const json = (word: string) => (of(word)[0] === undefined ? null : JSON.parse(of(word)[0]!));
  const said = `${lines.join('\n')}\n${stderr}`;
  return { said, steps: of('step'), job: json('job'), asked: json('asked'), again: json('again') };
}

interface Scene {
  vsphere: Vsphere;
  appliance: VcfAppliance;
  told: Told;
  data: string;
}

async function inScene(mode: 'vc' | 'esx', work: (scene: Scene) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-deploy-kill-'));
  const appliance = await bootingAppliance();
  const boot = async () => {
    await appliance.nextPhase();
    return undefined;
  };
  const vsphere = await startVsphere({ mode, boot, lease_timeout: 2 });
  try {
    const typed = typedFor(await inventoryOf(vsphere));
    const { account } = vsphere;
    const told = { target: trustedIn(vsphere), account, typed, appliance_port: appliance.port };
    await work({ vsphere, appliance, data, told });
    const { LOCAL_USER_PASSWORD, ROOT_PASSWORD } = sddcManagerAnswers();
    const database = readFileSync(join(data, 'groundcrew.sqlite'));
    for (const secret of [LOCAL_USER_PASSWORD!, ROOT_PASSWORD!, ...vsphere.secrets()]) {
      expect(database.includes(Buffer.from(secret))).toBe(false);
    }
  } finally {
    await Promise.all([vsphere.stop(), appliance.stop()]);
    rmSync(data, { recursive: true, force: true });
  }
}

const BEFORE_MACHINE = ['username', 'password', 'property:ROOT_PASSWORD', 'property:LOCAL_USER_PASSWORD'];
const LOGIN = ['username', 'password'];
const CLEARED = 'Nothing is left of the import that was interrupted.';

/**
 * `own`: no other login reaches the lease, so that its time has to run out. `stored`: the login is in a vault, so that the
 * next life ends the lease before it asks for anything.
 */
type How = 'own' | 'stored';

/** Step, what the next life asks for (null: nothing, it comes to its end), and how it ends after that. */
const STEPS: Record<'vc' | 'esx', [name: string, asked: string[] | null, end: string, how?: How][]> = {
  vc: [
    ['verify', BEFORE_MACHINE, 'succeeded'],
    ['verified', BEFORE_MACHINE, 'succeeded'],
    ['spec', BEFORE_MACHINE, 'succeeded'],
    ['lease', BEFORE_MACHINE, 'succeeded'],
    ['importing', BEFORE_MACHINE, 'succeeded', 'own'],
    ['imported', BEFORE_MACHINE, 'succeeded'],
    ['leased', BEFORE_MACHINE, 'succeeded'],
    ['upload', BEFORE_MACHINE, 'succeeded'],
    ['upload', BEFORE_MACHINE, 'succeeded', 'own'],
    ['upload', BEFORE_MACHINE, 'succeeded', 'stored'],
    ['sent', BEFORE_MACHINE, 'succeeded'],
    ['complete', BEFORE_MACHINE, 'succeeded'],
    ['completing', BEFORE_MACHINE, 'succeeded'],
    ['completed', BEFORE_MACHINE, 'succeeded'],
    ['made', LOGIN, 'succeeded'],
    ['power-on', LOGIN, 'succeeded'],
    ['powered', LOGIN, 'succeeded'],
    ['wait', null, 'succeeded'],
    ['ready', null, 'succeeded'],
  ],
  esx: [
    ['leased', BEFORE_MACHINE, 'succeeded', 'own'],
    ['completed', BEFORE_MACHINE, 'succeeded'],
    ['environment', BEFORE_MACHINE, 'succeeded'],
    ['environment-set', BEFORE_MACHINE, 'succeeded'],
    ['given', LOGIN, 'succeeded'],
    ['powered', LOGIN, 'succeeded'],
    ['on', LOGIN, 'succeeded'],
    ['wait', LOGIN, 'succeeded'],
    ['clear', LOGIN, 'succeeded'],
  ],
};

/** Of the steps each second; `npm run long` takes all. */
const STRIDE = process.env.DEPLOY_KILLS === 'all' ? 1 : 2;

describe.each(['vc', 'esx'] as const)('%s', (mode) => {
  test.each(
    STEPS[mode]
      .filter((_, at) => at % STRIDE === 0)
      .map(([name, asked, end, how]) => ({ name, asked, end, how, also: how ? ` (${how})` : '' })),
  )(
    'killed at $name$also',
    async ({ name, asked, end, how }) => {
      await inScene(mode, async ({ vsphere, data, told: plain }) => {
        const told: Told = how === 'stored' ? { ...plain, stored: true } : plain;
        vsphere.behaviour.lease_sessions = how === 'own' ? 'own' : 'any';
        const { steps } = await live(data, 1, `deploy.${name}`, told);
        expect(steps.at(-1)).toBe(`deploy.${name}`);
        const open = vsphere.leases.filter(({ state }) => state === 'ready' || state === 'initializing').length;
        const next = await live(data, 2, null, told);
        if (asked === null) expect(next).toMatchObject({ job: { state: 'succeeded', error: null }, asked: null });
        else {
          expect(next.job).toMatchObject({ state: 'failed', error: { code: 'remote_credential_gone' } });
          // What may still be open was told before anybody typed anything, or ended.
          if (how === 'stored') expect(next.job!.log.join('\n')).toContain(CLEARED);
          else if (open > 0) expect(next.job!.error!.detail).toMatch(/may still be open on 127\.0\.0\.1/);
          if (how === 'own' && open > 0) expect(vsphere.leases[0]!.error).toMatchObject({ type: 'Timedout' });
          expect(next.asked).toEqual(asked);
          const { state, error } = next.again!;
          expect(error?.code ?? state).toBe(end);
          if (error) expect(error.detail).toContain(`there is a virtual machine named ${NAME}`);
        }
        // Each task stands as what was done, whichever life did it.
        const { outline } = (next.again ?? next.job)!;
        const unused = mode === 'vc' ? [...EXTRAS, ...UNUSED] : EXTRAS;
        expect(outline).toEqual(
          Object.fromEntries(Object.keys(outline).map((task) => [task, unused.includes(task) ? 'skipped' : DONE])),
        );
        expect(await vsphere.machines()).toContain(NAME);
        // Each lease but that of the machine was ended or ran out, and took its machine along.
        const kept = vsphere.leases.filter(({ removed }) => !removed).map(({ state }) => state);
        expect(kept).toEqual(['done']);
        const gaps = vsphere.leases.flatMap(({ progress }) =>
          progress.slice(1).map(({ at }, n) => at - progress[n]!.at),
        );
        expect(Math.max(0, ...gaps)).toBeLessThan(10_000);
        if (mode === 'esx') expect(await vsphere.extraConfig(NAME, 'guestinfo.ovfEnv')).toBeFalsy();
      });
    },
    300_000,
  );
});

describe('what is done with the new appliance', () => {
  /** Where the appliance is said to be: one of loopback can't stand in DNS. */
  const ADDRESS = sddcManagerAnswers()['vami.ip0.SDDC-Manager']!;
  const POST = 'POST /v1/sddc-manager/trusted-certificates';
  const PUT = 'PUT /v1/system/settings/depot';
  const PATCH = 'PATCH /v1/system/settings/depot/depot-sync-info';
  const LOCAL = ['property:LOCAL_USER_PASSWORD'];
  const BOTH = [...LOCAL, 'depot_password'];

  /** An appliance with a depot, a zone and an OVA, as each of these begins with it. */
  let folder: string;
  let depot_port: number;
  beforeAll(async () => {
    const house = await House.open({ depot: { port: await steadyPort() } });
    const { endpoint, token } = await readyDepot(house);
    depot_port = endpoint.port;
    for (const [method, path, body] of [
      ['POST', '/api/v1/dns/zones', { name: 'lab.test' }],
      ['PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] }],
      ['PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] }],
    ] as const) {
      expect((await house.send(method, path, { token, body })).status).toBeLessThan(300);
    }
    await placeOva(house.services, { disks: [{ size: 1 << 20 }] });
    await house.close(true);
    folder = house.data;
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const seen = ({ requests }: VcfAppliance, what: string): number =>
    requests.filter(({ method, path }) => `${method} ${path}` === what).length;

  /** Kills once the appliance has done what it was asked for; nobody hears of that. */
  const unheard =
    ({ requests }: VcfAppliance, what: string) =>
    (child: ChildProcess): void => {
      requests.push = (...more) => {
        if (more.some(({ method, path }) => `${method} ${path}` === what)) {
          requests.push = Array.prototype.push;
          child.kill('SIGKILL');
        }
        return Array.prototype.push.apply(requests, more);
      };
    };

  /** What is saved of its name, and which audit events say so. */
  async function names(data: string) {
    const store = await openStore(data);
    const records = await store.all<{ id: string }>('SELECT id, fqdn, type, value FROM dns_record');
    const audited = await store.all<{ id: string }>(
      "SELECT resource_id AS id FROM audit_event WHERE action = 'dns.record.create'",
    );
    await store.close();
    expect(audited).toEqual(records.map(({ id }) => ({ id })));
    return records.map(({ id: _id, ...record }) => record);
  }

  function unread(data: string, secrets: readonly string[], ...said: string[]): void {
    const files = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .map((path) => join(data, path))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, readFileSync(path)] as const);
    for (const secret of secrets) {
      const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
      for (const text of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64]) {
        expect(said.some((each) => each.includes(text))).toBe(false);
        expect(files.filter(([, bytes]) => bytes.includes(text)).map(([path]) => path)).toEqual([]);
      }
    }
  }

  /** Where it is killed; records saved by then; what the next life asks for, at which task; how often each was asked. */
  type Row = [at: string, saved: 0 | 1, asked: string[], task: string, asks?: Record<string, number>];
  test.each<Row>([
    ['deploy.ready', 0, BOTH, 'trust'],
    ['records.saving', 0, BOTH, 'trust'],
    ['records.saved', 1, BOTH, 'trust'],
    ['deploy.dns-saved', 1, BOTH, 'trust'],
    ['deploy.trust', 1, BOTH, 'trust'],
    [POST, 1, BOTH, 'trust'],
    ['deploy.trusted', 1, BOTH, 'depot'],
    ['remote-depot.put', 1, BOTH, 'depot'],
    [PUT, 1, BOTH, 'depot'],
    ['remote-depot.set', 1, LOCAL, 'sync'],
    // One more is harmless: what runs already goes on.
    [PATCH, 1, LOCAL, 'sync', { [PATCH]: 2 }],
  ])(
    'killed at %s',
    async (at, saved, asked, task, asks = {}) => {
      await inScene('vc', async ({ vsphere, appliance, data, told }) => {
        cpSync(folder, data, { recursive: true });
        appliance.behaviour.depot.account = { username: 'depot', password: DEPOT_PASSWORD };
        const typed = {
          ...told.typed,
          properties: sddcManagerAnswers(),
          extras: { dns: true, trust: true, depot: true },
        };
        const whole: Told = { ...told, typed, depot_port, leads: [ADDRESS, APPLIANCE] };
        const secrets = [DEPOT_PASSWORD, typed.properties.LOCAL_USER_PASSWORD!, typed.properties.ROOT_PASSWORD!];
        const all = () => [...secrets, ...vsphere.secrets(), ...appliance.secrets()];
        const killed = await live(data, 1, at.includes(' ') ? unheard(appliance, at) : at, whole);
        if (!at.includes(' ')) expect(killed.steps.at(-1)).toBe(at);
        unread(data, all(), killed.said);
        const record = { fqdn: 'sddc01.lab.test', type: 'A', value: ADDRESS };
        expect(await names(data)).toEqual(saved ? [record] : []);
        const next = await live(data, 2, null, whole);
        expect(next.job).toMatchObject({ state: 'failed', error: { code: 'remote_credential_gone' } });
        // Exactly what is left is not done.
        const order = Object.keys(next.job!.outline);
        const until = order.indexOf(task);
        const states = order.map((_name, n) => (n < until ? DONE : n === until ? 'failed' : 'skipped'));
        expect(next.job!.outline).toEqual(
          Object.fromEntries(order.map((name, n) => [name, UNUSED.includes(name) ? 'skipped' : states[n]])),
        );
        expect(next.asked).toEqual(asked);
        expect(next.again).toMatchObject({ state: 'succeeded', error: null });
        expect(next.again!.outline).toEqual(
          Object.fromEntries(order.map((name) => [name, UNUSED.includes(name) ? 'skipped' : DONE])),
        );
        expect(await names(data)).toEqual([record]);
        expect(next.again!.log.join('\n')).toMatch(
          at === 'records.saved' ? /Its records are saved already/ : /Saved: sddc01\.lab\.test A/,
        );
        expect(appliance.trusted).toHaveLength(1);
        const times = Object.fromEntries([POST, PUT, PATCH].map((what) => [what, seen(appliance, what)]));
        expect(times).toEqual({ [POST]: 1, [PUT]: 1, [PATCH]: 1, ...asks });
        expect(vsphere.leases.map(({ state }) => state)).toEqual(['done']);
        unread(data, all(), next.said);
      });
    },
    300_000,
  );
});

const DONE = 'succeeded';
const EXTRAS = ['dns', 'trust', 'depot', 'sync'];
/** Tasks of a host alone. */
const UNUSED = ['environment', 'clear'];
