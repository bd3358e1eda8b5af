// The role `route`: packets pass between the interfaces that have it, and from no other. systemd 252 has one switch of
// forwarding for the whole machine (IPForward=, net.ipv4.ip_forward and net.ipv6.conf.all.forwarding), which it turns
// on and never off. So routing rules limit forwarding: packets that come in on an interface with the role are routed;
// all others that are not for the appliance itself are refused. The firewall decides where a packet may leave.
import { firstLine } from '../../ground/machine/exec.ts';
import type { Host } from '../../ground/machine/host.ts';
import type { NetworkInterface } from '../interfaces/interface.ts';
import type { UnitChange } from '../units/unit.ts';
import { network } from './facts.ts';
import type { Section } from './render.ts';

/** Before the main table (32766), and after most rules of other programs. */
const PRIORITY = 32_000;
const SWITCHES = ['/proc/sys/net/ipv4/ip_forward', '/proc/sys/net/ipv6/conf/all/forwarding'];
const FAMILIES = [
  { option: '-4', label: 'IPv4' },
  { option: '-6', label: 'IPv6' },
] as const;

export const routes = (row: NetworkInterface): boolean => row.role === 'route';

/** Lines of the section [Network]. */
export const forwarding = (row: NetworkInterface): string[] => (routes(row) ? ['IPForward=yes'] : []);

/** The rules. The second is in the file of each routing interface, and in the kernel once. */
export function routing(row: NetworkInterface): Section[] {
  if (!routes(row)) return [];
  const rule = (...lines: string[]): Section => ['RoutingPolicyRule', [...lines, 'Family=both']];
  return [
    rule(`IncomingInterface=${row.name}`, 'Table=main', `Priority=${PRIORITY}`),
    // Not from the loopback link: the kernel counts the appliance's own packets as coming in there.
    rule('IncomingInterface=lo', 'InvertRule=yes', 'Type=prohibit', `Priority=${PRIORITY + 1}`),
  ];
}

const anyRoutes = (facts: UnitChange['before']): boolean =>
  [...network.all(facts, 'role')].some(([, role]) => role === 'route');

/** Turns the switches off when the last interface with the role is gone. @throws Error when they can't be turned. */
export async function endForwarding(host: Host, change: UnitChange): Promise<void> {
  if (!anyRoutes(change.before) || anyRoutes(change.after)) return;
  const off = await host.exec('tee', SWITCHES, { input: '0\n' });
  if (off.code !== 0) throw new Error(`Forwarding could not be turned off: ${off.stderr.trim()}`);
}

/**
 * Differences from forwarding between exactly the interfaces with the role, one clause each; none where no interface
 * has the role. @throws Error when the rules can't be read.
 */
export async function forwardingFaults(host: Host, up: readonly NetworkInterface[]): Promise<string[]> {
  const wanted = up.filter(routes).map(({ name }) => name);
  if (wanted.length === 0) return [];
  const { stdout } = await host.exec('cat', SWITCHES);
  const on = stdout.trim().split(/\s+/).join('') === '11';
  const found = [...(on ? [] : ['the kernel does not forward packets'])];
  for (const { option, label } of FAMILIES) {
    const { passing, fenced } = await readFence(host, option);
    found.push(
      ...wanted.filter((name) => !passing.includes(name)).map((name) => `no rule lets ${label} pass from ${name}`),
      ...strangers(passing, up).map(
        (name) => `a rule lets ${label} pass from ${name}, which does not have the role route`,
      ),
      ...(fenced ? [] : [`no rule keeps ${label} of other interfaces from being forwarded`]),
    );
  }
  return found;
}

/**
 * Removes the rules of interfaces that lost the role. networkd does so itself, except for rules that it made before it
 * was restarted. forwardingFaults names a rule that stays. @throws Error when the rules can't be read.
 */
export async function removeFormerRules(host: Host, up: readonly NetworkInterface[]): Promise<void> {
  for (const { option } of FAMILIES) {
    for (const name of strangers((await readFence(host, option)).passing, up)) {
      await host.exec('ip', [option, 'rule', 'del', 'pref', String(PRIORITY), 'iif', name]);
    }
  }
}

const strangers = (passing: readonly string[], up: readonly NetworkInterface[]): string[] =>
  passing.filter((name) => !up.some((row) => row.name === name && routes(row)));

interface Fence {
  /** Interfaces whose packets are routed. */
  passing: string[];
  /** Whether packets of all others are refused. */
  fenced: boolean;
}

interface ShownRule {
  priority?: number;
  iif?: string;
  action?: string;
}

async function readFence(host: Host, option: '-4' | '-6'): Promise<Fence> {
  const shown = await host.exec('ip', ['-j', option, 'rule', 'show']);
  if (shown.code !== 0) throw new Error(`ip ${option} rule: ${firstLine(shown)}`);
  const rules = JSON.parse(shown.stdout.trim() || '[]') as ShownRule[];
  return {
    passing: rules.flatMap(({ priority, iif }) => (priority === PRIORITY && iif !== undefined ? [iif] : [])),
    fenced: rules.some(({ priority, action }) => priority === PRIORITY + 1 && action === 'prohibit'),
  };
}
