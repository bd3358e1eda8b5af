// kill -9 of the service at each step of a deployment. Whatever was open at the target is ended by the next life, or told
// truthfully; a machine that may be somebody else's is never touched, and one that is complete is gone on with.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NAME, typedFor } from '../deployment/deploy-request.ts';
import { bootingAppliance, inventoryOf, trustedIn } from '../deployment/deploy-scene.ts';
import { startVsphere, type Vsphere } from '../fakes/vsphere.ts';
import { sddcManagerAnswers } from '../setup/make-ova.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import type { Told } from './deploy-program.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/deploy-program.ts');
}, 60_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

interface Stands {
  state: string;
  error: { code: string; detail: string } | null;
  log: string[];
}

interface Life {
  steps: string[];
  /** At the end of the first run of this life; null when it was killed before. */
  job: Stands | null;
  asked: string[] | null;
  /** After what was asked was typed. */
  again: Stands | null;
}

async function live(data: string, life: number, fatal: number, told: Told): Promise<Life> {
  const run = startProgram(program, [data, String(life), String(fatal)], {
    limit: 60_000,
    env: { DEPLOYMENT: JSON.stringify(told) },
  });
  const { lines, signal, stderr } = await run.ended;
  if (signal !== (fatal > 0 ? 'SIGKILL' : null))
    throw new Error(`${signal} ${lines.join('\n')} ${stderr.slice(-3000)}`);
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const json = (word: string) => (of(word)[0] === undefined ? null : JSON.parse(of(word)[0]!));
  return { steps: of('step'), job: json('job'), asked: json('asked'), again: json('again') };
}

interface Scene {
  vsphere: Vsphere;
  told: Told;
  data: string;
}

async function inScene(mode: 'vc' | 'esx', work: (scene: Scene) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-deploy-kill-'));
  const appliance = await bootingAppliance();
  const boot = async () => {
    await appliance.nextPhase();
    return undefined;
  };
  const vsphere = await startVsphere({ mode, boot, lease_timeout: 2 });
  try {
    const typed = typedFor(await inventoryOf(vsphere));
    const { account } = vsphere;
    await work({ vsphere, data, told: { target: trustedIn(vsphere), account, typed, appliance_port: appliance.port } });
    const { LOCAL_USER_PASSWORD, ROOT_PASSWORD } = sddcManagerAnswers();
    const database = readFileSync(join(data, 'groundcrew.sqlite'));
    for (const secret of [LOCAL_USER_PASSWORD!, ROOT_PASSWORD!, ...vsphere.secrets()]) {
      expect(database.includes(Buffer.from(secret))).toBe(false);
    }
  } finally {
    await Promise.all([vsphere.stop(), appliance.stop()]);
    rmSync(data, { recursive: true, force: true });
  }
}

const BEFORE_MACHINE = ['username', 'password', 'property:ROOT_PASSWORD', 'property:LOCAL_USER_PASSWORD'];
const LOGIN = ['username', 'password'];

/** Step, what the next life asks for (null: nothing, it comes to its end), and how it ends after that. */
const STEPS: Record<'vc' | 'esx', [name: string, asked: string[] | null, end: string][]> = {
  vc: [
    ['verify', BEFORE_MACHINE, 'succeeded'],
    ['verified', BEFORE_MACHINE, 'succeeded'],
    ['spec', BEFORE_MACHINE, 'succeeded'],
    ['lease', BEFORE_MACHINE, 'succeeded'],
    ['importing', BEFORE_MACHINE, 'succeeded'],
    ['imported', BEFORE_MACHINE, 'succeeded'],
    ['leased', BEFORE_MACHINE, 'succeeded'],
    ['upload', BEFORE_MACHINE, 'succeeded'],
    ['sent', BEFORE_MACHINE, 'succeeded'],
    ['complete', BEFORE_MACHINE, 'succeeded'],
    ['completing', BEFORE_MACHINE, 'succeeded'],
    ['completed', BEFORE_MACHINE, 'succeeded'],
    ['power-on', LOGIN, 'succeeded'],
    ['powered', LOGIN, 'succeeded'],
    ['wait', null, 'succeeded'],
    ['ready', null, 'succeeded'],
  ],
  esx: [
    ['leased', BEFORE_MACHINE, 'succeeded'],
    ['completed', BEFORE_MACHINE, 'succeeded'],
    ['environment', BEFORE_MACHINE, 'succeeded'],
    ['environment-set', BEFORE_MACHINE, 'succeeded'],
    ['powered', LOGIN, 'succeeded'],
    ['wait', LOGIN, 'succeeded'],
    ['clear', LOGIN, 'succeeded'],
  ],
};

describe.each(['vc', 'esx'] as const)('%s', (mode) => {
  test.each(STEPS[mode])(
    'killed at %s',
    async (name, asked, end) => {
      await inScene(mode, async ({ vsphere, data, told }) => {
        const fatal = ORDER[mode].indexOf(name) + 1;
        const { steps } = await live(data, 1, fatal, told);
        expect(steps.at(-1)).toBe(`deploy.${name}`);
        const open = vsphere.leases.filter(({ state }) => state === 'ready' || state === 'initializing').length;
        const next = await live(data, 2, 0, told);
        if (asked === null) expect(next).toMatchObject({ job: { state: 'succeeded', error: null }, asked: null });
        else {
          expect(next.job).toMatchObject({ state: 'failed', error: { code: 'remote_credential_gone' } });
          // What may still be open was told before anybody typed anything.
          if (open > 0) expect(next.job!.error!.detail).toMatch(/may still be open on 127\.0\.0\.1/);
          expect(next.asked).toEqual(asked);
          const { state, error } = next.again!;
          expect(error?.code ?? state).toBe(end);
          if (error) expect(error.detail).toContain(`there is a virtual machine named ${NAME}`);
        }
        expect(await vsphere.machines()).toContain(NAME);
        // Each lease but that of the machine was ended or ran out, and took its machine along.
        const kept = vsphere.leases.filter(({ removed }) => !removed).map(({ state }) => state);
        expect(kept).toEqual(['done']);
        const gaps = vsphere.leases.flatMap(({ progress }) =>
          progress.slice(1).map(({ at }, n) => at - progress[n]!.at),
        );
        expect(Math.max(0, ...gaps)).toBeLessThan(10_000);
        if (mode === 'esx') expect(await vsphere.extraConfig(NAME, 'guestinfo.ovfEnv')).toBeFalsy();
      });
    },
    90_000,
  );
});

/** All steps of a deployment with one disk, in order. */
const ORDER = {
  vc: [
    ...['verify', 'verified', 'spec', 'lease', 'importing', 'imported', 'leased', 'upload', 'sent', 'complete'],
    ...['completing', 'completed', 'power-on', 'powered', 'wait', 'ready'],
  ],
  esx: [
    ...['verify', 'verified', 'spec', 'lease', 'importing', 'imported', 'leased', 'upload', 'sent', 'complete'],
    ...['completing', 'completed', 'environment', 'environment-set', 'power-on', 'powered', 'wait', 'ready', 'clear'],
  ],
} as Record<'vc' | 'esx', string[]>;
