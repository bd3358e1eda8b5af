// Zones, records and settings from outside: requests, answers and audit events. The rules of single values are tested in
// test/shared/services/dns-dhcp/dns/unit.test.ts; here they have to arrive as answers.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Credentials, type Heard, House, type Send } from '../../../setup/house.ts';
import { furnishDns, named, RECORDS, record, SCENARIOS, type Scenario, SETTINGS, ZONES } from './scenarios.ts';

const statements: string[] = [];
/** Statements that the clock may send at any time: looking for jobs, writing down when tokens were used. */
const BY_THE_CLOCK = /\bFROM job\b|^\s*UPDATE (?:job|api_token)\b/;
let house: House;
let admin: Credentials;
let others: Record<'viewer' | 'network-admin', Credentials>;

beforeAll(async () => {
  house = await House.open({ observe: (sql) => void statements.push(sql), ticker: false });
  admin = await house.actor('admin');
  others = { viewer: await house.actor('viewer'), 'network-admin': await house.actor('network-admin') };
});
afterAll(() => house.close());
beforeEach(() => furnishDns(house));

async function heard(scenario: Scenario): Promise<{ answer: Heard; audited: string[] }> {
  const [method, target, body, headers] = scenario.send;
  const before = await house.lastAudit();
  const send: Send = { token: (scenario.by ? others[scenario.by] : admin).token, ...(headers && { headers }) };
  if (body !== undefined) send.body = body;
  return { answer: await house.send(method, target, send), audited: await house.audited(before) };
}

describe('the API of the name service', () => {
  test.each(SCENARIOS)('$name', async (scenario) => {
    const { answer, audited } = await heard(scenario);
    expect({ status: answer.status, ...(answer.status >= 400 && { body: answer.body }) }).toMatchObject({
      status: scenario.status,
    });
    if (scenario.holds) expect(answer.body).toMatchObject(scenario.holds);
    const errors = (answer.body?.errors ?? []) as { pointer: string }[];
    expect(errors.map(({ pointer }) => pointer)).toEqual(scenario.pointers ?? []);
    expect(audited).toEqual(scenario.audited ?? []);
  });

  test('a zone inside of another takes over what lies in it, and nothing else', async () => {
    await house.send('POST', RECORDS, {
      token: admin.token,
      body: record('5.0.0.10.in-addr.arpa', 'PTR', 'h.sub.lab.test'),
    });
    const made = await house.send('POST', ZONES, { token: admin.token, body: { name: 'sub.lab.test' } });
    const { body } = await house.send('GET', `${RECORDS}?zone=sub.lab.test`, { token: admin.token });
    expect(body.items.map((each: { fqdn: string }) => each.fqdn)).toEqual([
      '5.0.0.10.in-addr.arpa',
      'esx01.sub.lab.test',
    ]);
    expect(body.items[1]).toMatchObject({ zone_id: made.body.id, revision: 4 });
    await house.send('POST', ZONES, { token: admin.token, body: { name: '10.in-addr.arpa' } });
    const reverse = await house.send('GET', `${RECORDS}?zone=10.in-addr.arpa`, { token: admin.token });
    expect(reverse.body).toMatchObject(named('5.0.0.10.in-addr.arpa'));
  });

  test('pages of a list follow each other without loss or repetition, in each order', async () => {
    for (const sort of ['fqdn', '-fqdn', 'value', '-value']) {
      const whole = await house.send('GET', `${RECORDS}?sort=${sort}`, { token: admin.token });
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const target: string = `${RECORDS}?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`;
        const { body } = await house.send('GET', target, { token: admin.token });
        seen.push(...body.items.map((each: { id: string }) => each.id));
        cursor = body.next_cursor;
      }
      expect(seen).toEqual(whole.body.items.map((each: { id: string }) => each.id));
    }
  });

  test('a dry run answers and saves nothing', async () => {
    const body = record('dry.lab.test', 'A', '10.0.0.1');
    const answer = await house.send('POST', `${RECORDS}?dry_run=true`, { token: admin.token, body });
    expect(answer.status).toBe(201);
    const after = await house.send('GET', `${RECORDS}?fqdn=dry.lab.test`, { token: admin.token });
    expect(after.body.items).toEqual([]);
  });

  test.each([
    ['a record is created', 'POST', RECORDS, () => record('n.lab.test', 'A', '10.0.0.1'), 7],
    ['an alias is created', 'POST', RECORDS, () => record('n.lab.test', 'CNAME', 'vc01.lab.test'), 7],
    ['1,000 records are created', 'POST', `${RECORDS}/bulk`, () => ({ records: thousand() }), 7],
    ['a record is changed', 'PATCH', `${RECORDS}/rec_vc`, () => ({ fqdn: 'x.lab.test', value: '10.0.0.1' }), 7],
    ['settings are changed', 'PATCH', SETTINGS, () => ({ ttl_seconds: 60 }), 7],
    ['a zone is changed', 'PATCH', `${ZONES}/zone_lab`, () => ({ enabled: false }), 7],
    ['records are listed', 'GET', `${RECORDS}?search=lab&type=A&sort=value`, () => undefined, 2],
  ])('few statements when %s', async (_name, method, target, body, most) => {
    // The first mutation after a dry run has to read the head of the audit log again.
    await house.send('PATCH', `${ZONES}/zone_lab`, { token: admin.token, body: {} });
    statements.length = 0;
    const sent = body();
    const answer = await house.send(method, target, { token: admin.token, ...(sent !== undefined && { body: sent }) });
    expect(answer.status).toBeLessThan(300);
    expect(statements.filter((sql) => !BY_THE_CLOCK.test(sql)).length).toBeLessThanOrEqual(most);
  });
});

const thousand = () =>
  Array.from({ length: 1000 }, (_, n) => record(`h${n}.lab.test`, 'A', `10.9.${n >> 8}.${n & 255}`));
