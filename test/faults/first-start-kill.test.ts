// A first start that is killed between any two of its steps: the next one goes through, once, and leaves nothing half made.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundleProgram, startProgram } from '../setup/program.ts';

let program: string;
let data: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/first-start-program.ts');
}, 300_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), 'groundcrew-first-')), 'data');
});
afterEach(() => rmSync(join(data, '..'), { recursive: true, force: true }));

const start = (step = '') => startProgram(program, [data, step]).ended;
const FILES = ['groundcrew.keys', 'groundcrew.sqlite', 'vault.keys'];

// `shown`: the password is on the console, and its user is not there for good. The next start shows another one.
test.each(['made', 'unnamed', 'keys', 'named', 'shown'])('killed once it has come to %s', async (step) => {
  expect(await start(step)).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  const next = await start();
  expect(next).toMatchObject({ code: 0, stderr: '', lines: [expect.stringMatching(/^first /)] });
  const again = await start();
  expect(again).toMatchObject({ code: 0, lines: [next.lines[0]!.replace('first', 'known')] });
  expect(readdirSync(data).sort()).toEqual(FILES);
  for (const name of FILES) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
});

test('two of them at once have the same keys, and one makes the first user', async () => {
  const both = await Promise.all([start(), start()]);
  const said = both.map(({ lines }) => lines[0]!.split(' '));
  expect(said.map(([word]) => word).sort()).toEqual(['first', 'known']);
  expect(said[0]![1]).toBe(said[1]![1]);
  expect((await start()).lines).toEqual([`known ${said[0]![1]}`]);
});
