// What others of one appliance wait for while an archive of many records is restored by its API, and beside the edits of another
// writer: in a process of its own. Argument: number of records. Prints one line of JSON.
import { setTimeout } from 'node:timers/promises';
import { type Credentials, House, PASSWORD } from '../setup/house.ts';

const count = Number(process.argv[2]);
const API = '/api/v1/archives';
const AT = '2026-01-01T00:00:00.000Z';
/** Milliseconds between two requests of one who asks again and again. */
const PAUSE = 20;
/** Of the edits beside which the same is asked. */
const EDITS_MS = 8_000;

const house = await House.open({ ticker: false, services: { inspectAnswer: () => undefined } });
const { store } = house.services;
const admin: Credentials = await house.actor('admin', undefined, 'ada');

/** Nothing is kept of what is answered, nor is it checked: only the appliance is measured. */
async function ask(method: string, target: string, send: Parameters<House['event']>[2]) {
  const { statusCode, body, headers } = await house.appliance.answer(house.event(method, target, send));
  return { status: statusCode, text: body, again: Number(headers['retry-after'] ?? 0) };
}

async function done(method: string, target: string, body: object) {
  const { status, text } = await ask(method, target, { token: admin.token, body });
  if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`);
  return JSON.parse(text) as { id: string };
}

/** As rows, since the API would take its time; a hundred zones, so that no page is of one. */
async function sow(): Promise<void> {
  await store.write(async (tx) => {
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
       INSERT INTO dns_zone (id, name, created_at, updated_at)
       SELECT printf('zone_%06d', i), 'z' || i || '.example', '${AT}', '${AT}' FROM n`,
    );
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
       INSERT INTO dns_record (id, zone_id, fqdn, type, value, created_at, updated_at)
       SELECT printf('rec_%08d', i), printf('zone_%06d', i % 100), 'h' || i || '.z' || (i % 100) || '.example', 'A',
         printf('10.%d.%d.%d', i / 65536, i / 256 % 256, i % 256), '${AT}', '${AT}' FROM n`,
      [count],
    );
  });
}

const signIn = () =>
  ask('POST', '/ui/management/sign-in', {
    raw: new URLSearchParams({ username: 'ada', password: PASSWORD }).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });

const vault = await done('POST', '/api/v1/vaults', { name: 'lab' });
const token = { token: admin.token };
const OTHERS = {
  GET: () => ask('GET', '/api/v1/vaults', token),
  page: () => ask('GET', '/ui/management/vaults', { session: admin }),
  PATCH: () =>
    ask('PATCH', `/api/v1/vaults/${vault.id}`, {
      ...token,
      body: { description: `of ${performance.now()}` },
      headers: { 'if-match': '*' },
    }),
  'sign-in': signIn,
};

interface Waited {
  /** Milliseconds at worst. */
  worst: number;
  statuses: Record<number, number>;
}

/** Milliseconds from the first refusal until somebody who comes again when told to is in. */
async function patiently(): Promise<number> {
  const since = performance.now();
  for (let answer = { status: 423, again: 1 }; ; answer = await signIn()) {
    if (answer.status < 400) return performance.now() - since;
    await setTimeout(answer.again * 1000);
  }
}

/** Of each who asks again and again. A request is due when the pause before it is over, whether the program could begin it or not. */
async function others(during: () => Promise<unknown>) {
  const waited: Record<string, Waited> = {};
  let over = false;
  let patient: Promise<number> | undefined;
  const loops = Object.entries(OTHERS).map(async ([name, request]) => {
    const one: Waited = { worst: 0, statuses: {} };
    waited[name] = one;
    while (!over) {
      const since = performance.now();
      await setTimeout(PAUSE);
      const { status } = await request();
      one.worst = Math.max(one.worst, performance.now() - since - PAUSE);
      one.statuses[status] = (one.statuses[status] ?? 0) + 1;
      if (name === 'sign-in' && status === 423) patient ??= patiently();
    }
  });
  const since = performance.now();
  await during().finally(() => {
    over = true;
  });
  const ms = performance.now() - since;
  await Promise.all(loops);
  return { ms, waited, let_in: (await patient) ?? null };
}

/** One after the other, for a while. */
async function edits(): Promise<void> {
  const end = performance.now() + EDITS_MS;
  for (let at = 0; performance.now() < end; at++) {
    const id = `rec_${String(at % count).padStart(8, '0')}`;
    const { status, text } = await ask('PATCH', `/api/v1/dns/records/${id}`, {
      ...token,
      body: { value: `10.200.${Math.floor(at / 250) % 250}.${1 + (at % 250)}` },
      headers: { 'if-match': '*' },
    });
    if (status >= 300) throw new Error(`an edit: ${status} ${text}`);
  }
}

await sow();
const { id } = await done('POST', API, { encryption: 'none' });
await store.write(async (tx) => {
  for (const table of ['dns_record', 'dns_zone']) await tx.run(`DELETE FROM ${table}`);
});
// What is imported when it is needed first is no matter of restores.
await others(() => setTimeout(500));
const restore = await others(() => done('POST', `${API}/${id}/restore`, { units: [{ unit: 'dns-dhcp' }] }));
const beside = await others(edits);
const [{ n }] = (await store.all<{ n: number }>('SELECT count(*) AS n FROM dns_record')) as [{ n: number }];
if (n !== count) throw new Error(`${n} records of ${count} were restored.`);
await house.close();
process.stdout.write(`${JSON.stringify({ restore, beside })}\n`);
process.exit(0);
