// The certificate authority in an archive: it signs on an appliance that was empty, and a root that stays forgets nothing of
// what it issued since.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { furnish } from '../../../setup/furnish.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { plainRequest } from '../../../setup/signing-request.ts';
import { ALL, bytesOf, ofSchema, restore, reworded } from './scene.ts';

const AUTHORITY = '/api/v1/certificate-authority';
const UNIT = [{ unit: 'certificate-authority' }];
const opened: House[] = [];

interface Side {
  house: House;
  admin: Credentials;
  call(method: string, path: string, body?: object): ReturnType<House['send']>;
}

async function another(): Promise<Side> {
  const house = await House.open();
  opened.push(house);
  const admin = await house.actor('admin', undefined, 'ada');
  const call: Side['call'] = (method, path, body) =>
    house.send(method, `${AUTHORITY}${path}`, { token: admin.token, ...(body && { body }) });
  return { house, admin, call };
}

async function withRoot(): Promise<Side> {
  const side = await another();
  await side.call('PATCH', '/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  expect((await side.call('POST', '/root')).status).toBe(201);
  return side;
}

const sign = async ({ call }: Side, profile = 'server'): Promise<string> => {
  const { status, body } = await call('POST', '/certificates', { csr: plainRequest().csr, profile });
  expect(status).toBe(201);
  return body.id;
};
const revoke = async ({ call }: Side, id: string, revocation_reason: string): Promise<void> => {
  expect((await call('POST', `/certificates/${id}/revoke`, { revocation_reason })).status).toBe(200);
};
const stateOf = async ({ call }: Side, id: string): Promise<unknown> =>
  (await call('GET', `/certificates/${id}`)).body.state;
const restoreTo = (side: Side, bytes: Buffer, choice = ALL) => restore(side.house, bytes, choice);

let first: Side;
let bytes: Buffer;
/** Revoked for good, on hold, valid; and a request that waits. */
let [revoked, held, valid, waiting] = ['', '', '', ''];

beforeAll(async () => {
  first = await another();
  await furnish(first.house, first.admin);
  [revoked, held, valid] = [await sign(first), await sign(first), await sign(first, 'vmware')];
  await revoke(first, revoked, 'keyCompromise');
  await revoke(first, held, 'certificateHold');
  const asked = await first.call('POST', '/requests', { csr: plainRequest().csr, profile: 'server', note: 'x' });
  waiting = asked.body.id;
  const patched = await first.call('PATCH', '/profiles/vmware', { allowed_names: ['*.lab.example', '10.0.0.0/8'] });
  expect(patched.status).toBe(200);
  expect((await first.call('POST', '/root/next')).status).toBe(201);
  bytes = await bytesOf(first.house, true);
});
afterAll(async () => {
  for (const each of opened) await each.close();
});

test('on an empty appliance it is the same authority: it signs, revokes and decides', async () => {
  const empty = await another();
  await restoreTo(empty, bytes);
  expect((await bytesOf(empty.house, true)).equals(bytes)).toBe(true);
  const of = async ({ call }: Side) => (await call('GET', '/root')).body.sha256;
  expect(await of(empty)).toBe(await of(first));
  expect(await Promise.all([revoked, held, valid].map((id) => stateOf(empty, id)))).toEqual([
    'revoked',
    'on_hold',
    'valid',
  ]);
  expect((await empty.call('GET', '/profiles/vmware')).body.allowed_names).toEqual(['*.lab.example', '10.0.0.0/8']);
  expect((await empty.call('GET', '/root/next')).status).toBe(200);
  expect((await empty.call('POST', `/requests/${waiting}/approve`, {})).status).toBe(201);
  const number = "SELECT crl_number FROM certificate_authority WHERE standing = 'signing'";
  const before = await first.house.services.store.one<{ crl_number: number }>(number);
  await revoke(empty, valid, 'superseded');
  const after = await empty.house.services.store.one<{ crl_number: number }>(number);
  expect(after!.crl_number).toBeGreaterThan(before!.crl_number);
});

describe('on the appliance that it is of', () => {
  test('what was revoked, released, issued and decided since stays so, and restoring twice differs in nothing', async () => {
    const side = await another();
    await restoreTo(side, bytes);
    const since = await sign(side);
    await revoke(side, valid, 'superseded');
    expect((await side.call('POST', `/certificates/${held}/release`)).status).toBe(200);
    const { body: approved } = await side.call('POST', `/requests/${waiting}/approve`, {});
    await side.call('PATCH', '/profiles/vmware', { allowed_names: [] });
    const lists = 'SELECT crl_number, crl_der FROM certificate_authority ORDER BY id';
    const before = await side.house.services.store.all(lists);
    const { differences } = await restoreTo(side, bytes);
    expect(differences.map(({ collection }) => collection)).toEqual(['certificate_profiles']);
    const states = await Promise.all([valid, held, since, approved.id].map((id) => stateOf(side, id)));
    expect(states).toEqual(['revoked', 'valid', 'valid', 'valid']);
    expect((await side.call('GET', `/requests/${waiting}`)).body.state).toBe('approved');
    expect((await side.call('GET', '/profiles/vmware')).body).toMatchObject({
      allowed_names: ['*.lab.example', '10.0.0.0/8'],
      revision: 4,
    });
    expect(await side.house.services.store.all(lists)).toEqual(before);
    expect((await restoreTo(side, bytes)).differences).toEqual([]);
  });

  test('a certificate that comes back revoked is in the revocation list at once', async () => {
    const side = await another();
    const { store } = side.house.services;
    await restoreTo(side, bytes);
    await revoke(side, valid, 'superseded');
    await store.write(async (tx) => {
      await tx.run('DELETE FROM issued_certificate WHERE id = ?', [revoked]);
    });
    const number = "SELECT crl_number FROM certificate_authority WHERE standing = 'signing'";
    const before = await store.one<{ crl_number: number }>(number);
    await restoreTo(side, bytes);
    expect(await stateOf(side, revoked)).toBe('revoked');
    expect((await store.one<{ crl_number: number }>(number))!.crl_number).toBe(before!.crl_number + 1);
  });
});

describe('on one with another root', () => {
  test('a merge is refused, since one root signs, and says so', async () => {
    const side = await withRoot();
    const before = await bytesOf(side.house, true);
    await expect(restoreTo(side, bytes, { mode: 'merge', units: UNIT })).rejects.toMatchObject({
      members: {
        blockers: [
          expect.objectContaining({
            subject: expect.stringMatching(/^Root certificates: /),
            reason: 'Another one is signing already.',
          }),
        ],
      },
    });
    expect((await bytesOf(side.house, true)).equals(before)).toBe(true);
  });

  test('a replacement takes its place, with what it issued', async () => {
    const side = await withRoot();
    const gone = await sign(side);
    await restoreTo(side, bytes, { mode: 'replace', units: UNIT });
    expect((await side.call('GET', `/certificates/${gone}`)).status).toBe(404);
    expect((await side.call('GET', '/root')).body.sha256).toBe((await first.call('GET', '/root')).body.sha256);
    expect(await side.house.services.store.all('PRAGMA foreign_key_check')).toEqual([]);
    await sign(side);
  });
});

test.each([
  ['names that no profile may have', '"10.0.0.0/8"', '"-not-a-name-"'],
  ['a profile that no appliance has', '"id":"vmware"', '"id":"everything"'],
])('%s are refused', async (_what, from, to) => {
  const wrong = await reworded(bytes, {
    member: 'desired/certificate_profile.jsonl',
    edit: (lines) => lines.replace(from, to),
  });
  const empty = await another();
  await expect(restoreTo(empty, wrong)).rejects.toThrow(/^Certificate profiles: /);
});

test('of an earlier release the newest root signs, whatever the order of the ids', async () => {
  const members = 'sealed/certificate_authority.jsonl';
  const root = (await first.call('GET', '/root')).body;
  // The next root is the newest one of the two.
  const older = await reworded(await ofSchema(bytes, 15), {
    member: members,
    edit: (lines) => {
      const rows = lines.split('\n').filter(Boolean);
      const dated = rows.map((line) =>
        line.includes(root.sha256) ? line.replace(/"created_at":"\d{4}/, '"created_at":"2039') : line,
      );
      return `${dated.join('\n')}\n`;
    },
  });
  const empty = await another();
  await restoreTo(empty, older);
  expect((await empty.call('GET', '/root')).body.sha256).toBe(root.sha256);
  const rows = await empty.house.services.store.all<{ standing: string }>(
    'SELECT standing FROM certificate_authority ORDER BY standing',
  );
  expect(rows.map(({ standing }) => standing)).toEqual(['former', 'signing']);
});
