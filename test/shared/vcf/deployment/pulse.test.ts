// The word that keeps a lease at the target: when it is said, and what it says.
import { describe, expect, jest, test } from '@jest/globals';
import { Problem } from '../../../../shared/ground/problems.ts';
import type { Services } from '../../../../shared/kernel/operation/services.ts';
import { LeasePulse, MOST_OPEN, WORD_MS } from '../../../../shared/vcf/deployment/pulse.ts';
import { deploymentShell } from '../../../../shared/vcf/deployment/shell.ts';
import { VsphereFault } from '../../../../shared/vcf/vsphere/fault.ts';
import { until } from '../../../setup/until.ts';

describe('the word that keeps a lease', () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  test('is said on its own timer while the target does not answer, with the real percent', async () => {
    const said: number[] = [];
    const answers: (() => void)[] = [];
    let percent = 3.9;
    const pulse = new LeasePulse({
      // A word is answered when another has come after it: who waits for the answer says but one.
      say: async (now) => {
        said.push(now);
        answers.shift()?.();
        await new Promise<void>((resolve) => answers.push(resolve));
      },
      percent: () => percent,
      every_ms: 25,
      timeout_seconds: 3600,
    }).start();
    await until(() => said.length > 2);
    percent = 250;
    await until(() => said.length > 5);
    pulse.stop();
    expect([said[0], said.at(-1)]).toEqual([3, 100]);
    const before = said.length;
    await pause(60);
    expect(said.length).toBe(before);
  });
  test('ends the upload at once when the lease is over', async () => {
    const pulse = new LeasePulse({
      say: () => Promise.reject(new VsphereFault('lease_over', 'The lease is over.')),
      ...{ percent: () => 0, every_ms: 1000, timeout_seconds: 10 },
    }).start();
    await until(() => pulse.signal.aborted);
    expect(pulse.signal.reason).toMatchObject({ reason: 'lease_over' });
  });
  test('bears with trouble until the target has heard nothing for too long', async () => {
    const aborted: boolean[] = [];
    const pulse = new LeasePulse({
      say: () => Promise.reject(new Problem('remote_unreachable', 'no way')),
      ...{ percent: () => 0, every_ms: 10, timeout_seconds: 0.5 },
      onTrouble: () => aborted.push(pulse.signal.aborted),
    }).start();
    await until(() => pulse.signal.aborted);
    expect([aborted.length > 0, aborted.includes(true)]).toEqual([true, false]);
    expect(pulse.signal.reason).toMatchObject({ code: 'remote_timeout' });
  });
  test('is said each time also to a target that answers none, until that has lasted for too long', async () => {
    const { progress_ms } = deploymentShell({ store: {} } as Services);
    expect(progress_ms).toBeLessThanOrEqual(10_000);
    jest.useFakeTimers();
    try {
      let [said, open, most] = [0, 0, 0];
      const unanswered = (refuse: (why: Error) => void) => {
        open--;
        refuse(new Problem('remote_timeout', 'no answer in time'));
      };
      const pulse = new LeasePulse({
        say() {
          said++;
          open++;
          most = Math.max(most, open);
          return new Promise((_answer, refuse) => setTimeout(() => unanswered(refuse), WORD_MS));
        },
        ...{ percent: () => 0, every_ms: progress_ms, timeout_seconds: 300 },
      }).start();
      const turns: number[] = [];
      for (let turn = 0; turn < 50; turn++) {
        const before = said;
        await jest.advanceTimersByTimeAsync(progress_ms);
        turns.push(said - before);
      }
      expect([new Set(turns), pulse.signal.aborted]).toEqual([new Set([1]), false]);
      expect(most).toBeLessThanOrEqual(MOST_OPEN);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(pulse.signal.reason).toMatchObject({ code: 'remote_timeout' });
    } finally {
      jest.useRealTimers();
    }
  });
});
