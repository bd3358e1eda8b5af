// Packages that were read once: shared by whoever asks, for as long as the file is the same, and not without end.
import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { knownOva } from '../../../../shared/ground/ova/known-ova.ts';
import { ova } from './parts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-known-ova-'));
});
afterAll(() => rm(folder, { recursive: true }));

const named = (name: string, more = '') =>
  ova({
    ovf: (xml) =>
      xml.replace(/(<VirtualSystem [^>]*>)/, `$1<Name>${name}</Name>${more}`).replace(/<Name>box<\/Name>/, ''),
  });

async function put(file: string, bytes: Buffer): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, bytes);
  return path;
}

test('those who ask at the same time, and afterwards, get the same package', async () => {
  const path = await put('same.ova', named('one'));
  const [first, second] = await Promise.all([knownOva(path), knownOva(path)]);
  expect(second).toBe(first);
  expect(await knownOva(path)).toBe(first);
});

test('another file of the same name, length and time is read anew', async () => {
  const path = await put('place.ova', named('one'));
  const time = new Date(1_700_000_000_000);
  await utimes(path, time, time);
  const before = await knownOva(path);
  const other = await put('other.ova', named('two'));
  await utimes(other, time, time);
  await rename(other, path);
  const after = await knownOva(path);
  expect([before.descriptor.name, after.descriptor.name, after.size - before.size]).toEqual(['one', 'two', 0]);
});

test('what is wrong with the bytes is known too, that a file was not there is not', async () => {
  const path = join(folder, 'late.ova');
  await expect(knownOva(path)).rejects.toMatchObject({ fault: 'file_missing' });
  await put('late.ova', Buffer.from('no tar'));
  const [one, other] = await Promise.all([knownOva(path), knownOva(path)].map((each) => each.catch((error) => error)));
  expect(one).toMatchObject({ fault: 'archive_not_tar' });
  expect(other).toBe(one);
  await put('late.ova', named('sound'));
  expect((await knownOva(path)).descriptor.name).toBe('sound');
});

test('who leaves does not take it from those who wait', async () => {
  const path = await put('wait.ova', named('one'));
  const leaving = new AbortController();
  const [left, stays] = [knownOva(path, leaving.signal), knownOva(path)];
  leaving.abort(new Error('gone home'));
  await expect(left).rejects.toThrow('gone home');
  expect((await stays).descriptor.name).toBe('one');
  await expect(knownOva(path, leaving.signal)).rejects.toThrow('gone home');
});

test('of large descriptors only the last ones are kept', async () => {
  const long = `<AnnotationSection><Info/><Annotation>${'x'.repeat(1_900_000)}</Annotation></AnnotationSection>`;
  const paths = await Promise.all(Array.from({ length: 10 }, (_none, n) => put(`long${n}.ova`, named('long', long))));
  const first = await knownOva(paths[0]!);
  for (const path of paths.slice(1)) await knownOva(path);
  const last = await knownOva(paths[9]!);
  expect(await knownOva(paths[9]!)).toBe(last);
  expect(await knownOva(paths[0]!)).not.toBe(first);
});

test('eight that are as heavy as they may be, all asked for at once, let others in between', async () => {
  const texts = `<AnnotationSection><Info/>${`<b c="d">${'t'.repeat(110)}</b>`.repeat(9800)}</AnnotationSection>`;
  const paths = await Promise.all(Array.from({ length: 8 }, (_none, n) => put(`heavy${n}.ova`, named('heavy', texts))));
  // What this thread works from one turn to the next: how long that takes is also the business of others on the machine.
  const spent = () => process.threadCpuUsage().user / 1000;
  let longest = 0;
  let reading = true;
  const others = (async () => {
    for (let before = spent(); reading; before = spent()) {
      await new Promise((turn) => setImmediate(turn));
      longest = Math.max(longest, spent() - before);
    }
  })();
  await Promise.all(paths.map((path) => knownOva(path)));
  reading = false;
  await others;
  expect(longest).toBeLessThan(250);
});
