// kill -9 while VCF Automation gets the directory, at each step: the next life says that the passwords are gone and what is
// there, comes to its end once they are typed again, does nothing twice, and nowhere is a password to be found.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { taskHref } from '../../shared/vcf/automation-ldap/task.ts';
import type { VcfAutomation } from '../fakes/vcf-automation.ts';
import { automationScene, PASSWORDS, SECRETS } from '../setup/automation-ldap-house.ts';
import { automation, OLD, serverOf } from '../setup/automation-ldap-scene.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { Walk } from '../setup/wizard-walk.ts';

jest.setTimeout(300_000);

const STEPS = [
  'login',
  'read',
  'trust',
  'trusting',
  'test',
  'write',
  'writing',
  'verify',
  'roles',
  'importing',
  'prove',
];
const ACCOUNT = { username: 'admin@acme', password: 'Account-canary-0815!' };

let program: string;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/automation-ldap-program.ts');
  const { house } = await automationScene();
  await house.close(true);
  folder = house.data;
}, 300_000);
afterAll(() => {
  rmSync(join(program, '..'), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

interface Life {
  fake: VcfAutomation;
  data: string;
  said: string;
  signal: string | null;
}

/** One life from the same beginning, which ends at a step; then `act` with the next. */
async function life(step: number, act: (life: Life) => Promise<void>): Promise<void> {
  const fake = await automation({ account: ACCOUNT, settings: OLD });
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-automation-kill-'));
  try {
    cpSync(folder, data, { recursive: true });
    const args = [data, `${step}`, serverOf(fake), ACCOUNT.username];
    const run = startProgram(program, args, { env: { FAKE_PASSWORD: ACCOUNT.password } });
    const { lines, stderr, signal } = await run.ended;
    await act({ fake, data, said: `${lines.join('\n')}\n${stderr}`, signal });
  } finally {
    await fake.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

function unread({ data, said }: Pick<Life, 'data' | 'said'>): void {
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(data, path)).isFile(),
  );
  const basic = Buffer.from(`${ACCOUNT.username}:${ACCOUNT.password}`).toString('base64');
  for (const secret of [
    ACCOUNT.password,
    basic,
    'fake-token-',
    OLD.definedSettings.password,
    ...Object.values(SECRETS),
  ]) {
    expect(said.includes(secret)).toBe(false);
    for (const path of files) expect([path, readFileSync(join(data, path)).includes(secret)]).toEqual([path, false]);
  }
}

test('not killed it comes to its end, by these steps', () =>
  life(0, async (whole) => {
    const steps = [...whole.said.matchAll(/^\d+ automation-ldap\.([\w-]+)$/gm)].map(([, name]) => name);
    expect([steps, whole.said.includes('done')]).toEqual([STEPS, true]);
    unread(whole);
  }));

test.each(STEPS.map((name, at) => [name, at + 1] as const))('killed at %s', (_name, step) =>
  life(step, async (killed) => {
    expect(killed.signal).toBe('SIGKILL');
    const { house, admin, api } = await automationScene({ data: killed.data });
    try {
      await house.appliance.runner.idle();
      const [row] = await house.services.store.all<{ id: string }>("SELECT id FROM job WHERE kind = 'automation-ldap'");
      const job = () => api('GET', `/api/v1/jobs/${row!.id}`);
      expect((await job()).error?.error_code).toBe('remote_credential_gone');
      const walk = await new Walk(house, admin).open(taskHref(row!.id));
      await walk.send('Continue', { ...ACCOUNT, ...PASSWORDS });
      await house.appliance.runner.idle();
      const { state, error } = await job();
      expect([state, error]).toEqual(['succeeded', null]);
      const { trusted, groups, settings } = killed.fake;
      expect([trusted.length, groups.length, settings.enabled]).toEqual([1, 1, true]);
      expect(await house.services.store.all("SELECT * FROM mutation_lock WHERE scope LIKE 'automation-%'")).toEqual([]);
    } finally {
      await house.close(true);
    }
    unread(killed);
  }),
);
