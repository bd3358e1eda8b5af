// Signing in and out, tokens and users, as browsers and programs meet them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Credentials, House, PASSWORD, type Send } from '../../setup/house.ts';

const UI = '/ui/management';
let house: House;
let admin: Credentials;
let viewer: Credentials;

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  viewer = await house.actor('viewer', undefined, 'vera');
});
afterAll(() => house.close());

const browser = { accept: 'text/html' };
const form = (fields: Record<string, string>): Send => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
});

/** Sends, and answers with the audit events that this wrote. */
async function send(method: string, path: string, what: Send = {}) {
  const before = await house.lastAudit();
  const heard = await house.send(method, path, what);
  return { ...heard, audited: await house.audited(before) };
}

describe('sign-in', () => {
  test('a right password starts a session and leads back to where one came from', async () => {
    const heard = await send(
      'POST',
      `${UI}/sign-in`,
      form({ username: 'ada', password: PASSWORD, return_to: `${UI}/jobs?state=failed` }),
    );
    expect(heard.status).toBe(303);
    expect(heard.headers.location).toBe(`${UI}/jobs?state=failed`);
    expect(heard.cookies[0]).toMatch(/^groundcrew_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(heard.audited).toEqual(['session.start']);
  });

  test('a form with the longest name, password and address is small enough; longer ones are refused before they are hashed', async () => {
    const wide = { username: '界'.repeat(64), password: '界'.repeat(256) };
    const returned = await house.send('GET', `${UI}/sign-in?return_to=${UI}/jobs%3F${'='.repeat(236)}`, {});
    const [, return_to = ''] = /name="return_to" value="([^"]*)"/.exec(returned.text) ?? [];
    expect(return_to).toHaveLength(256);
    expect((await send('POST', `${UI}/sign-in`, form({ ...wide, return_to, csrf: 'x'.repeat(43) }))).status).toBe(401);
    for (const typed of [{ username: 'a'.repeat(65) }, { password: 'a'.repeat(257) }]) {
      const heard = await send('POST', `${UI}/sign-in`, form({ username: 'ada', password: PASSWORD, ...typed }));
      // A password that was looked at and refused is recorded.
      expect([heard.status, heard.audited]).toEqual([422, []]);
    }
  });

  test('an address that is too long to come back to is left out', async () => {
    const html = { headers: { accept: 'text/html' } };
    const { headers } = await house.send('GET', `${UI}/jobs?state=${'x'.repeat(256)}`, html);
    expect(headers.location).toBe(`${UI}/sign-in`);
    expect((await house.send('GET', `${UI}/sign-in?return_to=${UI}/${'x'.repeat(256)}`, html)).text).toContain(
      'name="return_to" value/>',
    );
  });

  test.each(['https://evil.example/', '//evil.example', '/ui/management//evil', '/api/v1/users', 'javascript:x'])(
    'it never leads to %s',
    async (return_to) => {
      const heard = await send('POST', `${UI}/sign-in`, form({ username: 'ada', password: PASSWORD, return_to }));
      expect(heard.headers.location).toBe(UI);
    },
  );

  test('a wrong password comes back as the page, with the name and without the password', async () => {
    const typed = form({ username: 'vera', password: 'not this one at all', return_to: `${UI}/users` });
    const heard = await send('POST', `${UI}/sign-in`, typed);
    expect(heard.status).toBe(401);
    expect(heard.text).toContain('The user name or the password is wrong.');
    expect(heard.text).toMatch(/name="username"[^>]* value="vera"/);
    expect(heard.text).toContain(`name="return_to" value="${UI}/users"`);
    expect(heard.text).not.toContain('not this one at all');
    expect(heard.audited).toEqual(['session.refuse']);
  });

  test('repeated failures are slowed, and the page says for how long', async () => {
    for (let i = 0; i < 6; i++) await send('POST', `${UI}/sign-in`, form({ username: 'nils', password: `wrong ${i}` }));
    const heard = await send('POST', `${UI}/sign-in`, form({ username: 'nils', password: PASSWORD }));
    expect(heard.status).toBe(429);
    expect(Number(heard.headers['retry-after'])).toBeGreaterThan(0);
    expect(heard.text).toMatch(/Too many failed sign-ins from 127\.0\.0\.1\. Try again in \d+ s\./);
    expect(heard.audited).toEqual([]);
  });

  test('an empty field is named beside the field', async () => {
    const heard = await send('POST', `${UI}/sign-in`, form({ username: '', password: '' }));
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(/id="username-error"[\s\S]*Enter a user name\./);
  });

  test('a browser without a session is led here and back, a program gets a problem', async () => {
    const seen = await house.send('GET', `${UI}/audit-log?actor=ada`, { headers: browser });
    expect(seen.status).toBe(303);
    expect(seen.headers.location).toBe(`${UI}/sign-in?return_to=${encodeURIComponent(`${UI}/audit-log?actor=ada`)}`);
    expect((await house.send('GET', `${UI}/audit-log`)).body).toMatchObject({ error_code: 'session_required' });
  });
});

describe('API tokens in the browser', () => {
  const PATH = `${UI}/api-tokens`;
  const filled = { name: 'Pipeline', lifetime_days: '7', scopes: ['write:dns', 'read:jobs'], own_password: PASSWORD };

  test('the secret is shown once, works, and is never shown again', async () => {
    const heard = await send('POST', PATH, { session: admin, form: filled });
    expect(heard.status).toBe(200);
    expect(heard.audited).toEqual(['token.create']);
    expect(heard.headers['cache-control']).toBe('no-store');
    const secret = /id="secret-value">([^<]+)</.exec(heard.text)![1]!;
    expect((await house.send('GET', '/api/v1/jobs', { token: secret })).status).toBe(200);
    const again = await house.send('GET', PATH, { session: admin });
    expect(again.text).toContain('Pipeline');
    expect(again.text).not.toContain(secret);
    expect(again.text).not.toContain('id="secret-value"');
  });

  test('a refusal keeps what was typed and stands beside its fields', async () => {
    const heard = await send('POST', PATH, {
      session: admin,
      form: { name: 'Long', lifetime_days: '900', scopes: 'read:dns' },
    });
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(/id="lifetime_days-error"[\s\S]*At most 365 days\./);
    expect(heard.text).toMatch(/href="#lifetime_days"/);
    expect(heard.text).toMatch(/value="900"/);
    expect(heard.text).toMatch(/value="read:dns" checked/);
    expect(heard.audited).toEqual([]);
  });

  test('without a scope it is refused at the scopes', async () => {
    const heard = await send('POST', PATH, { session: admin, form: { name: 'None', lifetime_days: '1' } });
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(/id="scopes-error"[\s\S]*Choose at least one scope\./);
  });

  test('a role offers its own scopes only, and cannot send others', async () => {
    // Nobody has failed under this name: a sign-in that is slowed slows this too.
    const session = await house.actor('network-admin', undefined, 'nora');
    const seen = await house.send('GET', PATH, { session });
    expect(seen.text).toContain('value="write:vlans"');
    expect(seen.text).not.toContain('value="write:dns"');
    const heard = await send('POST', PATH, { session, form: filled });
    expect(heard.status).toBe(403);
    expect(heard.text).toContain('Your role does not include write:dns');
  });

  test('a viewer sees no form and no button', async () => {
    const seen = await house.send('GET', PATH, { session: viewer });
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain('Create token');
  });

  test('revoking stops a token at once; a second time is a conflict', async () => {
    const made = await house.send('POST', '/api/v1/tokens', {
      token: admin.token,
      body: { name: 'Leaked', scopes: ['read:jobs'] },
    });
    const { token, secret } = made.body as { token: { id: string }; secret: string };
    const heard = await send('POST', `${PATH}/${token.id}/revoke`, { session: admin });
    expect(heard.status).toBe(303);
    expect(heard.audited).toEqual(['token.revoke']);
    expect((await house.send('GET', '/api/v1/jobs', { token: secret })).status).toBe(401);
    const twice = await send('POST', `${PATH}/${token.id}/revoke`, { session: admin });
    expect(twice.status).toBe(409);
    expect(twice.text).toContain('This token is already revoked.');
  });

  test('without the CSRF token nothing happens', async () => {
    const heard = await send('POST', PATH, { session: { ...admin, csrf: 'other' }, form: filled });
    expect(heard.status).toBe(403);
    expect(heard.audited).toEqual([]);
  });
});

describe('users in the browser', () => {
  const PATH = `${UI}/users`;
  const create = (name: string, more = {}) =>
    send('POST', `${PATH}/new`, {
      session: admin,
      form: { name, role: 'viewer', password: 'a passphrase of my own', own_password: PASSWORD, ...more },
    });
  const idOf = async (name: string) =>
    (await house.services.store.one<{ id: string }>('SELECT id FROM user WHERE name = ?', [name]))!.id;

  test('a user is created and listed', async () => {
    const heard = await create('mira');
    expect(heard.status).toBe(303);
    expect(heard.audited).toEqual(['user.create']);
    expect((await house.send('GET', PATH, { session: admin })).text).toContain('mira');
  });

  test('a taken name stands beside the name; the password is not sent back', async () => {
    const heard = await create('mira');
    expect(heard.status).toBe(409);
    expect(heard.text).toMatch(/id="name-error"[\s\S]*A user named mira already exists\./);
    expect(heard.text).not.toContain('a passphrase of my own');
  });

  test('a short password and a bad name are both named', async () => {
    const heard = await create('Not A Name', { password: 'short' });
    expect(heard.status).toBe(422);
    expect(heard.text).toMatch(/id="name-error"/);
    expect(heard.text).toMatch(/id="password-error"[\s\S]*At least 12 characters\./);
    expect(heard.text).toContain('value="Not A Name"');
  });

  test('a stale form keeps the choice, shows what is saved, and carries the new revision', async () => {
    const id = await idOf('mira');
    const fresh = { role: 'network-admin', enabled: 'true', password: '', revision: '1', own_password: PASSWORD };
    expect((await send('POST', `${PATH}/${id}`, { session: admin, form: fresh })).audited).toEqual(['user.update']);
    const stale = await send('POST', `${PATH}/${id}`, { session: admin, form: { ...fresh, role: 'admin' } });
    expect(stale.status).toBe(412);
    expect(stale.text).toMatch(/Changed by both.*network-admin.*admin/s);
    expect(stale.text).toContain('name="revision" value="2"');
    expect(stale.text).toMatch(/value="admin" checked/);
  });

  test('an unchecked box disables; the user’s sessions end', async () => {
    const other = await house.actor('viewer', undefined, 'olga');
    const heard = await send('POST', `${PATH}/${other.user.id}`, {
      session: admin,
      form: { role: 'viewer', password: '', revision: '1', own_password: PASSWORD },
    });
    expect(heard.status).toBe(303);
    expect((await house.send('GET', UI, { session: other })).status).toBe(303);
    expect((await house.send('GET', '/api/v1/jobs', { token: other.token })).body).toMatchObject({
      error_code: 'credentials_revoked',
    });
  });

  test('the last enabled admin can be neither removed nor demoted', async () => {
    const revision = { revision: '1', own_password: PASSWORD };
    const removed = await send('POST', `${PATH}/${admin.user.id}/delete`, { session: admin, form: revision });
    expect(removed.status).toBe(409);
    expect(removed.text).toContain('This is the last enabled admin');
    expect(removed.audited).toEqual([]);
  });

  test('a user is removed with the tokens', async () => {
    const id = await idOf('mira');
    const heard = await send('POST', `${PATH}/${id}/delete`, {
      session: admin,
      form: { revision: '2', own_password: PASSWORD },
    });
    expect(heard.status).toBe(303);
    expect(heard.audited).toEqual(['user.delete']);
    expect((await house.send('GET', `${PATH}/${id}`, { session: admin })).status).toBe(404);
  });

  test('other roles may not look', async () => {
    expect((await house.send('GET', PATH, { session: viewer })).status).toBe(403);
  });
});
