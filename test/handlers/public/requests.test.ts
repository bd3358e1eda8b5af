// Certificate requests on the public pages: off until they are switched on; a session that is none anywhere else; a request
// from its file to the certificate with its chain; own requests alone; bounds; and no secret left anywhere.
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { OWN_WAITING_MOST } from '../../../shared/platform/certificate-authority/own-requests.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';
import { plainRequest, signingRequest } from '../../setup/signing-request.ts';
import { Visitor } from './visitor.ts';

const PAGE = '/ui/public/ca/requests';
const NEW = `${PAGE}/new`;
const lines: string[] = [];
let house: House;
let admin: Credentials;

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line), ticker: false });
  admin = await house.actor('admin', undefined, 'ada');
  await house.actor('service-admin', undefined, 'olga');
  await house.actor('service-admin', undefined, 'boris');
  await house.actor('network-admin', undefined, 'nina');
  await api('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
});
afterAll(() => house.close());

const api = (method: string, path: string, body?: object) =>
  house.send(method, path, { token: admin.token, ...(body && { body }) });
const offer = (certificate_requests: boolean) =>
  api('PATCH', '/api/v1/public-pages/settings', { certificate_requests });

async function signedIn(name: string): Promise<Visitor> {
  const visitor = new Visitor(house);
  expect((await visitor.signIn(name, PASSWORD)).location).toBe(PAGE);
  return visitor;
}

/** Sends the request as both steps of the page do; answers its page. */
async function ask(visitor: Visitor, fields: Record<string, string> = {}): Promise<string> {
  const sent = await visitor.post(PAGE, PAGE, { csr: plainRequest().csr, profile: 'server', note: '', ...fields });
  expect([sent.status, sent.words]).toEqual([303, '']);
  return sent.location!;
}

test('while they are off nothing answers, to a session that was there before either', async () => {
  const visitor = new Visitor(house);
  for (const path of ['/ui/public/sign-in', PAGE]) {
    const shown = await visitor.get(path, { accept: 'application/json' });
    expect([path, shown.status]).toEqual([path, path === PAGE ? 401 : 404]);
  }
  const refused = await visitor.send('/ui/public/sign-in', { username: 'olga', password: PASSWORD, csrf: '' });
  expect([refused.status, visitor.cookies.size]).toEqual([403, 0]);
  expect((await visitor.get('/ui/public')).text).not.toContain(PAGE);
  await offer(true);
  const olga = await signedIn('olga');
  await offer(false);
  for (const path of [PAGE, NEW]) expect((await olga.get(path)).status).toBe(404);
  const posted = await olga.send(PAGE, { csr: plainRequest().csr, profile: 'server' });
  expect(posted.status).toBe(403);
  await offer(true);
  expect((await olga.get(PAGE)).status).toBe(200);
});

describe('the session', () => {
  test('is one of the public pages alone, and one of the management pages is none there', async () => {
    const visitor = await signedIn('olga');
    expect([...visitor.cookies.keys()].sort()).toEqual(['groundcrew_public', 'groundcrew_visitor']);
    const id = visitor.cookies.get('groundcrew_public')!;
    for (const cookie of [`groundcrew_session=${id}`, `groundcrew_public=${id}`]) {
      const heard = await house.send('GET', '/ui/management', {
        session: { cookie, csrf: '' },
        headers: { accept: 'application/json' },
      });
      expect([heard.status, heard.body.error_code]).toEqual([401, 'session_required']);
    }
    const other = new Visitor(house);
    other.cookies.set('groundcrew_public', admin.cookie.split('=')[1]!);
    other.cookies.set('groundcrew_session', admin.cookie.split('=')[1]!);
    expect((await other.get(PAGE)).location).toBe('/ui/public/sign-in');
    const rows = await house.services.store.all('SELECT DISTINCT plane FROM session ORDER BY plane');
    expect(rows).toEqual([{ plane: 'management' }, { plane: 'public' }]);
  });

  test('needs a role that may ask, the right password, and forms of its own pages', async () => {
    const visitor = new Visitor(house);
    const since = await house.lastAudit();
    const nina = await visitor.signIn('nina', PASSWORD);
    expect([nina.status, nina.words]).toEqual([403, expect.stringMatching(/yours, network-admin, may not/)]);
    const events = 'SELECT action, outcome, resource_type, detail FROM audit_event WHERE seq > ?';
    expect(await house.services.store.all(events, [since])).toEqual([
      {
        ...{ action: 'session.refuse', outcome: 'failure', resource_type: 'user' },
        detail: '{"plane":"public","role":"network-admin"}',
      },
    ]);
    const wrong = await visitor.signIn('olga', 'not this one at all');
    expect([wrong.status, wrong.words]).toEqual([401, expect.stringMatching(/user name or the password is wrong/)]);
    expect([...visitor.cookies.keys()]).toEqual(['groundcrew_visitor']);
    const olga = await signedIn('olga');
    for (const csrf of ['', 'x'])
      expect((await olga.send(PAGE, { csrf, csr: plainRequest().csr, profile: 'server' })).status).toBe(403);
    expect((await olga.send(PAGE, {}, undefined, 'http://evil.example')).status).toBe(403);
  });

  test('ends with a sign-out, a password reset and a smaller role', async () => {
    const olga = await signedIn('olga');
    const id = olga.cookies.get('groundcrew_public')!;
    expect((await olga.post(PAGE, '/ui/public/sign-out', {})).location).toBe('/ui/public');
    olga.cookies.set('groundcrew_public', id);
    expect((await olga.get(PAGE)).location).toBe('/ui/public/sign-in');
    const carl = await house.actor('service-admin', undefined, 'carl');
    const visitor = await signedIn('carl');
    await api('PATCH', `/api/v1/users/${carl.user.id}`, { role: 'viewer' });
    expect((await visitor.get(PAGE)).status).toBe(303);
  });
});

describe('a request', () => {
  test('is shown before it is sent, waits, and gives the certificate with its chain', async () => {
    const olga = await signedIn('olga');
    const { csr } = signingRequest({
      subject: '/CN=host.lab.example',
      names: 'DNS:host.lab.example,IP:10.10.0.9,email:a@lab.example',
      extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign'],
    });
    const der = Buffer.from(csr.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    const shown = await olga.post(NEW, NEW, { csr: '' }, new Blob([der]));
    expect([shown.status, shown.words]).toEqual([
      200,
      expect.stringMatching(/Asks for host\.lab\.example 10\.10\.0\.9/),
    ]);
    expect(shown.words).toMatch(/Not taken basic constraints, key usage, the e-mail address a@lab\.example/);
    expect(shown.text).not.toContain('<script');
    const page = await ask(olga, { csr, note: 'New host' });
    expect((await olga.get(page)).words).toMatch(/State Waits/);
    expect((await olga.get(PAGE)).words).toMatch(/host\.lab\.example Waits/);
    expect((await olga.get(`${page}/certificate`)).status).toBe(404);
    const id = page.split('/').at(-1);
    const approved = await api('POST', `/api/v1/certificate-authority/requests/${id}/approve`, {});
    expect(approved.status).toBe(201);
    expect((await olga.get(page)).words).toMatch(/State Approved.*Download with chain/);
    const file = await olga.get(`${page}/certificate?format=chain`);
    const [leaf, root] = file.text.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => new X509Certificate(pem));
    expect([leaf!.ca, leaf!.checkHost('host.lab.example'), leaf!.verify(root!.publicKey)]).toEqual([
      false,
      'host.lab.example',
      true,
    ]);
    expect(leaf!.subjectAltName).toBe('DNS:host.lab.example, IP Address:10.10.0.9');
  });

  test('that is refused says why', async () => {
    const olga = await signedIn('olga');
    const page = await ask(olga);
    await api('POST', `/api/v1/certificate-authority/requests/${page.split('/').at(-1)}/refuse`, {
      reason: 'Not ours',
    });
    expect((await olga.get(page)).words).toMatch(/State Refused.*Reason Not ours/);
  });

  test('of somebody else is unknown', async () => {
    const page = await ask(await signedIn('olga'));
    const boris = await signedIn('boris');
    const id = page.split('/').at(-1);
    await api('POST', `/api/v1/certificate-authority/requests/${id}/approve`, {});
    for (const path of [page, `${page}/certificate`, `${PAGE}/csr_none`]) {
      const shown = await boris.get(path);
      expect([path, shown.status, shown.words]).toEqual([path, 404, expect.not.stringMatching(/host\.lab/)]);
    }
    expect((await boris.get(PAGE)).words).toContain('You asked for no certificate yet.');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['nothing', { csr: '' }, /Expected a certificate signing request as PEM/],
    [
      'a private key',
      { csr: '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----' },
      /must not be sent to anybody/,
    ],
    ['too much', { csr: 'A'.repeat(32_769) }, /At most 32768 characters/],
    ['an authority', { profile: 'subordinate' }, /Choose one of: server, client, server-client, vmware/],
  ])('with %s is refused at its field', async (_what, fields, says) => {
    const boris = await signedIn('boris');
    const sent = await boris.post(PAGE, PAGE, { csr: plainRequest().csr, profile: 'server', note: 'kept', ...fields });
    expect([sent.status, sent.words]).toEqual([422, expect.stringMatching(says)]);
    if (fields.csr !== '') expect(sent.text).toContain('value="kept"');
  });

  test('for names that the profile does not allow is refused', async () => {
    await api('PATCH', '/api/v1/certificate-authority/profiles/client', { allowed_names: ['*.other.example'] });
    const boris = await signedIn('boris');
    const sent = await boris.post(PAGE, PAGE, { csr: plainRequest().csr, profile: 'client', note: '' });
    expect([sent.status, sent.words]).toEqual([422, expect.stringMatching(/not issued for host\.lab\.example/)]);
  });
});

test('an account has a few requests that wait, and a pace at which they are read', async () => {
  await house.actor('service-admin', undefined, 'dora');
  const dora = await signedIn('dora');
  for (let at = 0; at < OWN_WAITING_MOST; at++) await ask(dora);
  const more = await dora.post(PAGE, PAGE, { csr: plainRequest().csr, profile: 'server', note: '' });
  expect([more.status, more.words]).toEqual([409, expect.stringMatching(/20 of your requests wait for a decision/)]);
  let last = more;
  for (let at = 0; at < 12 && last.status !== 429; at++)
    last = await dora.post(NEW, NEW, { csr: plainRequest().csr }, new Blob([]));
  expect([last.status, last.words]).toEqual([429, expect.stringMatching(/many signing requests in a short time/)]);
  await ask(await signedIn('olga'));
});

test('nobody asks while another operation owns all changes, and a flood of foreign fields costs nothing', async () => {
  const { store } = house.services;
  const olga = await signedIn('olga');
  await store.write((tx) =>
    tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_other', '2026-01-01T00:00:00.000Z')"),
  );
  const locked = await olga.post(PAGE, PAGE, { csr: plainRequest().csr, profile: 'server', note: '' });
  expect(locked.status).toBe(423);
  await store.write((tx) => tx.run("DELETE FROM mutation_lock WHERE job_id = 'job_other'"));
  expect((await olga.send(PAGE, { csr: 'A'.repeat(70_000) })).status).toBe(413);
});

test('no password and no session is in the log, the audit log or a file of the data folder', async () => {
  const olga = await signedIn('olga');
  const id = olga.cookies.get('groundcrew_public')!;
  const audit = JSON.stringify(await house.services.store.all('SELECT * FROM audit_event'));
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name)));
  for (const secret of [PASSWORD, id]) {
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(audit).not.toContain(secret);
    expect(files.some((content) => content.includes(secret))).toBe(false);
  }
});
