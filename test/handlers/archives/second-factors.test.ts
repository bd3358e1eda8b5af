// Second factors travel with their accounts in an encrypted archive: who signed in with an authenticator or a passkey does so on the
// appliance that starts from it. The secret of the authenticator is a canary: it is in nothing else.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newIdentity } from '../../../shared/ground/age/x25519.ts';
import { later, systemEntropy } from '../../../shared/ground/clock.ts';
import { addPasskey, createdPasskey, usePasskey } from '../../../shared/kernel/access/second-factor/passkey.ts';
import { takeFactors } from '../../../shared/kernel/access/second-factor/takeover.ts';
import { authenticatorCode, secretBytes } from '../../setup/authenticator.ts';
import { type Credentials, House, PASSWORD } from '../../setup/house.ts';
import { SoftwareKey } from '../../setup/software-key.ts';

const API = '/api/v1/archives';
const FACTORS = '/api/v1/account/second-factors';
const UI = '/ui/management';
const OWNER = newIdentity(systemEntropy);
const PARTY = { rp_id: 'gc01.lab.example', origin: 'https://gc01.lab.example' };
const lines: string[] = [];
const key = new SoftwareKey();

let now = new Date();
let former: House;
let admin: Credentials;
let secret = '';
let codes: string[] = [];
let files: Record<'whole' | 'plain', Buffer>;
const houses: House[] = [];

const open = async () => {
  const house = await House.open({
    ...{ accounts_travel: true, ticker: false },
    services: { clock: { now: () => now } },
    log: (line) => void lines.push(line),
  });
  houses.push(house);
  return house;
};

const challenged = () => ({ ...PARTY, challenge: systemEntropy.bytes(32).toString('base64url') });

beforeAll(async () => {
  former = await open();
  admin = await former.actor('admin', undefined, 'ada');
  const { token, user } = admin;
  const begun = await former.send('POST', `${FACTORS}/totp`, {
    token,
    body: { name: 'Phone', own_password: PASSWORD },
  });
  secret = begun.body.secret;
  const body = { code: authenticatorCode(secret, now) };
  const confirmed = await former.send('POST', `${FACTORS}/${begun.body.factor_id}/confirm`, { token, body });
  codes = confirmed.body.recovery_codes;
  // Another one that is never confirmed.
  await former.send('POST', `${FACTORS}/totp`, { token, body: { name: 'Never', own_password: PASSWORD } });
  const asked = { id: 'unused', name: 'Key', ...challenged() };
  const made = (await createdPasskey(asked, key.create(asked), 'preferred'))!;
  await former.services.store.write((tx) => addPasskey(tx, former.services, user.id, asked, made));
  const file = async (sent: object) => {
    const { body: archive } = await former.send('POST', API, { token, body: sent });
    return readFile(join(former.data, 'archives', `${archive.id}.gcarchive`));
  };
  files = {
    whole: await file({ encryption: 'recipients', recipients: [OWNER.recipient] }),
    plain: await file({ encryption: 'none' }),
  };
  now = later(now, 90);
}, 120_000);
afterAll(async () => {
  for (const house of houses) await house.close();
});

/** What the secret would look like. */
const looks = () => [secret, secretBytes(secret).toString('base64'), secretBytes(secret).toString('hex')];

const start = async (file: Buffer) => {
  const house = await open();
  const session = await house.actor('admin', undefined, 'first');
  const form = { identity: OWNER.identity, own_password: PASSWORD, file: file.toString('base64') };
  const heard = await house.send('POST', `${UI}/first-start`, { session, form });
  return { house, heard };
};

describe('an appliance that starts from it', () => {
  let house: House;
  beforeAll(async () => {
    const started = await start(files.whole);
    expect([started.heard.status, started.heard.text]).toEqual([303, '']);
    house = started.house;
  });

  /** Status and whether there is a session after the second step. */
  async function signIn(code: string): Promise<[number, boolean]> {
    const form = { username: 'ada', password: PASSWORD };
    const first = await house.send('POST', `${UI}/sign-in`, { form, headers: { accept: 'text/html' } });
    const step = first.cookies.find((cookie) => cookie.startsWith('groundcrew_step='))!.split(';')[0]!;
    expect(first.cookies.some((cookie) => cookie.startsWith('groundcrew_session='))).toBe(false);
    const second = await house.send('POST', `${UI}/sign-in/second-factor`, {
      session: { cookie: step, csrf: '' },
      form: { code },
      headers: { origin: undefined as never },
    });
    return [second.status, second.cookies.some((cookie) => /^groundcrew_session=[\w-]{43}/.test(cookie))];
  }

  test('asks for the code of the same authenticator, takes it once, and takes no recovery code of the former one', async () => {
    expect(await signIn('000000')).toEqual([422, false]);
    const code = authenticatorCode(secret, now);
    expect(await signIn(code)).toEqual([303, true]);
    expect(await signIn(code)).toEqual([422, false]);
    expect(await signIn(codes[0]!)).toEqual([422, false]);
  });

  test('takes the same passkey, and not a copy of it that counted less', async () => {
    const { store } = house.services;
    const use = (asked = challenged()) =>
      store.write((tx) => usePasskey(tx, { user_id: admin.user.id, ...asked }, key.use(asked), 'preferred', now));
    expect(await use()).toBe(true);
    // The copy was made before that use.
    key.count -= 1;
    expect(await use()).toBe(false);
    key.count += 1;
    expect(await use()).toBe(true);
  });

  test('has sealed the secret anew, and nothing of what was never confirmed', async () => {
    const rows = (of: House) =>
      of.services.store.all<{ name: string; sealed_value: string }>(
        'SELECT name, kek_id, sealed_key, sealed_value FROM second_factor ORDER BY name',
      );
    const [here, there] = [await rows(house), await rows(former)];
    expect(here.map(({ name }) => name)).toEqual(['Key', 'Phone']);
    const [mine, theirs] = [here, there].map((all) => all.find(({ name }) => name === 'Phone'));
    expect(mine!.sealed_value).not.toBe(theirs!.sealed_value);
    const events = await house.services.store.all("SELECT detail FROM audit_event WHERE action = 'archive.restore'");
    expect(JSON.stringify(events)).toContain('\\"second_factors\\":2');
    for (const canary of looks()) expect(JSON.stringify([here, events])).not.toContain(canary);
  });
});

test('the secret is in no plain archive, in the encrypted one only as ciphertext, and in no log', async () => {
  for (const canary of looks())
    for (const where of [files.plain, files.whole]) expect(where.includes(canary)).toBe(false);
  expect(files.plain.includes('second_factor')).toBe(false);
  // What a plain one has not, it says.
  expect(files.plain.includes('"Second factors"')).toBe(true);
  for (const canary of looks()) expect(lines.filter((line) => line.includes(canary))).toEqual([]);
  const { house, heard } = await start(files.plain);
  expect(heard.status).toBe(303);
  expect(await house.services.store.all('SELECT id FROM second_factor')).toEqual([]);
});

test.each<[what: string, change: object]>([
  ['a secret of another length', { secret: Buffer.from('C4nary').toString('base64') }],
  ['no secret', { secret: null }],
  ['another kind', { kind: 'sms' }],
  ['a passkey with a secret', { kind: 'passkey' }],
  ['too many of one user', { many: true }],
])('refused, without saying it: %s', async (_what, change) => {
  const house = await open();
  const { user } = await house.actor('admin', undefined, 'bob');
  const at = now.toISOString();
  const good = {
    ...{
      id: 'factor_a',
      user_id: user.id,
      kind: 'totp',
      name: 'Phone',
      secret: secretBytes(secret).toString('base64'),
    },
    ...{ credential_id: null, public_key: null, sign_count: null, rp_id: null, transports: [], last_step: null },
    ...{ created_at: at, confirmed_at: at, last_used_at: null },
  };
  const take = (rows: Record<string, unknown>[]) =>
    house.services.store.write((tx) => takeFactors(tx, house.services, rows));
  const rows =
    'many' in change
      ? Array.from({ length: 11 }, (_, n) => ({ ...good, id: `factor_${n}` }))
      : [{ ...good, ...change }];
  const refused = await take(rows).catch((error: Error) => error);
  expect(refused).toMatchObject({ code: 'state_conflict' });
  expect(String((refused as Error).stack)).not.toContain('C4nary');
  expect(await house.services.store.all('SELECT id FROM second_factor')).toEqual([]);
  expect(await take([good])).toBe(1);
});
