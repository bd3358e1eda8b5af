// What the checks of units have in common: their answer, and the lines that a program refuses a staged file with.
import type { CheckResult } from './unit.ts';

/** What a shell answers for a program that is not installed. */
export const NOT_FOUND = 127;

/** Makes the answers of one check; it begins now. `usual` is the program that judges where no other is named. */
export function answering(usual: string): (faults: string[], program?: string) => CheckResult {
  const start = performance.now();
  return (faults, program = usual) => ({
    ok: faults.length === 0,
    program,
    faults,
    duration_ms: Math.round(performance.now() - start),
  });
}

/** `program` names the staged file; an operator knows it by its path on the appliance, as `known` says it. */
export function faultLines(program: string, stderr: string, known: (line: string) => string): string[] {
  const lines = stderr.split('\n').map((line) => known(line).trim());
  const said = lines.filter((line) => line !== '');
  return said.length > 0 ? said : [`${program} refused the configuration without saying why.`];
}
