// kill -9 at random moments of mutations: no acknowledged write is lost, none is half there, each effect has its audit row,
// and the database is whole. More kills only repeat; `npm run long` does a thousand.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleProgram, startProgram } from '../setup/program.ts';

const KILLS = Number(process.env.MUTATION_KILLS ?? 40);
const LANES = 2;
/** Milliseconds after the first mutation could begin. */
const MOMENT = { min: 2, max: 90 };

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/mutation-program.ts');
}, 120_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

const WHOLE = { lost: [], half: [], audit: { bulks: 0, tokens: 0, revisions: 0 }, integrity: 'ok', chain: null };

async function lane(kills: number): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-kill-'));
  const acknowledged = join(data, 'acknowledged');
  writeFileSync(acknowledged, '');
  let acks = 0;
  try {
    for (let life = 0; life <= kills; life++) {
      const run = startProgram(program, [data, acknowledged, String(life)], {
        onLine: (line) => {
          if (!line.startsWith('ready')) return;
          if (life === 0) writeFileSync(join(data, 'token'), line.slice('ready '.length));
          const moment = MOMENT.min + Math.random() * (MOMENT.max - MOMENT.min);
          setTimeout(() => run.child.kill('SIGKILL'), life === kills ? 0 : moment);
        },
      });
      const ended = await run.ended;
      expect({ life, signal: ended.signal, stderr: ended.stderr }).toEqual({ life, signal: 'SIGKILL', stderr: '' });
      const verdict = ended.lines.find((line) => line.startsWith('verdict '));
      if (life > 0) expect({ life, ...JSON.parse(verdict!.slice('verdict '.length)) }).toEqual({ life, ...WHOLE });
      const said = ended.lines.filter((line) => /^(revision|bulk|token) /.test(line));
      acks += said.length;
      if (said.length > 0) appendFileSync(acknowledged, `${said.join('\n')}\n`);
    }
    return acks;
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

test(`${KILLS} kills lose nothing that was acknowledged and leave nothing half done`, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => lane(KILLS / LANES)));
  const acks = lanes.reduce((sum, each) => sum + each, 0);
  process.stdout.write(`${KILLS} kills, ${acks} acknowledged mutations, none lost\n`);
  expect(acks).toBeGreaterThan(KILLS);
}, 900_000);
