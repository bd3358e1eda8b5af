// kill -9 at random moments while Kickstarts are fetched: no capability ever gives its text twice, whichever life of the
// appliance is asked, and every text that left was consumed and audited.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleProgram, startProgram } from '../setup/program.ts';

/** `npm run long` kills a hundred times. */
const KILLS = Number(process.env.BOOT_KILLS ?? 12);
const AT_ONCE = process.env.BOOT_AT_ONCE ?? '20';
/** Milliseconds from where the moment is counted. More that ask at once need more time to be answered. */
const MOMENT = { min: 5, max: 230 + Number(AT_ONCE) };

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/boot-program.ts');
}, 300_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

test(`${KILLS} kills while Kickstarts are fetched: each capability gives its text at most once`, async () => {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-boot-kill-'));
  const said = join(data, 'said');
  writeFileSync(said, '');
  const got = new Map<string, number>();
  /** Path of the Kickstart to the attempt's id. */
  const issued = new Map<string, string>();
  /** The last life that said its verdict. */
  let judged = -1;
  try {
    for (let life = 0; life <= KILLS; life++) {
      // The last one ends by itself, once it has asked for everything again.
      const lasts = life === KILLS;
      const run = startProgram(program, [data, said, String(life), lasts ? '0' : AT_ONCE], {
        onLine: (line) => {
          if (lasts) return;
          const wait = life === 0 ? 400 : MOMENT.min + Math.random() * (MOMENT.max - MOMENT.min);
          // Every fourth life may end while what was given before is asked for again; the others while new ones are asked for.
          if (line.startsWith(life % 4 === 1 ? 'ready' : 'verdict')) setTimeout(() => run.child.kill('SIGKILL'), wait);
        },
      });
      const { signal, stderr, lines } = await run.ended;
      expect({ life, signal, stderr }).toEqual({ life, signal: lasts ? null : 'SIGKILL', stderr: '' });
      for (const line of lines) {
        const [word, path = '', id = ''] = line.split(' ');
        if (word === 'issued') issued.set(path, id);
        if (word === 'got') got.set(path, (got.get(path) ?? 0) + 1);
        if (word !== 'verdict') continue;
        const { audited, consumed } = JSON.parse(path);
        // A consume and its audit row are one transaction, and no text leaves before it is committed.
        expect({ life, audited }).toEqual({ life, audited: consumed });
        const without = [...got.keys()].filter((each) => !consumed.includes(issued.get(each)));
        expect({ life, without }).toEqual({ life, without: [] });
        judged = life;
      }
      appendFileSync(said, `${lines.join('\n')}\n`);
      expect({ life, twice: [...got].filter(([, times]) => times > 1) }).toEqual({ life, twice: [] });
    }
    expect(judged).toBe(KILLS);
    process.stdout.write(`${KILLS} kills, ${issued.size} authorized boots, ${got.size} texts left, none twice\n`);
    expect(got.size).toBeGreaterThan(KILLS / 2);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}, 900_000);
