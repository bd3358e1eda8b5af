// kill -9 of the service at each named step of an apply of the directory, with the real slapd, which goes on running: after the
// restart the edit is in force, whole, the tree tells of it, and nobody is another one to clients.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';

const STEPS = [
  'prepare',
  ...['stage', 'check', 'save', 'save:done', 'swap', 'swapping', 'swap:done', 'activate', 'activate:done'].map(
    (step) => `ldap:${step}`,
  ),
  ...['probe', 'probe:done', 'baseline', 'baseline:done'].map((step) => `ldap:${step}`),
];

let program: string;
let lab: Lab;
let data: string;
beforeAll(async () => {
  program = await bundleProgram('test/system/directory-kill-program.ts');
  lab = makeLab('killdir');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-kill-'));
}, 120_000);
afterAll(() => {
  lab?.remove();
  for (const folder of [data, program && join(program, '..')])
    if (folder) rmSync(folder, { recursive: true, force: true });
});

test(`an apply killed at each of ${STEPS.length} steps ends applied, and the tree tells of it`, async () => {
  for (const [life, step] of [...STEPS, 'never'].entries()) {
    const run = startProgram(program, [data, lab.appliance, step, String(life)]);
    const { lines, signal, stderr } = await run.ended;
    const [said] = lines.map((line) => JSON.parse(line));
    expect({ step, signal, stderr }).toEqual({ step, signal: step === 'never' ? null : 'SIGKILL', stderr: '' });
    if (life === 0) expect(said).toEqual({ founded: 'succeeded' });
    else
      expect({ died: STEPS[life - 1], ...said }).toEqual({
        died: STEPS[life - 1],
        life: String(life),
        job: 'succeeded',
        locks: [],
        applied: { yes: 1 },
        told: true,
        mail: [`life${life}@lab.test`],
        memberOf: [`cn=life-${life},ou=groups,dc=lab,dc=test`],
        uuid: ['00000000-0000-4000-8000-000000000001'],
        groups: [`life-${life}`],
        audit: true,
      });
  }
}, 900_000);
