// Copies to a service that checks Signature Version 4 by itself, and what a lie or a refusal of it leaves there.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { objectUrl } from '../../../../../shared/appliance/archive/schedule/places/s3.ts';
import { S3Fake } from '../../../../fakes/s3.ts';
import { TARGETS, TargetScene } from './scene.ts';

const KEY = {
  access_key_id: 'AKIALAB',
  secret_access_key: 'C4nary/Secret+Access=Key',
  region: 'lab-1',
  bucket: 'copies',
};

let s3: S3Fake;
let scene: TargetScene;
let id: string;

beforeAll(async () => {
  s3 = await S3Fake.start(KEY);
  scene = await TargetScene.open();
  id = await scene.target({
    name: 's3',
    kind: 's3',
    ...KEY,
    endpoint: s3.endpoint,
    prefix: 'lab/gc 01',
    ca_certificate: s3.ca,
  });
});
afterAll(async () => {
  await scene.close();
  await s3.close();
});
beforeEach(() => {
  s3.trouble = null;
  s3.objects.clear();
  s3.heard.length = 0;
});

const tried = async () => (await scene.api('POST', `${TARGETS}/${id}/test`)).body;
const change = (body: object) => scene.api('PATCH', `${TARGETS}/${id}`, body);

test('a test writes, reads and removes', async () => {
  expect(await tried()).toEqual({ tested_at: expect.any(String) });
  expect(s3.heard.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'HEAD', 'DELETE']);
  expect(s3.heard.every((line) => line.includes(' /copies/lab/gc%2001/groundcrew-test-'))).toBe(true);
  expect(s3.objects.size).toBe(0);
});

test('a copy is put, read back and verified', async () => {
  const ran = await scene.run();
  expect([ran.state, ran.error]).toEqual(['succeeded', null]);
  const { archive, sha256 } = ran.result!;
  expect([...s3.objects.keys()]).toEqual([`lab/gc 01/${archive}`]);
  const [bytes] = [...s3.objects.values()];
  expect(createHash('sha256').update(bytes!).digest('hex')).toBe(sha256);
  expect(await scene.copies(id)).toMatchObject([{ name: archive, sha256 }]);
});

test.each([
  ['flips', 'is not what was sent. It was removed again.'],
  ['cuts', 'ended the connection before it had answered'],
  ['full', 'there is no room'],
] as const)('a service that %s: the copy is not verified, and nothing is left', async (trouble, said) => {
  const before = await scene.copies(id);
  s3.trouble = trouble;
  const ran = await scene.run();
  expect([ran.state, ran.error?.error_code]).toEqual(['failed', 'copies_unverified']);
  expect(ran.said).toContain(said);
  expect([await scene.copies(id), s3.objects.size]).toEqual([before, 0]);
});

test('another secret, another key, another bucket, another region', async () => {
  await change({ secret_access_key: 'of another key' });
  expect(await tried()).toMatchObject({ error_code: 'remote_login_refused' });
  await change({ secret_access_key: KEY.secret_access_key, access_key_id: 'AKIANOBODY' });
  expect(await tried()).toMatchObject({ error_code: 'remote_login_refused' });
  await change({ access_key_id: KEY.access_key_id, bucket: 'others' });
  expect((await tried()).detail).toContain('there is no such bucket');
  await change({ bucket: KEY.bucket, region: 'lab-2' });
  expect(await tried()).toMatchObject({ error_code: 'remote_login_refused' });
  await change({ region: KEY.region });
  expect(await tried()).toEqual({ tested_at: expect.any(String) });
});

test('a certificate of no known authority: nothing is sent', async () => {
  await change({ ca_certificate: '' });
  const refused = await tried();
  expect(refused.error_code).toBe('remote_answer_unusable');
  expect(refused.detail).toContain('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
  expect(s3.heard).toEqual([]);
  await change({ ca_certificate: s3.ca });
});

test('the bucket in the path, or before the host name', () => {
  const place = {
    ...KEY,
    endpoint: 'https://s3.lab.example:9000',
    prefix: 'a/b',
    path_style: true,
    ca_certificate: '',
  };
  expect(objectUrl(place, 'x y').href).toBe('https://s3.lab.example:9000/copies/a/b/x%20y');
  expect(objectUrl({ ...place, path_style: false, prefix: '' }, 'x').href).toBe('https://copies.s3.lab.example:9000/x');
});
