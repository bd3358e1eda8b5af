// The figures of a test run and the one line that says them, which is what automation reads.

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };
export const PASSED: Counts = { ...NOTHING, passed: 1 };
export const FAILED: Counts = { ...NOTHING, failed: 1 };

export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    NOTHING,
  );
}

/** `12 passed, 0 failed`, and `, 3 skipped` only when there are any. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The part of jest's `--json` report that counts. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that didn't even load, or whose worker died: no test of theirs is in the other figures. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
}

/** Counts of one jest run; a run that failed without a failing test (a worker, a threshold) still has one failure. */
export function countsOfJest(report: JestReport): Counts {
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
