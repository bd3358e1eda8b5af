// The service's end of the root step: one connection for many questions, and another before systemd ends the first.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { RootStep } from '../../../../shared/platform/host/root-step.ts';

afterEach(() => void jest.restoreAllMocks());

test('a connection that is old is left for a new one, and what it still owed has come', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-root-step-'));
  let connections = 0;
  let ended = 0;
  const server = createServer((socket) => {
    connections += 1;
    const value = connections;
    socket.on('data', () => socket.write(`${JSON.stringify({ ok: true, value })}\n`));
    socket.on('end', () => {
      ended += 1;
      socket.end();
    });
  });
  const path = join(folder, 'step.sock');
  await new Promise<void>((done) => server.listen(path, done));
  const step = new RootStep(path);
  try {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    expect([await step.ask({}), await step.ask({})]).toEqual([1, 1]);
    clock.mockReturnValue(now + 11 * 60_000);
    expect([await step.ask({}), await step.ask({})]).toEqual([2, 2]);
    expect([connections, ended]).toEqual([2, 1]);
  } finally {
    step.close();
    await new Promise((done) => server.close(done));
    rmSync(folder, { recursive: true, force: true });
  }
});
