// The audit chain: every tampering shows.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { appendAudit, verifyAudit } from '../../../../shared/kernel/audit/audit.ts';
import type { Services } from '../../../../shared/kernel/operation/services.ts';
import { House } from '../../../setup/house.ts';

let house: House;
let services: Services;
beforeEach(async () => {
  house = await House.open();
  services = house.services;
});
afterEach(() => house.close());

describe('the audit chain', () => {
  const context = { at: '2026-01-01T00:00:00.000Z', actor: systemActor('test'), request_id: 'r', source_address: '' };
  const append = (n: number) =>
    services.store.write((tx) =>
      appendAudit(tx, services.keys, context, {
        action: `test.${n}`,
        resource_type: 'test',
        resource_id: null,
        detail: { n },
      }),
    );

  beforeEach(async () => {
    for (let n = 1; n <= 5; n++) await append(n);
  });

  test('is whole after ordinary appends, and after one that was rolled back', async () => {
    await services.store.write(
      (tx) => appendAudit(tx, services.keys, context, { action: 'test.x', resource_type: 'test', resource_id: null }),
      { rollBack: true },
    );
    await append(6);
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: true, events: 6, fault: null });
  });

  test('is whole after turns that many share, whichever of them are taken back, and after a turn of which nothing is kept', async () => {
    const { store, keys } = services;
    let events = 5;
    for (let round = 0; round < 6; round++) {
      const lost = round % 3 === 1;
      const said = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          store.write(
            async (tx) => {
              await appendAudit(tx, keys, context, { action: `test.${n}`, resource_type: 'test', resource_id: null });
              if (n % 4 === 1) throw new Error('no');
              // As SQLite does it by itself: what came before in this turn is gone with it.
              if (lost && n === 8) await tx.run('ROLLBACK');
            },
            { rollBack: n % 4 === 2, apart: round === 5 && n === 7 },
          ),
        ),
      );
      const saved = said.filter(({ status }, n) => status === 'fulfilled' && n % 4 !== 2).length;
      expect(saved).toBe(lost ? 0 : 6);
      events += saved;
      expect(await verifyAudit(store, keys)).toMatchObject({ ok: true, events, fault: null });
    }
  });

  test.each([
    ['a changed detail', "UPDATE audit_event SET detail = '{}' WHERE seq = 3", 'event 3 was changed'],
    ['a changed outcome', "UPDATE audit_event SET outcome = 'failure' WHERE seq = 2", 'event 2 was changed'],
    ['a removed event', 'DELETE FROM audit_event WHERE seq = 3', 'event 3 is missing'],
    ['a renumbered tail', 'UPDATE audit_event SET seq = seq - 1 WHERE seq > 3', 'event 3 does not follow event 2'],
  ])('%s shows', async (name, harm, fault) => {
    if (name === 'a renumbered tail')
      await services.store.write((tx) => tx.run('DELETE FROM audit_event WHERE seq = 3'));
    await services.store.write((tx) => tx.run(harm));
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: false, fault });
  });

  test('another process appending in between does not break it', async () => {
    const other = await House.open({ data: house.data });
    for (let n = 6; n <= 9; n++) {
      await append(n);
      await other.services.store.write((tx) =>
        appendAudit(tx, other.services.keys, context, {
          action: `other.${n}`,
          resource_type: 'test',
          resource_id: null,
        }),
      );
    }
    await other.close(true);
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: true, events: 13 });
  });

  test('its gate refuses a mutation once a guarded operation owns everything', async () => {
    await services.store.write((tx) =>
      tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '2026-01-01T00:00:00.000Z')"),
    );
    await expect(append(6)).rejects.toMatchObject({ code: 'mutation_locked', members: { owner: { job_id: 'job_x' } } });
    expect((await verifyAudit(services.store, services.keys)).events).toBe(5);
  });
});
