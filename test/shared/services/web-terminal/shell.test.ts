// The way to the shell, and that nobody goes it for a page that has left.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openShell } from '../../../../shared/services/web-terminal/session/shell.ts';

test('for a page that left before, no connection is made; for one that leaves while the other side is silent, it ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'));
  const socket = join(folder, 'ssh');
  let came = 0;
  const left = new AbortController();
  const server = createServer((connection) => {
    came += 1;
    connection.on('error', () => undefined).resume();
    left.abort();
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const dial = { socket, account: 'operator', host_key: null, columns: 80, rows: 24, ask: async () => [] };
  try {
    await expect(openShell({ ...dial, signal: AbortSignal.abort() })).rejects.toMatchObject({ cause_is: 'failed' });
    expect(came).toBe(0);
    await expect(openShell({ ...dial, signal: left.signal })).rejects.toMatchObject({ cause_is: 'failed' });
    expect(came).toBe(1);
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
});
