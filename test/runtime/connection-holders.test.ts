// The lines of a holder's connections: those that are quiet, and those that are busy, each in the order in which they became so.
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { type Connection, ConnectionHolders } from '../../runtime/connection-holders.ts';
import { seeded } from '../setup/seeded.ts';

test.each([1, 2, 3])('whatever order connections come, run and go in (seed %p)', (seed) => {
  const random = seeded(seed);
  const holders = new ConnectionHolders();
  const lines: { quiet: Connection[]; busy: Connection[] } = { quiet: [], busy: [] };
  const without = (connection: Connection) => {
    for (const line of [lines.quiet, lines.busy])
      if (line.includes(connection)) line.splice(line.indexOf(connection), 1);
  };
  const gone: Connection[] = [];
  for (let step = 0; step < 3_000; step++) {
    const open = [...lines.quiet, ...lines.busy];
    const some = open[Math.floor(random() * open.length)];
    const kind = Math.floor(random() * 8);
    if (!some || (kind < 2 && open.length < 12)) lines.quiet.push(holders.add({} as Socket, '10.0.0.1'));
    else if (kind < 4) {
      const from = some.running > 0 ? lines.busy : lines.quiet;
      holders.run(some, 1);
      if (from === lines.quiet) {
        without(some);
        lines.busy.push(some);
      }
    } else if (kind < 7 && some.running > 0) {
      holders.run(some, -1);
      if (some.running === 0) {
        without(some);
        lines.quiet.push(some);
      }
    } else if (kind === 7) {
      expect(holders.remove(some)).toBe(true);
      without(some);
      gone.push(some);
    }
    // An answer that leaves when its connection is gone changes nothing, nor does going twice.
    const late = gone.at(-1);
    if (late) {
      holders.run(late, random() < 0.5 ? 1 : -1);
      expect(holders.remove(late)).toBe(false);
    }
    const holder = holders.of('10.0.0.1');
    expect([...(holder?.quiet ?? [])]).toEqual(lines.quiet);
    expect([...(holder?.busy ?? [])]).toEqual(lines.busy);
    expect(holder?.open ?? 0).toBe(lines.quiet.length + lines.busy.length);
  }
});
