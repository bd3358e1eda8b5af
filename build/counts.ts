// The figures of a test run, and the one line with them that automation reads.

import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

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

/** The part of jest's `--json` report that counts, and what it says of each failure. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that didn't even load, or whose worker died: no test of theirs is in the other figures. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
  /** A file each, in the order in which they ended. */
  testResults: readonly {
    /** Absolute path. */
    name: string;
    /** What the terminal shows of it; the only text there is when the file didn't load. */
    message: string;
    /** Milliseconds since 1970; its difference is how long the file took, loading included. */
    startTime: number;
    endTime: number;
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] | null }[];
  }[];
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

/** Lines of a failure's text that are repeated: the difference is in them, the stack is not. */
const FAILURE_LINES = 14;

/** A failure's first lines, indented, without a terminal's colours and without where in jest it came from. */
function shortened(message: string): string[] {
  return stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line))
    .slice(0, FAILURE_LINES)
    .map((line) => `    ${line}`);
}

/**
 * Every failure of a jest run in lines: the file below `root` with the test's name, then what it said. They are
 * repeated at the end of a run, since a long log may be cut before anybody reads it.
 */
export function failuresOfJest(report: JestReport, root: string): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    // A file that has no test failed to load: its message is all there is.
    if (assertionResults.length === 0) return message === '' ? [] : [file, ...shortened(message)];
    return failed.flatMap(({ fullName, failureMessages }) => [
      `${file} › ${fullName}`,
      ...(failureMessages ?? []).flatMap(shortened),
    ]);
  });
}

/** A test file below `root` and the seconds that it took. */
export interface FileTime {
  file: string;
  seconds: number;
}

/** How long each file of a jest run took. */
export const timesOfJest = (report: JestReport, root: string): FileTime[] =>
  report.testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));

/** Lines for the longest files of a run: where its time went, and what is worth making cheaper. */
export function longest(times: readonly FileTime[], count: number): string[] {
  const all = times.reduce((seconds, time) => seconds + time.seconds, 0);
  return times
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s ${Math.round((100 * seconds) / all)} %  ${file}`);
}
