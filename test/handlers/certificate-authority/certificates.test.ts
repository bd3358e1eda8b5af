// The certificate authority over the API and on its page: who may do what, what is answered, and that no private key ever
// is.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureServerCertificate } from '../../../shared/platform/certificate-authority/issue.ts';
import { type Credentials, House, type Send } from '../../setup/house.ts';

const AUTHORITY = '/api/v1/certificate-authority';
const PAGE = '/ui/management/certificate-authority';
const NAMES = ['depot.lab.example', '10.10.0.5'];

let house: House;
let admin: Credentials;
let viewer: Credentials;
const lines: string[] = [];
/** Of every certificate that was issued to a server here. */
const keys: string[] = [];

beforeAll(async () => {
  house = await House.open({ log: (line) => void lines.push(line) });
  admin = await house.actor('admin', undefined, 'ada');
  viewer = await house.actor('viewer');
});
afterAll(() => house.close());

const call = (method: string, path: string, send: Send = {}) =>
  house.send(method, `${AUTHORITY}${path}`, { token: admin.token, ...send });
const page = (path = '', who = admin) => house.send('GET', `${PAGE}${path}`, { session: who });
const words = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const ensure = async () => {
  const made = await ensureServerCertificate(house.services, { purpose: 'private-cloud-services', names: NAMES });
  keys.push(made.key_pem);
  return made;
};

describe('before there is a root', () => {
  test('nothing is found, nothing is listed, and the page says what would be made, and that custody comes with it', async () => {
    expect((await call('GET', '/root')).body).toMatchObject({ status: 404, error_code: 'resource_not_found' });
    expect((await call('GET', '/root/certificate')).status).toBe(404);
    expect((await call('GET', '/certificates')).body).toEqual({ items: [], next_cursor: null });
    const shown = await page();
    expect(words(shown.text)).toMatch(/There is none yet.*Groundcrew Root CA.*RSA 3072.*3650 days/);
    expect(words(shown.text)).toContain('Make the root certificate and switch custody on');
    expect(shown.text).not.toMatch(/ style=/);
    expect((await page('/root.pem')).status).toBe(404);
  });

  test('with custody off none is made over the API', async () => {
    const before = await house.lastAudit();
    expect((await call('POST', '/root')).body).toMatchObject({ status: 409, error_code: 'state_conflict' });
    expect(await house.audited(before)).toEqual([]);
  });

  test('the settings say what takes effect at once, and what waits for an apply', async () => {
    const shown = words((await page('/settings')).text);
    expect(shown).toContain('The portal takes effect when you apply it; all else immediately.');
    expect(shown).not.toContain('not enforced');
    const saved = await house.send('PATCH', `${AUTHORITY}/settings`, {
      token: admin.token,
      body: { enabled: true, organization: 'Lab <GmbH>', key_algorithm: 'ecdsa-p256' },
    });
    expect(saved.status).toBe(200);
    expect(words((await page('/settings')).text)).toMatch(/State In force Listen/);
    // Custody alone gives an apply nothing to do; a portal does.
    const portal = await house.send('PATCH', `${AUTHORITY}/settings`, {
      token: admin.token,
      body: { listen_interfaces: ['ens192'] },
    });
    expect(portal.status).toBe(200);
    expect(words((await page('/settings')).text)).toMatch(/State Pending Listen/);
    await house.send('PATCH', `${AUTHORITY}/settings`, { token: admin.token, body: { listen_interfaces: [] } });
    expect(words((await page('/settings')).text)).toMatch(/State In force Listen/);
  });
});

describe('the root', () => {
  test('is refused to who may only read', async () => {
    expect((await call('POST', '/root', { token: viewer.token })).status).toBe(403);
    expect((await house.send('POST', PAGE, { session: viewer, form: {} })).status).toBe(403);
    expect((await house.send('POST', PAGE, { session: { ...admin, csrf: 'forged' }, form: {} })).status).toBe(403);
    expect(words((await page('', viewer)).text)).toContain('Your role may only read the certificate authority.');
  });

  test('is made once by the button, recorded, and shown', async () => {
    const before = await house.lastAudit();
    const posted = await house.send('POST', PAGE, { session: admin, form: {} });
    expect([posted.status, posted.headers.location]).toEqual([303, PAGE]);
    expect(await house.audited(before)).toEqual(['certificate.root.create']);
    const again = await call('POST', '/root');
    expect(again.body).toMatchObject({ status: 409, error_code: 'already_exists' });
    const { body } = await call('GET', '/root', { token: viewer.token });
    expect(body).toMatchObject({
      subject: String.raw`O=Lab \<GmbH\>, CN=Groundcrew Root CA`,
      created_by: 'ada',
      state: 'valid',
    });
    expect(new X509Certificate(body.pem).fingerprint256).toBe(body.sha256);
    const shown = (await page('', viewer)).text;
    for (const fact of [
      body.sha256,
      body.serial_number,
      String.raw`O=Lab \&lt;GmbH\>, CN=Groundcrew Root CA`,
      body.pem.trim(),
    ])
      expect(shown).toContain(fact);
    expect(shown).not.toMatch(/ style=|Make a new root/);
  });

  test('is downloaded as one PEM file, by programs and browsers', async () => {
    const { pem } = (await call('GET', '/root')).body;
    for (const file of [
      await call('GET', '/root/certificate', { token: viewer.token }),
      await page('/root.pem', viewer),
    ]) {
      expect([file.status, file.text]).toEqual([200, pem]);
      expect(file.headers).toMatchObject({
        'content-type': 'application/x-pem-file',
        'content-disposition': 'attachment; filename="groundcrew-root-ca.pem"',
      });
    }
  });
});

describe('issued certificates', () => {
  test('are listed newest first with what is known of them, and found by their id', async () => {
    const made = await ensure();
    const { body } = await call('GET', '/certificates', { token: viewer.token });
    expect(body.items).toEqual([
      expect.objectContaining({
        purpose: 'private-cloud-services',
        names: NAMES,
        sha256: made.sha256,
        replaced_at: null,
        key_algorithm: 'rsa-2048',
        created_by: 'certificate-authority',
      }),
    ]);
    const [{ id }] = body.items;
    expect((await call('GET', `/certificates/${id}`)).body).toMatchObject({
      id,
      pem: made.cert_pem.split(/(?<=-\n)(?=-)/)[0],
    });
    expect((await call('GET', '/certificates/nobody')).status).toBe(404);
    expect(words((await page()).text)).toMatch(/Offline depot depot\.lab\.example 10\.10\.0\.5 .*Valid/);
  });

  test('one is issued anew when it is asked for, and the one before is replaced', async () => {
    const [old] = (await call('GET', '/certificates')).body.items;
    const before = await house.lastAudit();
    const renewed = await call('POST', `/certificates/${old.id}/renew`);
    expect([renewed.status, renewed.headers.location]).toEqual([201, `${AUTHORITY}/certificates/${renewed.body.id}`]);
    expect(renewed.body).toMatchObject({
      names: NAMES,
      purpose: old.purpose,
      created_by: 'ada (token test)',
      replaced_at: null,
    });
    expect(renewed.body.sha256).not.toBe(old.sha256);
    expect(await house.audited(before)).toEqual(['certificate.issue']);
    expect((await call('POST', `/certificates/${old.id}/renew`)).body).toMatchObject({ error_code: 'state_conflict' });
    expect((await call('POST', '/certificates/nobody/renew')).status).toBe(404);
    expect((await call('POST', `/certificates/${renewed.body.id}/renew`, { token: viewer.token })).status).toBe(403);
    expect(await ensure()).toMatchObject({ sha256: renewed.body.sha256, issued: false });
    const form = await house.send('POST', `${PAGE}/certificates/${renewed.body.id}/renew`, {
      session: admin,
      form: {},
    });
    expect([form.status, form.headers.location]).toEqual([303, PAGE]);
    const shown = (await page()).text;
    expect(shown.match(/Reissue/g)).toHaveLength(2);
    expect(words(shown)).toMatch(/Valid.*Replaced.*Replaced/);
    const filtered = await call('GET', '/certificates?limit=1&purpose=private-cloud-services');
    expect([filtered.body.items.length, typeof filtered.body.next_cursor]).toEqual([1, 'string']);
    const rest = await call('GET', `/certificates?cursor=${filtered.body.next_cursor}`);
    expect(rest.body.items.map(({ id }: { id: string }) => id)).toEqual([renewed.body.id, old.id]);
    expect((await call('GET', '/certificates?cursor=x')).status).toBe(400);
  });

  test('a forged or double request to issue anew changes nothing', async () => {
    const [{ id }] = (await call('GET', '/certificates')).body.items;
    const both = await Promise.all([1, 2].map(() => call('POST', `/certificates/${id}/renew`)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const forged = { session: { ...admin, csrf: 'forged' }, form: {} };
    expect((await house.send('POST', `${PAGE}/certificates/${id}/renew`, forged)).status).toBe(403);
  });
});

test('the page says when the root’s key is lost, and offers another root', async () => {
  const { store } = house.services;
  const [kept] = await store.all<{ sealed_value: string }>('SELECT sealed_value FROM certificate_authority');
  await store.write((tx) => tx.run("UPDATE certificate_authority SET sealed_value = 'vv1.AAAA'"));
  expect((await call('GET', '/root')).body.state).toBe('unusable');
  const shown = words((await page()).text);
  expect(shown).toContain('Its private key can’t be opened');
  expect(shown).toContain('Make a new root certificate');
  const refused = await call('POST', `/certificates/${(await call('GET', '/certificates')).body.items[0].id}/renew`);
  expect(refused.body).toMatchObject({ status: 409, error_code: 'certificate_authority_missing' });
  await store.write((tx) => tx.run('UPDATE certificate_authority SET sealed_value = ?', [kept!.sealed_value]));
  expect((await call('GET', '/root')).body.state).toBe('valid');
});

test('no private key is in an answer, a page, the log, the audit log or a file of the data folder', async () => {
  await ensure();
  const files = readdirSync(house.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  const heard = house.heard.map(({ answer }) => JSON.stringify(answer));
  const seen = [...files, ...heard, ...lines].join('\n');
  expect(seen).not.toMatch(/PRIVATE KEY/);
  for (const pem of keys) {
    const jwk = createPrivateKey(pem).export({ format: 'jwk' });
    for (const part of [pem.split('\n')[3]!, jwk.d!.slice(0, 60), Buffer.from(jwk.d!, 'base64url').toString('latin1')])
      expect(seen).not.toContain(part);
  }
});
