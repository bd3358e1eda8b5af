// The pages around access and operations as they leave the server: every one renders within its budget of statements,
// refusals are pages with a way on, every kind of problem is explained, search and overview tell what is there.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { scopeLines } from '../../pages/access/scope-grid.tsx';
import { inWords } from '../../pages/audit/detail.tsx';
import { eventsOf, timelineOf } from '../../pages/jobs/job-words.tsx';
import { JobTimeline } from '../../pages/jobs/job-work.tsx';
import { kindPage } from '../../pages/service/problem-kind-view.tsx';
import { codesOf, exampleOf } from '../../pages/service/problem-pages.ts';
import { jobHref, jobPage, jobWords } from '../../shared/appliance/about-jobs.ts';
import { JOB_KINDS } from '../../shared/appliance/job-kinds.ts';
import { dnsOf } from '../../shared/appliance/overview/public-services.ts';
import { csv } from '../../shared/ground/csv.ts';
import { ERROR_CODES, PROBLEM_KINDS, type ProblemKind } from '../../shared/ground/problems.ts';
import { scopesOfRole } from '../../shared/kernel/access/scopes.ts';
import { auditFilter } from '../../shared/kernel/audit/page-query.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import type { Data } from '../../shared/platform/units/facts.ts';
import { type Credentials, House } from '../setup/house.ts';

const UI = '/ui/management';
const AT = '2026-03-14T09:41:07.000Z';
let house: House;
let admin: Credentials;
let statements: string[] = [];

beforeAll(async () => {
  house = await House.open({ observe: (sql) => void statements.push(sql), ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
  await house.services.store.write(async (tx) => {
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_lab', 'lab.example', ?, ?)", [
      AT,
      AT,
    ]);
    for (let i = 0; i < 300; i++) {
      await tx.run(
        `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at) VALUES (?, ?, 'A', ?, 'zone_lab', ?, ?)`,
        [`rec_${i}`, `esx${i}.lab.example`, `10.20.${i >> 8}.${i & 255}`, AT, AT],
      );
    }
  });
  // What is saved is compared with what is in force once, and kept.
  await house.send('GET', UI, { session: admin });
});
afterAll(() => house.close());

const tagsOf = (html: string): string[] =>
  (html.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));

interface PageCase {
  path: string;
  shows: string[];
  /** Statements at most: authentication and the shell take two. */
  statements: number;
}

const PAGES: PageCase[] = [
  { path: UI, shows: ['First steps', 'ens192', 'Nothing was applied yet.', 'gc01.lab.example'], statements: 19 },
  { path: `${UI}/jobs`, shows: ['No job yet.'], statements: 5 },
  { path: `${UI}/audit-log`, shows: ['Kind of thing', 'CSV'], statements: 4 },
  { path: `${UI}/users`, shows: ['ada', '(you)'], statements: 5 },
  { path: `${UI}/users/new`, shows: ['name="password"', 'network-admin'], statements: 3 },
  { path: `${UI}/account`, shows: ['This browser', 'everything', 'name="new_password"'], statements: 7 },
  { path: `${UI}/api-tokens`, shows: ['value="write:pxe"', 'value="30"'], statements: 4 },
  { path: `${UI}/search?q=esx1`, shows: ['DNS records', 'esx1.lab.example', 'The first 10'], statements: 7 },
  { path: `${UI}/sign-in`, shows: ['gc01.lab.example', 'Rehearsal', 'plain HTTP'], statements: 1 },
  { path: `${UI}/problem`, shows: ['Nothing went wrong', '507 Storage is full'], statements: 0 },
];

describe.each(PAGES)('$path', ({ path, shows, statements: most }) => {
  test('renders its facts, with nothing inline, within its statements', async () => {
    // The first page after a save compares it with what is in force.
    await house.send('GET', path, { session: admin });
    statements = [];
    const heard = await house.send('GET', path, { session: admin });
    expect(heard.status).toBe(200);
    expect(heard.headers['cache-control']).toBe('no-store');
    for (const text of shows) expect(heard.text).toContain(text);
    for (const tag of tagsOf(heard.text)) expect(tag).not.toMatch(/ (style|on[a-z]+)=/);
    const ids = [...heard.text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    expect(ids).toEqual([...new Set(ids)]);
    expect(statements.length).toBeLessThanOrEqual(most);
  });
});

describe('a refusal to a browser is a page with a way on', () => {
  const browser = { accept: 'text/html' };

  test.each([
    ['404 of an unknown path', 'GET', `${UI}/nowhere`, 404, 'There is nothing at this address'],
    ['405 of a wrong method', 'POST', `${UI}/problem`, 405, 'Method not allowed'],
    ['404 of an unknown problem kind', 'GET', '/problems/nonsense', 404, 'This kind of problem does not exist.'],
  ])('%s, without a session too', async (_, method, path, status, says) => {
    const heard = await house.send(method, path, { headers: browser });
    expect(heard.status).toBe(status);
    expect(heard.text).toContain(says);
    expect(heard.text).toContain(heard.headers['x-request-id']);
    expect(heard.text).toMatch(/href="\/problems\/[a-z-]+"/);
  });

  test('403 names what is missing', async () => {
    const viewer = await house.actor('viewer');
    const heard = await house.send('GET', `${UI}/users`, { session: viewer });
    expect(heard.status).toBe(403);
    expect(heard.text).toContain('You may not do this');
    expect(heard.text).toContain('<code>read:users</code> to see Users');
    expect(heard.text).toContain(
      'viewer: looks at everything but vaults, users, archives, recordings of terminals and logs',
    );
    expect(heard.text).toMatch(/Roles that have it<\/dt><dd>admin</);
  });

  test('423 leads to the job that owns the lock', async () => {
    await house.services.store.write((tx) =>
      tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_owner', ?)", [AT]),
    );
    const heard = await house.send('POST', `${UI}/users/new`, {
      session: admin,
      form: { name: 'late', role: 'viewer', password: 'a passphrase of my own' },
    });
    await house.services.store.write((tx) => tx.run('DELETE FROM mutation_lock'));
    expect(heard.status).toBe(423);
    // The form comes back, filled in: nothing that was typed is lost.
    expect(heard.text).toContain('value="late"');
    expect(heard.text).toContain('The user was not created');
  });

  test('500 tells nothing of its cause, and keeps the request id', async () => {
    const { store } = house.services;
    const { all } = store;
    store.all = () => Promise.reject(new Error('a secret in a message'));
    try {
      const heard = await house.send('GET', `${UI}/users`, { headers: browser, session: admin });
      expect(heard.status).toBe(500);
      expect(heard.text).toContain('The appliance failed; nothing was saved');
      expect(heard.text).not.toContain('a secret in a message');
    } finally {
      store.all = all;
    }
  });
});

describe('every kind of problem is explained', () => {
  test.each(Object.keys(PROBLEM_KINDS) as ProblemKind[])('%s', async (kind) => {
    const heard = await house.send('GET', `/problems/${kind}`);
    expect(heard.status).toBe(200);
    for (const part of ['Why', 'What to do', 'Error codes', 'Example'])
      expect(heard.text).toContain(`<h2>${part}</h2>`);
    for (const { code } of codesOf(kind)) expect(heard.text).toContain(code);
    const example = exampleOf(kind, 'https://gc01.lab.example');
    expect(example).toMatchObject({ type: `https://gc01.lab.example/problems/${kind}`, ...PROBLEM_KINDS[kind] });
  });

  test('a member of every object is no kind', () => {
    expect(() => kindPage('constructor', '')).toThrow('This kind of problem does not exist.');
  });

  test('every error code stands on exactly one page', () => {
    const listed = (Object.keys(PROBLEM_KINDS) as ProblemKind[]).flatMap((kind) =>
      codesOf(kind).map(({ code }) => code),
    );
    expect(listed.sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });
});

describe('jobs that run', () => {
  const JOBS = [
    ['job_deploy', 'sddc-manager-deployment', 'vc01.lab.example sddc01'],
    ['job_upload1', 'depot-upload', 'upload_one'],
    ['job_upload2', 'depot-upload', 'upload_two'],
    ['job_rotate', 'vault-rotate', null],
  ] as const;
  beforeAll(() =>
    house.services.store.write(async (tx) => {
      for (const job of JOBS) {
        await tx.run(
          `INSERT INTO job (id, kind, subject, state, input, created_by, created_at, lease_owner, lease_until)
           VALUES (?, ?, ?, 'running', '{}', 'ada', ?, 'x/1/1', '2999-01-01')`,
          [...job, AT],
        );
      }
    }),
  );
  afterAll(() => house.services.store.write((tx) => tx.run('DELETE FROM job')));
  const shown = async (path: string, session = admin) => (await house.send('GET', UI + path, { session })).text;

  test('one that only those may stop who may start it says so to everybody else', async () => {
    const network = await house.actor('network-admin');
    const why = 'stopping this job needs write:depot as well';
    expect(await shown('/jobs/job_deploy', network)).toContain(why);
    expect(await shown('/jobs/job_deploy')).not.toContain(why);
    expect(await shown('/jobs/job_upload1', network)).not.toContain('aria-disabled');
  });

  test('two of a kind are told apart, and one about nothing shows no empty subject', async () => {
    const overview = await shown('');
    for (const said of ['upload_one', 'upload_two']) {
      expect(overview).toContain(`<code class="job-id">${said}</code>`);
    }
    // Without a subject of its own a job has its start, and its id on demand.
    for (const id of ['job_deploy', 'job_rotate']) {
      expect(overview).toContain(`title="${id}"`);
      expect(overview).not.toContain(`>${id}<`);
    }
    const list = await shown('/jobs');
    expect(list).toContain('upload_one');
    expect(list).not.toMatch(/<code[^>]*><\/code>/);
  });
});

describe('search', () => {
  const found = async (q: string, who: Credentials = admin) => {
    const { text } = await house.send('GET', `${UI}/search?q=${encodeURIComponent(q)}`, { session: who });
    return [...text.matchAll(/<a href="([^"]+)" data-result/g)].map(([, href]) => href!);
  };

  test.each([
    ['esx12.', [`${UI}/dns/records/rec_12`]],
    ['ESX12.', [`${UI}/dns/records/rec_12`]],
    [
      '10.20.0.17',
      [`${UI}/dns/records/rec_17`, ...Array.from({ length: 9 }, (_, i) => `${UI}/dns/records/rec_17${i}`)],
    ],
    ['ens224', [`${UI}/interfaces/ens224`]],
    ['10.10.0.5', [`${UI}/interfaces/ens192`]],
    ['00:50:56:9c:0a:02', [`${UI}/interfaces/ens224`]],
    ['fd00:10::', [`${UI}/interfaces/ens192`]],
    [
      'lab.ex',
      [
        `${UI}/dns/zones/zone_lab`,
        ...[0, 1, 10, 100, 101, 102, 103, 104, 105, 106].map((at) => `${UI}/dns/records/rec_${at}`),
      ],
    ],
    ['audit', [`${UI}/audit-log`, `${UI}/help/operations`, `${UI}/help/operations#audit-log`]],
    ['%', []],
    ['_', []],
    ["'; DROP TABLE user; --", []],
    ['', []],
  ])('%s', async (q, hrefs) => {
    expect((await found(q)).sort()).toEqual([...hrefs].sort());
  });

  test('finds only what the role may read', async () => {
    const service = await house.actor('service-admin');
    const network = await house.actor('network-admin');
    expect(await found('ens224', service)).toEqual([]);
    expect(await found('esx12.', network)).toEqual([]);
  });
});

describe('pure parts', () => {
  test('a token’s grid offers the scopes of the role, reads and writes apart', () => {
    const lines = scopeLines([...scopesOfRole('viewer')]);
    expect(lines.every(({ write }) => write === null)).toBe(true);
    expect(scopeLines([...scopesOfRole('admin')]).find(({ resource }) => resource === 'audit')).toEqual({
      resource: 'audit',
      read: 'read:audit',
      write: null,
    });
  });

  test.each([
    ['2026-03-14', '2026-03-14T00:00:00.000Z'],
    ['2026-03-14T09:30', '2026-03-14T09:30:00.000Z'],
    ['2026-03-14T09:30:05Z', '2026-03-14T09:30:05.000Z'],
    ['', undefined],
  ])('an instant in the filter: %s', (since, read) => {
    const query = {
      actor: '',
      action: '',
      resource_type: '',
      resource_id: '',
      outcome: '',
      until: '',
      request_id: '',
      cursor: '',
    };
    expect(auditFilter({ ...query, since })).toMatchObject({ filter: { since: read }, faults: [] });
    expect(auditFilter({ ...query, since: '2026-13-40' }).faults).toHaveLength(1);
  });

  test('facts of an event in words', () => {
    expect(inWords({ from: '10.0.0.1', to: null, on: true, list: ['a', 'b'] })).toBe(
      'from 10.0.0.1, to none, on yes, list a, b',
    );
  });

  test('CSV cells are quoted, and formulas are not formulas', () => {
    expect(csv([['a"b', '=1+1', null, -1, 'x,y']])).toBe('"a""b",\'=1+1,,-1,"x,y"\r\n');
  });

  test('a guest hears the addresses in force, and nothing when the service is off', () => {
    const on = new Map<string, Data>([
      ['names', true],
      ['domain', 'lab.example'],
      ['listen ens224', { addresses: ['172.16.30.2', 'fd00:30::2'], dynamic: false }],
      ['listen ens256', { addresses: [], dynamic: true }],
    ]);
    expect(dnsOf(on)).toEqual({ addresses: ['172.16.30.2', 'fd00:30::2'], search_domain: 'lab.example' });
    expect(dnsOf(new Map([['names', false]]))).toBeNull();
  });

  test.each([
    ['apply', 'plan_7', 'Apply a reviewed plan', '/appliance-apply/plan_7'],
    ['certificate-trust', 'nsx.lab.example AA:BB', 'Have nsx.lab.example trust a certificate', null],
    [
      ...(['offline-depot-configuration', 'sddcm.lab.example'] as const),
      ...(['Configure the offline depot of sddcm.lab.example', '/vcf-helper/offline-depot/tasks/job_7'] as const),
    ],
    [
      ...(['sddc-manager-deployment', 'vc01.lab.example sddc manager 01'] as const),
      ...(['Deploy sddc manager 01 to vc01.lab.example', '/vcf-helper/sddc-manager/tasks/job_7'] as const),
    ],
    ['of-another-version', null, 'of-another-version', null],
  ])('a job of the kind %s about %s reads like a sentence', (kind, subject, words, page) => {
    const job = { id: 'job_7', kind, subject };
    expect([jobWords(job), jobPage(job)?.href ?? null]).toEqual([words, page && UI + page]);
    expect(jobHref(job)).toBe(UI + (page ?? '/jobs/job_7'));
  });

  test('every kind of jobs has words of its own', () => {
    const words = JOB_KINDS.map(({ kind }) => jobWords({ kind, subject: 'one two' }));
    expect(new Set(words).size).toBe(JOB_KINDS.length);
    for (const each of words) expect(each).toMatch(/^[A-Z][^.]+ .*[^.]$/);
  });

  test('what a failed job has not begun is drawn only where somebody can go on with it', () => {
    const at = (second: number) => `2026-03-14T09:41:${second}.000Z`;
    const task = { log: [], progress_percent: 0, progress: null };
    const job = {
      ...{ state: 'failed', created_at: at(10), started_at: at(10), finished_at: at(40) },
      tasks: [
        { ...task, title: 'Send the disks', state: 'failed', started_at: at(10), finished_at: at(40) },
        { ...task, title: 'Switch it on', state: 'skipped', started_at: null, finished_at: at(40) },
      ],
    } as unknown as Job;
    const drawn = (continues: boolean) => renderToString(h(JobTimeline, { job, now: at(50), continues }));
    expect(drawn(false)).toContain('Send the disks');
    expect([drawn(false), drawn(true)].map((html) => html.includes('Switch it on'))).toEqual([false, true]);
  });

  test('a job’s log becomes bars from its start, and lines in order', () => {
    const task = { id: 't', job_id: 'j', name: 'n', title: 'Network', progress_percent: 100 };
    const log = [
      { at: '2026-03-14T09:41:07.500Z', text: 'staged', kind: 'write' as const, duration_ms: 200, ok: true },
      { at: '2026-03-14T09:41:08.000Z', text: 'said', ok: false },
    ];
    const job = {
      started_at: AT,
      created_at: AT,
      tasks: [{ ...task, state: 'failed', started_at: AT, finished_at: '2026-03-14T09:41:09.000Z', log }],
    } as unknown as Job;
    expect(timelineOf(job, AT)).toEqual([
      { label: 'Network', bars: [{ kind: 'write', start_ms: 300, duration_ms: 200, text: 'staged' }] },
    ]);
    expect(eventsOf(job, AT).map(({ state, took }) => [state, took])).toEqual([
      ['failed', '2 s'],
      ['done', '200 ms'],
      ['failed', undefined],
    ]);
  });
});
