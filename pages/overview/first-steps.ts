// What a new appliance still needs, in order: each step is done or leads to where it is done.

import type { DnsGlance } from '../../shared/appliance/overview/overview.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';

export interface Step {
  label: string;
  done: boolean;
  /** What is so, or what to do. */
  text: string;
  href: string;
  /** Word of the button. */
  verb: string;
}

export interface Standing {
  /** Addresses at which the management interface answers; null where the reader may not see interfaces. */
  listeners: readonly { interface: string; address: string }[] | null;
  /** Null where the reader may not see DNS. */
  dns: DnsGlance | null;
  /** Whether any apply ever succeeded. */
  applied: boolean;
}

/** Only the steps that the reader may see. */
export function firstSteps({ listeners, dns, applied }: Standing): Step[] {
  const steps: Step[] = [];
  if (listeners !== null) {
    const first = listeners[0];
    steps.push({
      label: 'Management interface',
      done: first !== undefined,
      text: first
        ? `This application is reachable at ${first.address} on ${first.interface}.`
        : 'No interface carries this application yet: give one an address and the role management.',
      href: pagePath('interfaces'),
      verb: 'Set it up',
    });
  }
  if (dns !== null) {
    const listens = dns.enabled && dns.listen_interfaces.length > 0;
    steps.push(
      {
        label: 'Name service',
        done: listens,
        text: listens
          ? `DNS listens on ${dns.listen_interfaces.join(', ')}.`
          : 'Choose the interfaces that DNS listens on, and switch it on.',
        href: pagePath('dns-settings'),
        verb: 'Set it up',
      },
      {
        label: 'First zone',
        done: dns.zones > 0,
        text:
          dns.zones > 0
            ? `${counted(dns.zones, 'zone')}, ${counted(dns.records, 'record')}.`
            : 'Add the zone of your lab, then its records.',
        href: `${pagePath('dns-zones')}/new`,
        verb: 'Add a zone',
      },
    );
  }
  steps.push({
    label: 'First apply',
    done: applied,
    text: applied ? 'Saved state was put in force.' : 'Nothing is in force yet: review what you saved, then apply it.',
    href: pagePath('apply'),
    verb: 'Review',
  });
  return steps;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
