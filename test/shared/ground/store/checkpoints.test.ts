// The log is taken into the database while it is short, beside whoever writes: it grows to a few megabytes, however much is written.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Checkpoints } from '../../../../shared/ground/store/checkpoints.ts';
import type { Connection } from '../../../../shared/ground/store/connection.ts';
import { openStore } from '../../../../shared/ground/store/open-store.ts';

test.each([
  ['many small transactions', 400, 20],
  ['few large ones', 40, 400],
])(
  '%s',
  async (_says, transactions, rows) => {
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-checkpoints-'));
    const store = await openStore(folder);
    try {
      const text = 'x'.repeat(1_000);
      const list = JSON.stringify(Array.from({ length: rows }, (_, n) => n));
      for (let round = 0; round < transactions; round++) {
        await store.write((tx) =>
          tx.run(
            `INSERT INTO dns_zone (id, name, created_at, updated_at) SELECT ?1 || '-' || value, ?1 || '-' || value || '.' || ?2, '', ''
            FROM json_each(?3)`,
            [round, text, list],
          ),
        );
      }
      // 8 to 16 MB of rows, and as much of their index.
      expect(statSync(store.file).size).toBeGreaterThan(10 << 20);
      expect(statSync(`${store.file}-wal`).size).toBeLessThan(8 << 20);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  },
  60_000,
);

test('a look at the log that fails is nothing for who has committed', async () => {
  const logPages = () => Promise.reject(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' }));
  const checkpoints = new Checkpoints('/nowhere', { logPages } as unknown as Connection);
  await expect(checkpoints.committed()).resolves.toBeUndefined();
});
