// The apply pages as they leave the server: every state of a plan, what each says, and why its button can't be used.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { runTitle } from '../../pages/apply/run.tsx';
import { outcomes, progressOf, timelineOf } from '../../pages/apply/run-facts.ts';
import { PlanUnit } from '../../pages/apply/unit.tsx';
import { interruptions, listed, shortDigest, units } from '../../pages/apply/words.tsx';
import { Diff } from '../../pages/components/diff.tsx';
import type { Plan, PlannedUnit } from '../../shared/appliance/apply/plan.ts';
import { findPlan } from '../../shared/appliance/apply/plan-store.ts';
import type { WindowView } from '../../shared/appliance/apply/window/view.ts';
import type { Job, LogLine, Task } from '../../shared/kernel/jobs/job.ts';
import { type Credentials, House } from '../setup/house.ts';

const PATH = '/ui/management/appliance-apply';

const planned = (over: Partial<PlannedUnit> = {}): PlannedUnit => ({
  id: 'network',
  label: 'Network',
  reason: 'your change',
  version: 1,
  digest: 'd',
  says: ['ens192 changes: MTU 1500 → 9000.'],
  risk: 'medium',
  interruption: 'none',
  diff: { added: 0, changed: 1, removed: 0, rows: [{ setting: 'ens192 mtu', before: '1500', after: '9000' }] },
  raw: '',
  written: ['/etc/systemd/network/40-ens192.network'],
  removed: [],
  check: { ok: true, program: 'groundcrew network rules', faults: [], duration_ms: 3 },
  ...over,
});

const task = (name: string, state: Task['state'], log: LogLine[] = []): Task => ({
  id: `task_${name}`,
  job_id: 'job_a',
  name,
  title: name,
  state,
  progress_percent: 0,
  progress: null,
  started_at: null,
  finished_at: null,
  log,
});
const job = (...tasks: Task[]): Job => ({
  id: 'job_a',
  kind: 'apply',
  subject: 'plan_a',
  state: 'failed',
  progress_percent: 0,
  created_by: 'alice',
  created_at: '2026-03-14T09:41:00.000Z',
  started_at: '2026-03-14T09:41:00.000Z',
  finished_at: null,
  result: null,
  error: null,
  tasks,
});
const step = (ms: number, duration_ms: number, kind: 'write' | 'act' | 'probe'): LogLine => ({
  at: new Date(Date.parse('2026-03-14T09:41:00.000Z') + ms).toISOString(),
  text: kind,
  duration_ms,
  kind,
  ok: true,
});

describe('words', () => {
  test('units, lists, digests and interruptions read as a person would write them', () => {
    expect([units(1), units(3)]).toEqual(['1 unit', '3 units']);
    expect([listed([]), listed(['A']), listed(['A', 'B', 'C'])]).toEqual(['', 'A', 'A, B and C']);
    expect(shortDigest('9f3c71aa04be5566')).toBe('9f3c 71aa 04be');
    expect(interruptions([planned()])).toBe('none');
    expect(interruptions([planned({ interruption: 'VLAN 30 ends' }), planned({ label: 'NTP' })])).toBe(
      'Network: VLAN 30 ends; none elsewhere',
    );
  });
});

describe('the timeline', () => {
  test('starts at the first step, and steps of a kind that follow each other are one bar', () => {
    const { rows, total_ms } = timelineOf(
      job(
        task('prepare', 'succeeded', [step(100, 40, 'write')]),
        task('network', 'running', [step(200, 50, 'write'), step(260, 60, 'write'), step(400, 140, 'act')]),
        task('dns-dhcp', 'queued'),
      ),
    );
    expect(rows).toEqual([
      { label: 'prepare', bars: [{ kind: 'write', start_ms: 0, duration_ms: 40 }] },
      {
        label: 'network',
        bars: [
          { kind: 'write', start_ms: 90, duration_ms: 110 },
          { kind: 'act', start_ms: 200, duration_ms: 140 },
        ],
      },
      { label: 'dns-dhcp', bars: [] },
    ]);
    expect(total_ms).toBe(340);
  });

  test('is empty before the first step has ended', () => {
    expect(timelineOf(job(task('prepare', 'running')))).toEqual({
      rows: [{ label: 'prepare', bars: [] }],
      total_ms: 0,
    });
  });

  test('progress counts units, not the preparation', () => {
    const now = job(task('prepare', 'succeeded'), task('network', 'succeeded'), task('ntp', 'running'));
    expect(progressOf(now)).toEqual({ done: 1, total: 2, current: 'ntp' });
  });
});

test.each([
  ['applied', 'succeeded', 'applied, and stays in force'],
  ['restored', 'failed', 'failed; its previous files are in force again, byte for byte'],
  ['unrestored', 'failed', 'failed, and its previous files could not be restored; the log below says why'],
  [undefined, 'failed', 'refused before anything was written; what was in force still is'],
  [undefined, 'skipped', null],
] as const)('a unit that was %s in a task that %s is told as such', (reached, state, said) => {
  const journal = reached ? { network: reached } : {};
  expect(outcomes([planned()], job(task('network', state)), journal)).toEqual(
    said === null ? { reached: [], left: ['Network'] } : { reached: [`Network: ${said}.`], left: [] },
  );
});

describe('a unit of a plan', () => {
  test('says more rows than it shows', () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({ setting: `record ${n}`, before: null, after: 'x' }));
    const html = renderToString(<Diff subject="DNS" changes={rows} total={100_000} />);
    expect(html).toContain('and 99,960 more');
  });

  test('shows what its program refused', () => {
    const check = { ok: false, program: 'dnsmasq --test', faults: ['bad <option> at line 3'], duration_ms: 38 };
    const html = renderToString(<PlanUnit unit={planned({ check, risk: 'high' })} number={1} />);
    expect(html).toContain('Refused by dnsmasq --test');
    expect(html).toContain('bad &lt;option> at line 3');
    expect(html).toContain('1 changed; 1 file written');
  });
});

describe('pages', () => {
  let house: House;
  let admin: Credentials;
  /** Of the last look alone: the ticker's are not among them. */
  let statements: string[] = [];
  const counting = new AsyncLocalStorage<string[]>();
  const look = async (path: string, as = admin) => {
    statements = [];
    const answer = await counting.run(statements, () => house.send('GET', path, { session: as }));
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/ style=|<script(?![^>]* src=)/);
    return answer.text;
  };
  const review = async (): Promise<string> => {
    const { headers } = await house.send('POST', PATH, { session: admin, form: {} });
    return headers.location!;
  };

  beforeAll(async () => {
    house = await House.open({ observe: (sql) => void counting.getStore()?.push(sql) });
    admin = await house.actor('admin', undefined, 'alice');
  });
  afterAll(() => house.close());

  test('the overview tells what was never applied, and that there is no plan yet', async () => {
    const html = await look(PATH);
    expect(html).toContain('was never applied: its first apply puts the whole configuration in force');
    expect(html).toContain('No plan yet.');
    expect(html).toContain('>Review changes<');
    await look(PATH);
    // The first page after a save compares what was saved; others read what was found.
    expect(statements.length).toBeLessThanOrEqual(5);
  });

  test('a plan under review carries its digest and its button; the history names it', async () => {
    const path = await review();
    const html = await look(path);
    expect(statements.length).toBeLessThanOrEqual(6);
    const plan = await findPlan(house.services.store, path.slice(PATH.length + 1));
    expect(html).toContain(`name="digest" value="${plan.digest}"`);
    expect(html).toContain('>Apply 2 units<');
    expect(html).toContain('data-live="jobs pending"');
    expect(await look(PATH)).toContain('Open the reviewed plan');
  });

  test('a viewer sees the plan and why it is not theirs to apply', async () => {
    const viewer = await house.actor('viewer');
    const html = await look(await review(), viewer);
    expect(html).toContain('Your role may look at applies, not make them');
    expect(html).toMatch(/<button type="button"[^>]*aria-disabled="true"/);
  });

  test('a note that is too long comes back beside its field, as it was typed', async () => {
    const path = await review();
    const { digest } = await findPlan(house.services.store, path.slice(PATH.length + 1));
    const note = 'n'.repeat(501);
    const refused = await house.send('POST', `${path}/submit`, { session: admin, form: { digest, note } });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('At most 500 characters.');
    expect(refused.text).toMatch(/<textarea[^>]*aria-describedby="note-error note-help"/);
    expect(refused.text).toContain(note);
  });

  test('an applied plan is its own entry in the history, and nothing is pending', async () => {
    const path = await review();
    const { digest } = await findPlan(house.services.store, path.slice(PATH.length + 1));
    await house.send('POST', `${path}/submit`, { session: admin, form: { digest, note: 'First <flight>' } });
    await house.appliance.runner.idle();
    const html = await look(path);
    expect(html).toContain('2 units applied');
    expect(html).toContain('First &lt;flight>');
    expect(html).toContain('data-done');
    expect(html).toContain('Show the plan as it was reviewed');
    await look(path);
    expect(statements.length).toBeLessThanOrEqual(7);
    const overview = await look(PATH);
    expect(overview).toContain('Nothing: everything that is saved was applied.');
    expect(overview).toContain('Replaced by a newer plan');
  });

  test('a plan that does not exist answers 404', async () => {
    expect((await house.send('GET', `${PATH}/plan_missing`, { session: admin })).status).toBe(404);
  });
});

describe('the title of a plan whose window was not confirmed', () => {
  const units = [planned(), planned({ id: 'ntp', label: 'NTP' })];
  const run = job(task('network', 'succeeded'), task('ntp', 'succeeded'), task('confirm', 'failed'));
  const ended = (unrestored: string[]) => ({ cause: 'cancelled', unrestored }) as unknown as WindowView['ended'];
  test.each<[Plan['state'], Pick<WindowView, 'state' | 'ended'>, string]>([
    ['confirming', { state: 'reverting', ended: null }, 'Rolling 2 units back'],
    ['confirming', { state: 'reverted', ended: ended([]) }, '2 units rolled back'],
    ['reverted', { state: 'reverted', ended: ended([]) }, '2 units rolled back'],
    ['cancelled', { state: 'unreverted', ended: ended(['ntp']) }, 'Rolled back: all but NTP'],
    ['failed', { state: 'unreverted', ended: ended(['network', 'ntp']) }, 'Rolled back: all but Network and NTP'],
  ])('%s, %j: %s', (state, window, title) => {
    expect(runTitle({ state, units } as Plan, run, window as WindowView)).toBe(title);
  });
});
