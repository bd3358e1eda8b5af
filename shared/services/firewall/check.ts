// Whether the desired firewall may be loaded: first that it locks nobody out, then nft's own check.
import { firstLine } from '../../ground/machine/exec.ts';
import type { ExecResult, Host } from '../../ground/machine/host.ts';
import { answering, NOT_FOUND } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import type { FirewallDesired } from './desired.ts';
import { lockoutFaults } from './lockout.ts';
import { RULES_FILE } from './render.ts';

const PROGRAM = 'nft -c -f';
const FAULTS_MOST = 20;

export async function check(
  host: Host,
  desired: FirewallDesired,
  staged: (path: string) => string,
): Promise<CheckResult> {
  const answer = answering(PROGRAM);
  if (!desired.settings.enabled) return answer([], 'nothing to check: the firewall is off');
  const own = lockoutFaults(desired);
  if (own.length > 0) return answer(own, 'groundcrew (who could still sign in)');
  const file = staged(RULES_FILE);
  const result = await host.exec('nft', ['-c', '-f', file]);
  if (result.code === 0) return answer([]);
  const unable = inability(result);
  // A rehearsal may run where nft is missing or may not ask the kernel; where rules are enforced, either is a fault.
  if (unable !== null && !host.enforces) return answer([], `groundcrew only: ${unable}`);
  return answer(unable === null ? faultLines(result, file) : [`${unable}.`]);
}

function inability(result: ExecResult): string | null {
  if (result.code === NOT_FOUND) return 'nft is not installed here';
  return /Operation not permitted/.test(result.stderr) ? 'nft may not ask the kernel here' : null;
}

/** nft prints the faulty line below each fault, which is left out; the staged path becomes that on the appliance. */
function faultLines(result: ExecResult, file: string): string[] {
  const lines = result.stderr.split('\n').filter((text) => /Error/.test(text));
  const said = lines.map((text) => text.replaceAll(file, RULES_FILE).trim());
  return said.length > 0 ? said.slice(0, FAULTS_MOST) : [firstLine(result)];
}
