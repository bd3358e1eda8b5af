// What a run tells at its end: how many tests passed, failed and were left out, and each failure once more.
import { describe, expect, test } from '@jest/globals';
import {
  countsLine,
  countsOfJest,
  failuresOfJest,
  type JestReport,
  longest,
  NOTHING,
  sum,
  timesOfJest,
} from '../../build/counts.ts';

const SHORT = { startTime: 5_000, endTime: 6_000 };

describe('the end of a run', () => {
  test('the last line names skipped tests only when there are any', () => {
    expect(countsLine(sum([{ passed: 3, failed: 1, skipped: 0 }, NOTHING]))).toBe('3 passed, 1 failed');
    expect(countsLine({ passed: 3, failed: 0, skipped: 2 })).toBe('3 passed, 0 failed, 2 skipped');
  });

  test('a file that does not load, and a run that fails for another reason, are failures', () => {
    const report: JestReport = {
      numPassedTests: 5,
      numFailedTests: 0,
      numPendingTests: 1,
      numTodoTests: 1,
      numRuntimeErrorTestSuites: 1,
      success: false,
      testResults: [],
    };
    expect(countsOfJest(report)).toEqual({ passed: 5, failed: 1, skipped: 2 });
    expect(countsOfJest({ ...report, numRuntimeErrorTestSuites: 0 }).failed).toBe(1);
    expect(countsOfJest({ ...report, numRuntimeErrorTestSuites: 0, success: true }).failed).toBe(0);
  });

  test('failures are told once more in a few lines without colours: of a test, of a file that did not load', () => {
    const stack =
      '    at Object.<anonymous> (/r/test/a.test.ts:4:1)\n    at x (/r/node_modules/jest/build/index.js:1:1)';
    const passed = { status: 'passed', fullName: 'b', failureMessages: [] };
    const failed = {
      status: 'failed',
      fullName: 'a holds',
      failureMessages: [`Error: \u001b[32mexpected 1\u001b[39m\n\n${stack}${'\n+ 1'.repeat(99)}`],
    };
    const lines = failuresOfJest(
      {
        ...{ numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 1 },
        success: false,
        testResults: [
          { ...SHORT, name: '/r/test/a.test.ts', message: 'all of it', assertionResults: [passed, failed] },
          {
            ...SHORT,
            name: '/r/test/b.test.ts',
            message: '● Test suite failed to run\n\n  no such file',
            assertionResults: [],
          },
          { ...SHORT, name: '/r/test/c.test.ts', message: '', assertionResults: [passed] },
        ],
      },
      '/r',
    );
    expect(lines.slice(0, 4)).toEqual([
      'test/a.test.ts › a holds',
      '    Error: expected 1',
      '        at Object.<anonymous> (/r/test/a.test.ts:4:1)',
      '    + 1',
    ]);
    expect(lines.slice(-3)).toEqual(['test/b.test.ts', '    ● Test suite failed to run', '      no such file']);
    expect(lines.length).toBeLessThan(20);
  });

  test('the longest files are named, with their share of all', () => {
    const file = (name: string, seconds: number) => ({
      ...{ name: `/r/test/${name}`, message: '', assertionResults: [] },
      ...{ startTime: 5_000, endTime: 5_000 + 1000 * seconds },
    });
    const report: JestReport = {
      ...{ numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, numRuntimeErrorTestSuites: 0 },
      success: true,
      testResults: [file('a.test.ts', 1), file('b.test.ts', 7.25), file('c.test.ts', 1.75)],
    };
    expect(longest(timesOfJest(report, '/r'), 2)).toEqual([
      '    7.3 s 73 %  test/b.test.ts',
      '    1.8 s 18 %  test/c.test.ts',
    ]);
  });
});
