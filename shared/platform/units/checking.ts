// What the checks of units have in common: their answer, and the lines that a program refuses a staged file with.
import type { CheckResult } from './unit.ts';

/** The exit code of a shell for a program that is not installed. */
export const NOT_FOUND = 127;

/** Makes the results of one check, which begins now. `usual`: the program that checks where no other is named. */
export function answering(usual: string): (faults: string[], program?: string) => CheckResult {
  const start = performance.now();
  return (faults, program = usual) => ({
    ok: faults.length === 0,
    program,
    faults,
    duration_ms: Math.round(performance.now() - start),
  });
}

/** Faults from the output of `program`. `known` puts the path on the appliance in place of the staged path. */
export function faultLines(program: string, stderr: string, known: (line: string) => string): string[] {
  const lines = stderr.split('\n').map((line) => known(line).trim());
  const faults = lines.filter((line) => line !== '');
  return faults.length > 0 ? faults : [`${program} refused the configuration without saying why.`];
}
