// kill -9 at random moments while Kickstarts are fetched: no capability ever gives its text twice, whichever life of the
// appliance is asked, and every text that left was consumed and audited.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleProgram, startProgram } from '../setup/program.ts';

/** The full figure is taken with BOOT_KILLS=100 BOOT_AT_ONCE=500. */
const KILLS = Number(process.env.BOOT_KILLS ?? 50);
const AT_ONCE = process.env.BOOT_AT_ONCE ?? '20';
/** Milliseconds from where the moment is counted. */
const MOMENT = { min: 5, max: 250 };

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/boot-program.ts');
}, 60_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

test(`${KILLS} kills while Kickstarts are fetched: each capability gives its text at most once`, async () => {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-boot-kill-'));
  const said = join(data, 'said');
  writeFileSync(said, '');
  const got = new Map<string, number>();
  const issued = new Set<string>();
  let last = { audited: 0, consumed: 0 };
  try {
    for (let life = 0; life <= KILLS; life++) {
      const run = startProgram(program, [data, said, String(life), AT_ONCE], {
        limit: 60_000,
        onLine: (line) => {
          const wait = life === 0 ? 400 : MOMENT.min + Math.random() * (MOMENT.max - MOMENT.min);
          // Every fourth life may end while what was given before is asked for again; the others while new ones are asked for.
          if (line.startsWith(life % 4 === 1 ? 'ready' : 'verdict')) setTimeout(() => run.child.kill('SIGKILL'), wait);
        },
      });
      const { signal, stderr, lines } = await run.ended;
      expect({ life, signal, stderr }).toEqual({ life, signal: 'SIGKILL', stderr: '' });
      for (const line of lines) {
        const [, word, path] = /^(issued|got) (\S+)$/.exec(line) ?? [];
        if (word === 'issued') issued.add(path!);
        if (word === 'got') got.set(path!, (got.get(path!) ?? 0) + 1);
        if (line.startsWith('verdict ')) last = { ...last, ...JSON.parse(line.slice('verdict '.length)) };
      }
      appendFileSync(said, `${lines.join('\n')}\n`);
      expect({ life, twice: [...got].filter(([, times]) => times > 1) }).toEqual({ life, twice: [] });
      // A consume and its audit row are one transaction.
      expect(last.consumed).toBe(last.audited);
    }
    process.stdout.write(`${KILLS} kills, ${issued.size} authorized boots, ${got.size} texts left, none twice\n`);
    expect(got.size).toBeGreaterThan(KILLS / 2);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}, 900_000);
