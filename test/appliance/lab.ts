// Where the machines are plugged in: one network namespace with the operator's end of the management wire and the far end
// of a wire for data, and a bridge that is the trunk between the appliance and a second machine.
import { execFileSync, spawnSync } from 'node:child_process';

export interface ApplianceLab {
  namespace: string;
  /** The appliance's cards in their order, and the guest's only one. */
  taps: { management: string; trunk: string; data: string; guest: string };
  /** Runs a program in the operator's place; answers its output without throwing. */
  run(program: string, ...args: string[]): string;
  remove(): void;
}

/** The operator is 10.99.0.2/24 on the management wire; on the other one the namespace is 10.30.0.2/24. */
export function makeApplianceLab(): ApplianceLab {
  const namespace = `gct-appliance-${process.pid}`;
  const taps = { management: 'manage0', trunk: 'trunk0', data: 'data0', guest: 'trunk1' };
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const within = (...args: string[]) => ip('-n', namespace, ...args);
  ip('netns', 'add', namespace);
  within('link', 'set', 'lo', 'up');
  for (const tap of Object.values(taps)) {
    within('tuntap', 'add', 'dev', tap, 'mode', 'tap');
    within('link', 'set', tap, 'up');
  }
  within('addr', 'add', '10.99.0.2/24', 'dev', taps.management);
  within('addr', 'add', '10.30.0.2/24', 'dev', taps.data);
  within('link', 'add', 'trunk', 'type', 'bridge');
  within('link', 'set', 'trunk', 'up');
  for (const tap of [taps.trunk, taps.guest]) within('link', 'set', tap, 'master', 'trunk');
  return {
    namespace,
    taps,
    run(program, ...args) {
      const ran = spawnSync('ip', ['netns', 'exec', namespace, program, ...args], {
        encoding: 'utf8',
        timeout: 20_000,
      });
      return `${ran.stdout}${ran.stderr}`.trim();
    },
    remove: () => void spawnSync('ip', ['netns', 'del', namespace], { stdio: 'ignore' }),
  };
}
