// The audit log in the browser: filters, pages of the list, and the CSV.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { instant } from '../../../shared/ground/clock.ts';
import { type Credentials, House } from '../../setup/house.ts';

const UI = '/ui/management';
let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  viewer = await house.actor('viewer', undefined, 'vera');
  await house.send('POST', '/api/v1/tokens', { token: admin.token, body: { name: 'One', scopes: ['read:jobs'] } });
  await house.send('POST', `${UI}/sign-in`, {
    raw: new URLSearchParams({ username: 'ada', password: 'not hers at all' }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
});
afterAll(() => house.close());

describe('audit log in the browser', () => {
  const PATH = `${UI}/audit-log`;
  const see = (query: string) => house.send('GET', `${PATH}${query}`, { session: viewer });

  test('filters narrow the list, and what can’t be read is said', async () => {
    expect((await see('?action=token.')).text).toContain('Created an API token');
    expect((await see('?action=user.&actor=ada')).text).not.toContain('Created an API token');
    expect((await see('?outcome=failure')).text).toContain('Sign-in failed');
    expect((await see('?since=2999-01-01T00:00')).text).toContain('No event matches this filter.');
    expect((await see('?since=tomorrow')).text).toContain('From is not a date and time');
    expect((await see('?actor=&action=&outcome=&since=&until=&request_id=')).status).toBe(200);
  });

  test('events are found by words, say the name of the thing, and keep their ids at hand', async () => {
    const { text } = await see('?action=created+token');
    expect(text).toContain('Created an API token');
    expect(text).not.toContain('Sign-in failed');
    expect(text).toMatch(/title="tok\w+"[^>]*>One<\/a>/);
    expect(text).toMatch(/<summary>Ids<\/summary>.*<code>token\.create<\/code>/s);
  });

  test('a request id finds its events', async () => {
    const made = await house.send('POST', '/api/v1/tokens', {
      token: admin.token,
      body: { name: 'Traced', scopes: ['read:jobs'] },
      headers: { 'x-request-id': 'trace-me-1' },
    });
    expect(made.status).toBe(201);
    const seen = await see('?request_id=trace-me-1');
    expect(seen.text.match(/<th scope="row"/g)).toHaveLength(1);
    expect(seen.text).toContain('Traced');
  });

  test('pages follow the cursor without gap or repetition', async () => {
    await house.services.store.write(async (tx) => {
      const { appendAudit } = await import('../../../shared/kernel/audit/audit.ts');
      const { systemActor } = await import('../../../shared/kernel/access/actor.ts');
      const context = { at: instant(new Date()), actor: systemActor('many'), request_id: 'many', source_address: '' };
      for (let i = 0; i < 120; i++) {
        const event = { action: 'test.many', resource_type: 'test', resource_id: `n${i}` };
        await appendAudit(tx, house.services.keys, context, event);
      }
    });
    const seen: string[] = [];
    let query = '?actor=many';
    for (let page = 0; page < 5 && query !== ''; page++) {
      const { text } = await see(query);
      seen.push(...[...text.matchAll(/resource_id=(n\d+)"/g)].map(([, id]) => id!));
      query = /href="[^"]*audit-log(\?[^"]*cursor=[^"]+)">Next page/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    expect([...new Set(seen)]).toEqual(Array.from({ length: 120 }, (_, i) => `n${119 - i}`));
  });

  test('the CSV holds the filtered events, safe for a spreadsheet', async () => {
    await house.send('POST', '/api/v1/tokens', { token: admin.token, body: { name: '=cmd()', scopes: ['read:jobs'] } });
    const heard = await house.send(
      'GET',
      `${PATH}.csv?action=token.create&actor=${encodeURIComponent('ada (token test)')}`,
      {
        session: viewer,
      },
    );
    expect(heard.headers['content-type']).toMatch(/^text\/csv/);
    const lines = heard.text.split('\r\n').filter(Boolean);
    expect(lines[0]).toMatch(/^seq,at,actor_kind,actor,action/);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(1)) expect(line).toContain(',token.create,');
  });
});
