// The ticker keeps to an injected clock; last uses are written behind.
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled as pruneApplyFiles } from '../../handlers/scheduled/prune-apply-files.ts';
import { Ticker } from '../../runtime/ticker.ts';
import { later } from '../../shared/ground/clock.ts';
import { defineScheduled } from '../../shared/kernel/operation/define-scheduled.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { saveBaseline } from '../../shared/platform/applied/baseline.ts';
import { House } from '../setup/house.ts';

let house: House;
let services: Services;
beforeEach(async () => {
  house = await House.open();
  services = house.services;
});
afterEach(() => house.close());

describe('the clock', () => {
  test('calls each scheduled handler when its time has come, one call at a time', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const calls: string[] = [];
    const slow = Promise.withResolvers<void>();
    const scheduled = [
      defineScheduled({
        id: 'often',
        every: 2,
        description: '',
        run: async (_services, event) => void calls.push(`often ${event.time.slice(17, 19)}`),
      }),
      defineScheduled({
        id: 'slow',
        every: 1,
        description: '',
        run: () => {
          calls.push('slow');
          return slow.promise;
        },
      }),
      defineScheduled({ id: 'broken', every: 60, description: '', run: async () => Promise.reject(new Error('no')) }),
    ];
    const ticker = new Ticker({ ...services, clock: { now: () => now } }, scheduled);
    for (let second = 0; second < 5; second++) {
      ticker.tick();
      await new Promise((done) => setImmediate(done));
      now = later(now, 1);
    }
    expect(calls).toEqual(['often 00', 'slow', 'often 02', 'often 04']);
    // A clock that is set back by hours, as a first time source does, stops nothing for as long.
    now = later(now, -3 * 3600 + 2);
    ticker.tick();
    await new Promise((done) => setImmediate(done));
    expect(calls.slice(4)).toEqual(['often 07']);
    slow.resolve();
    await ticker.stop();
  });

  test('a credential’s last use is written once a minute, behind the request', async () => {
    const admin = await house.actor('admin');
    const used = async () =>
      (await services.store.one<{ at: string | null }>('SELECT last_used_at AS at FROM api_token WHERE id = ?', [
        admin.token_id,
      ]))!.at;
    await house.send('GET', '/api/v1/jobs', { token: admin.token });
    expect(await used()).toBeNull();
    await services.lastUse.flush(services.store);
    const first = await used();
    expect(first).not.toBeNull();
    await house.send('GET', '/api/v1/jobs', { token: admin.token });
    await services.lastUse.flush(services.store);
    expect(await used()).toBe(first);
  });

  test('baselines that nothing refers to are removed a day later, the one in force stays', async () => {
    const { data } = house;
    const facts = (n: number) => new Map([['setting', n]]);
    const [old, current] = [await saveBaseline(data, facts(1), [], null), await saveBaseline(data, facts(2), [], null)];
    await services.store.write((tx) =>
      tx.run("UPDATE unit_state SET entries_digest = ? WHERE unit = 'network'", [current]),
    );
    const kept = async (days: number) => {
      const clock = { now: () => later(new Date(), days * 86_400) };
      const event = { source: 'groundcrew.ticker' as const, id: 'pruneApplyFiles', time: '' };
      await pruneApplyFiles.handler(event, { services: { ...services, clock } });
      return (await readdir(join(data, 'apply/baselines'))).sort();
    };
    // A file that a running apply takes away between the listing and the look at it: a link to nothing looks the same.
    await symlink('gone', join(data, 'apply/baselines/vanishing'));
    expect(await kept(0)).toEqual([old, current, 'vanishing'].sort());
    // An apply that sets the clock makes its own files look old while it still needs them.
    const lock = (sql: string) => services.store.write((tx) => tx.run(sql));
    await lock("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '')");
    expect(await kept(2)).toEqual([old, current, 'vanishing'].sort());
    await lock('DELETE FROM mutation_lock');
    expect(await kept(2)).toEqual([current, 'vanishing'].sort());
  });
});
