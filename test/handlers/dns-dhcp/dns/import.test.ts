// The import of a file of records: what becomes of its rows, who may send it, and that a refused row refuses all.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { instant } from '../../../../shared/ground/clock.ts';
import { releaseLocks, takeLock } from '../../../../shared/kernel/access/mutation-lock.ts';
import { type Credentials, House, type Send } from '../../../setup/house.ts';
import { until } from '../../../setup/until.ts';
import { furnishDns } from './scenarios.ts';

const IMPORT = '/api/v1/dns/records/import';
const CSV = { 'content-type': 'text/csv; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HEAD = 'fqdn,type,value\r\n';

let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
});
afterAll(() => house.close());
beforeEach(() => furnishDns(house));

const send = (raw: string, headers: Record<string, string> = CSV, more: Send = {}, query = '') =>
  house.send('POST', `${IMPORT}${query}`, { token: admin.token, raw, headers, ...more });

const jobOf = async (id: string) => (await house.send('GET', `/api/v1/jobs/${id}`, { token: admin.token })).body;

async function ended(id: string) {
  await until(async () => ['succeeded', 'failed', 'cancelled'].includes((await jobOf(id)).state));
  const job = await jobOf(id);
  // What a job leaves is swept after its end.
  await until(async () => waiting().length === 0);
  return job;
}

async function imported(raw: string, headers = CSV, query = '') {
  const { status, body, headers: told } = await send(raw, headers, {}, query);
  expect([status, told.location]).toEqual([202, `/api/v1/jobs/${body.job_id}`]);
  return ended(body.job_id);
}

const waiting = (): string[] => {
  const folder = join(house.data, 'imports');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const saved = async () =>
  (
    await house.services.store.all<{ line: string }>(
      "SELECT fqdn || ' ' || type || ' ' || value AS line FROM dns_record ORDER BY rowid",
    )
  ).map(({ line }) => line);

const csvOf = (count: number, from = 0) =>
  HEAD +
  Array.from({ length: count }, (_, at) => {
    const n = from + at;
    return `h${n}.lab.test,A,10.${50 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}\r\n`;
  }).join('');

describe('a file whose rows are right', () => {
  test('is saved whole, with its audit row and the digest of what was saved', async () => {
    const before = await saved();
    const seq = await house.lastAudit();
    const job = await imported(csvOf(2_500));
    const rows = csvOf(2_500).trim().split('\r\n').slice(1);
    const lines = rows.map((row) => `${row.replaceAll(',', ' ')}\n`).join('');
    const sha256 = createHash('sha256').update(lines).digest('hex');
    expect(job).toMatchObject({
      kind: 'dns-records-import',
      state: 'succeeded',
      result: { rows: 2_500, saved: 2_500, zones: ['lab.test'], sha256 },
      tasks: [{ progress: { done_rows: 2_500, total_rows: 2_500 } }, {}],
    });
    expect((await saved()).length).toBe(before.length + 2_500);
    expect(await house.audited(seq)).toEqual(['dns.record.queue_import', 'dns.record.import']);
    const { detail } = (await house.services.store.one<{ detail: string }>(
      'SELECT detail FROM audit_event ORDER BY seq DESC LIMIT 1',
    ))!;
    expect(JSON.parse(detail)).toMatchObject({
      count: 2_500,
      zones: ['lab.test'],
      sha256,
      queued_by: expect.stringContaining(admin.user.name),
    });
    const lock = await house.services.store.one('SELECT * FROM mutation_lock');
    expect(lock).toBeUndefined();
  });

  test('may be JSON, is stored in canonical form, and reads what an export wrote', async () => {
    const rows = [
      { fqdn: 'A.Lab.Test.', type: 'aaaa', value: '2001:DB8:0::1', description: 'One', enabled: false },
      { fqdn: 'b.lab.test', type: 'CNAME', value: 'a.lab.test' },
    ];
    expect((await imported(JSON.stringify(rows), JSON_TYPE)).state).toBe('succeeded');
    expect((await saved()).slice(-2)).toEqual(['a.lab.test AAAA 2001:db8::1', 'b.lab.test CNAME a.lab.test']);
    const { body } = await house.send('GET', '/api/v1/dns/records?fqdn=a.lab.test', { token: admin.token });
    expect(body.items[0]).toMatchObject({ description: 'One', enabled: false, zone: 'lab.test' });

    const page = '/ui/management/dns/zones/zone_lab/records.csv';
    const file = (await house.send('GET', page, { session: admin })).text;
    for (const id of ['b.lab.test', 'a.lab.test'])
      await house.services.store.write((tx) => tx.run('DELETE FROM dns_record WHERE fqdn = ?', [id]));
    const own = file.split('\r\n').filter((line) => /^fqdn|^[ab]\.lab/.test(line));
    expect((await imported(`${own.join('\r\n')}\r\n`)).state).toBe('succeeded');
    const again = await house.send('GET', '/api/v1/dns/records?fqdn=a.lab.test', { token: admin.token });
    expect(again.body.items[0]).toMatchObject({ description: 'One', enabled: false });
  });

  test('is only compared where that is asked for', async () => {
    const before = await saved();
    const job = await imported(csvOf(5), CSV, '?check_only=true');
    expect(job).toMatchObject({ state: 'succeeded', result: { rows: 5, saved: 0 } });
    expect(await saved()).toEqual(before);
  });

  test('an Idempotency-Key queues one job, and belongs to this file', async () => {
    const headers = { ...CSV, 'idempotency-key': 'file-1' };
    const first = await send(csvOf(2), headers);
    const again = await send(csvOf(2), headers);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await send(csvOf(3), headers)).body.error_code).toBe('idempotency_key_reused');
    await ended(first.body.job_id);
  });
});

describe('a refused row refuses all', () => {
  const A = 'n1.lab.test,A,10.9.0.1';
  test.each([
    ['a row twice in the file', `${A}\r\n${A}\r\n`, 'already_exists', '/1/fqdn', 'Line 3: The same record'],
    ['a row that is saved', 'vc01.lab.test,A,10.20.10.11\r\n', 'already_exists', '/0/fqdn', 'Line 2: The same record'],
    [
      'a name in no zone',
      `${A}\r\nx.nowhere.example,A,10.9.0.2\r\n`,
      'request_validation_failed',
      '/1/fqdn',
      'Line 3: No',
    ],
    ['an address that is none', 'n1.lab.test,A,nonsense\r\n', 'request_validation_failed', '/0/value', 'Line 2: Must'],
    [
      'an alias beside another',
      `${A}\r\nn1.lab.test,CNAME,n2.lab.test\r\n`,
      'state_conflict',
      '/1/fqdn',
      'Line 3: The',
    ],
    [
      'aliases in a circle',
      'n1.lab.test,CNAME,n2.lab.test\r\nn2.lab.test,CNAME,n1.lab.test\r\n',
      'request_validation_failed',
      '/0/value',
      'Line 2: Aliases',
    ],
    ['more cells than columns', `${A},too many\r\n`, 'request_validation_failed', '/0', 'Line 2: More cells'],
    ['an empty name', ',A,10.9.0.1\r\n', 'request_validation_failed', '/0/fqdn', 'Line 2: '],
  ])('%s', async (_name, rows, error_code, pointer, detail) => {
    const before = await saved();
    const seq = await house.lastAudit();
    const job = await imported(HEAD + rows);
    expect([job.state, job.error.error_code, job.error.errors[0].pointer]).toEqual(['failed', error_code, pointer]);
    expect(job.error.errors[0].detail.startsWith(detail)).toBe(true);
    expect(await saved()).toEqual(before);
    expect(await house.audited(seq)).toEqual(['dns.record.queue_import']);
    expect(await house.services.store.one('SELECT * FROM mutation_lock')).toBeUndefined();
  });

  test('of many, the first hundred are named and all are counted; more are in the file of its page', async () => {
    const bad = Array.from({ length: 1_500 }, (_, n) => `h${n}.lab.test,A,=HYPERLINK(${n})\r\n`).join('');
    const job = await imported(HEAD + bad);
    expect(job.error.errors).toHaveLength(100);
    expect(job.error.detail).toContain('1500 rows are refused');
    const page = await house.send('GET', `/ui/management/jobs/${job.id}`, { session: admin });
    const href = `/ui/management/dns/imports/${job.id}/refused.csv`;
    expect(page.text).toContain(`href="${href}"`);
    const { status, text } = await house.send('GET', href, { session: admin });
    expect([status, text.split('\r\n').length]).toEqual([200, 1_002]);
    // A spreadsheet must not calculate it.
    expect(text.split('\r\n')[1]).toMatch(/,'=HYPERLINK\(0\)$/);
  });
});

describe('a file that can’t be read', () => {
  test.each([
    ['no rows', HEAD, CSV, 'no rows'],
    ['nothing at all', '', CSV, 'no rows'],
    ['a column that is not known', 'fqdn,type,value,ttl\r\n', CSV, 'columns is not known'],
    ['a column that is missing', 'fqdn,type\r\na,A\r\n', CSV, 'column value is missing'],
    ['a column twice', 'fqdn,type,value,value\r\n', CSV, 'twice'],
    ['a quote that is not closed', `${HEAD}"a`, CSV, 'not closed'],
    ['an object', '{"records":[]}', JSON_TYPE, 'no whole JSON list'],
    ['half a list', '[{"fqdn":"a"}', JSON_TYPE, 'no whole JSON list'],
    ['a list with an end too many', '[]]', JSON_TYPE, 'no whole JSON list'],
    ['no JSON', '[{"fqdn":}]', JSON_TYPE, 'rows from 1 on'],
    ['a member twice', '[{"fqdn":"a","fqdn":"b"}]', JSON_TYPE, 'Row 1: This member is there twice'],
    ['a long row', `[{"fqdn":"${'x'.repeat(20_000)}"}]`, JSON_TYPE, 'Row 1: at most'],
    ['more rows than are taken', `[${'0,'.repeat(100_000)}0]`, JSON_TYPE, 'At most 100000 rows'],
  ])('%s', async (_name, raw, headers, words) => {
    const before = await saved();
    const job = await imported(raw, headers);
    expect([job.state, job.error.error_code]).toEqual(['failed', 'request_validation_failed']);
    expect(JSON.stringify(job.error)).toContain(words);
    expect(await saved()).toEqual(before);
  });

  test('is refused at once when its type is another one, or it is too large', async () => {
    expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send('x'.repeat((16 << 20) + 1))).status).toBe(413);
    expect(waiting()).toEqual([]);
  });
});

test('needs the scope that creating a record needs', async () => {
  const reader = await house.actor('viewer');
  expect((await send(csvOf(1), CSV, { token: reader.token })).body.error_code).toBe('insufficient_scope');
  const narrow = await house.actor('admin', ['read:dns']);
  expect((await send(csvOf(1), CSV, { token: narrow.token })).body.error_code).toBe('insufficient_scope');
  expect(waiting()).toEqual([]);
});

describe('who sent it is judged again', () => {
  const REVOKE = "UPDATE api_token SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE user_id = ?";
  const MOMENTS = ['import.checked', 'import.owned'] as const;
  test.each(
    MOMENTS.flatMap((moment) => [
      [moment, 'whose token is revoked', REVOKE, 'credentials_revoked'] as const,
      [moment, 'who is disabled', 'UPDATE user SET enabled = 0 WHERE id = ?', 'credentials_revoked'] as const,
      [moment, 'who is removed', 'DELETE FROM user WHERE id = ?', 'credentials_revoked'] as const,
      [moment, 'whose role shrinks', "UPDATE user SET role = 'viewer' WHERE id = ?", 'insufficient_scope'] as const,
    ]),
  )('at %s: one %s saves nothing', async (moment, _who, sql, error_code) => {
    const sender = await house.actor('admin');
    const before = await saved();
    const seq = await house.lastAudit();
    const { store } = house.services;
    house.services.checkpoint = async (step) => {
      if (step === moment) await store.write((tx) => tx.run(sql, [sender.user.id]));
    };
    try {
      const { status, body } = await send(csvOf(3, 5_000), CSV, { token: sender.token });
      expect(status).toBe(202);
      const job = await ended(body.job_id);
      expect([job.state, job.error.error_code]).toEqual(['failed', error_code]);
    } finally {
      house.services.checkpoint = () => undefined;
    }
    expect(await saved()).toEqual(before);
    expect(await house.audited(seq)).toEqual(['dns.record.queue_import']);
    expect(await store.one('SELECT * FROM mutation_lock')).toBeUndefined();
  });
});

test('a file whose job could not be queued goes with it', async () => {
  const { store } = house.services;
  await store.write((tx) =>
    tx.run("CREATE TRIGGER refuses BEFORE INSERT ON audit_event BEGIN SELECT raise(ABORT, 'refused'); END"),
  );
  try {
    expect((await send(csvOf(1))).status).toBe(500);
  } finally {
    await store.write((tx) => tx.run('DROP TRIGGER refuses'));
  }
  expect(waiting()).toEqual([]);
});

test('millions of lines without anything keep nobody from working', async () => {
  const beats: number[] = [];
  const beat = setInterval(() => beats.push(performance.now()), 1);
  try {
    const job = await imported(
      HEAD + ',\r\n'.repeat(1_000_000) + csvOf(1, 6_000).slice(HEAD.length),
      CSV,
      '?check_only=true',
    );
    expect([job.state, job.result.rows]).toEqual(['succeeded', 1]);
  } finally {
    clearInterval(beat);
  }
  // Each turn of the job leaves one to the timer; without turns there would be a handful.
  expect(beats.length).toBeGreaterThan(20);
});

test.each([
  [
    'UTF-16 that is no wrong UTF-8',
    Buffer.from('fqdn,type,value\r\na.lab.test,A,10.9.0.1\r\n', 'utf16le').toString('latin1'),
    'Line 1',
  ],
  ['lines that end in CR alone', 'fqdn,type,value\ra.lab.test,A,10.9.0.1\r', 'CR alone'],
  ['a NUL in a name', `${HEAD}a\0b.lab.test,A,10.9.0.1\r\n`, 'Line 2'],
  ['ten million characters in a cell', `${HEAD}${'a'.repeat(10_000_000)},A,10.9.0.1\r\n`, 'Line 2'],
  ['a quote of ten million characters', `${HEAD}a.lab.test,TXT,"${'""'.repeat(5_000_000)}"\r\n`, 'Line 2'],
  ['a name of every object', `${HEAD.trim()},enabled\r\na.lab.test,A,10.9.0.1,__proto__\r\n`, 'Line 2'],
])('%s is refused with where it is', async (_name, raw, words) => {
  const before = await saved();
  const job = await imported(raw);
  expect([job.state, job.error.error_code]).toEqual(['failed', 'request_validation_failed']);
  expect(JSON.stringify(job.error)).toContain(words);
  expect(JSON.stringify(job.error).length).toBeLessThan(10_000);
  expect(await saved()).toEqual(before);
});

describe('while something else owns everything', () => {
  const owned = (work: (owner: string) => Promise<void>) => async () => {
    const { store, clock } = house.services;
    await store.write((tx) => takeLock(tx, 'all', 'job_other', instant(clock.now())));
    try {
      await work('job_other');
    } finally {
      await store.write((tx) => releaseLocks(tx, 'job_other'));
    }
  };

  test(
    'none is taken',
    owned(async () => expect((await send(csvOf(1))).status).toBe(423)),
  );

  test('one that has begun waits, can be stopped, and saves nothing', async () => {
    const before = await saved();
    let id = '';
    const { store, clock } = house.services;
    house.services.checkpoint = async (step) => {
      if (step === 'import.checked') await store.write((tx) => takeLock(tx, 'all', 'job_other', instant(clock.now())));
    };
    try {
      id = (await send(csvOf(3))).body.job_id;
      await until(async () => JSON.stringify((await jobOf(id)).tasks[1]).includes('job_other'));
      expect((await house.send('POST', `/api/v1/jobs/${id}/cancel`, { token: admin.token })).status).toBeLessThan(300);
      expect((await ended(id)).state).toBe('cancelled');
    } finally {
      house.services.checkpoint = () => undefined;
      await store.write((tx) => releaseLocks(tx, 'job_other'));
    }
    expect(await saved()).toEqual(before);
  });
});

test('others are refused while it saves, with its job’s id, and reads go on', async () => {
  const met: unknown[] = [];
  house.services.checkpoint = async (step) => {
    if (step !== 'import.owned') return;
    const body = { fqdn: 'other.lab.test', type: 'A', value: '10.9.9.9' };
    const refused = await house.send('POST', '/api/v1/dns/records', { token: admin.token, body });
    const read = await house.send('GET', '/api/v1/dns/records', { token: admin.token });
    met.push(refused.status, refused.body.detail, read.status);
  };
  try {
    const job = await imported(csvOf(3, 7_000));
    expect(job.state).toBe('succeeded');
    expect(met).toEqual([423, expect.stringContaining(job.id), 200]);
  } finally {
    house.services.checkpoint = () => undefined;
  }
});

test('a download makes each part when it is asked for, five hundred records at a time', async () => {
  await imported(csvOf(2_500));
  const event = house.event('GET', '/ui/management/dns/zones/zone_lab/records.csv', { session: admin });
  const { body, parts } = await house.appliance.answer(event);
  const each: number[] = [];
  for await (const part of parts!) each.push(part.split('\r\n').length - 1);
  expect([body, each.slice(0, 3)]).toEqual(['', [1, 500, 500]]);
  const sum = each.reduce((all, lines) => all + lines, 0);
  expect(sum).toBe(1 + (await house.services.store.all("SELECT 1 FROM dns_record WHERE zone_id = 'zone_lab'")).length);
});

test('of large bodies that come at once, over sockets, each is taken', async () => {
  const sent = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      fetch(`${house.origin}${IMPORT}?check_only=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
        body: csvOf(500, n * 1_000),
      }),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  for (const answer of sent) await ended(((await answer.json()) as { job_id: string }).job_id);
});

test('large bodies whose senders go, also those that waited, keep no place', async () => {
  const { hostname, port } = new URL(house.origin);
  const head = [
    `POST ${IMPORT} HTTP/1.1`,
    'Host: gc',
    `Authorization: Bearer ${admin.token}`,
    'Content-Type: text/csv',
    `Content-Length: ${8 << 20}`,
  ];
  const sockets = Array.from({ length: 6 }, () => connect({ host: hostname, port: Number(port) }));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(`${head.join('\r\n')}\r\n\r\nhalf`);
  }
  // Whether they have all come is of no matter: each is gone before it is whole.
  await until(() => sockets.every(({ bytesWritten }) => bytesWritten > 0));
  for (const socket of sockets) socket.destroy();
  const whole = `${csvOf(1, 8_500)}${',\r\n'.repeat((5 << 20) / 3)}`;
  const answer = await fetch(`${house.origin}${IMPORT}?check_only=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'text/csv' },
    body: whole,
  });
  expect(answer.status).toBe(202);
  await ended(((await answer.json()) as { job_id: string }).job_id);
});
