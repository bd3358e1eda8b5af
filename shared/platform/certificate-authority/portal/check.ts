// Validation of the desired state. No other program is needed: the listener is our own.
import type { Host } from '../../../ground/machine/host.ts';
import { answering } from '../../units/checking.ts';
import type { CheckResult } from '../../units/unit.ts';
import { listenersOf, type PortalDesired } from './desired.ts';
import { PORTAL_PORT, parseManifest, signingOf } from './manifest.ts';
import { render } from './render.ts';

const OWNERS = { 'public-pages': 'the public pages', 'management-ui': 'the management UI' } as const;
const EVERYWHERE = new Set(['0.0.0.0', '::']);

function listenFaults({ listen, taken }: PortalDesired): string[] {
  const everywhere = Object.entries(taken).find(([address]) => EVERYWHERE.has(address))?.[1];
  return listen.flatMap(({ name, usable, addresses, held }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the certificate portal listens on it.`];
    if (addresses.length === 0) return [`Interface ${name} has no fixed address, which the portal is fetched from.`];
    if (held !== undefined)
      return [`Port ${PORTAL_PORT} of ${name} is used by ${held}: give the portal another interface to listen on.`];
    return addresses.flatMap((address) => {
      const owner = taken[address] ?? everywhere;
      if (owner === undefined) return [];
      return [
        `Port ${PORTAL_PORT} of ${address} is used by ${OWNERS[owner]}: give the portal another interface to listen on.`,
      ];
    });
  });
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: PortalDesired): string[] {
  const faults = listenFaults(desired);
  if (!signingOf(desired)) {
    faults.push('The portal hands out the root certificate, and there is none: make it on the page of the authority.');
  }
  return faults;
}

export async function check(_host: Host, desired: PortalDesired): Promise<CheckResult> {
  const answer = answering('groundcrew (listeners and root certificate)');
  if (!desired.on) return answer([], 'nothing to check: there is no certificate portal');
  const faults = desiredFaults(desired);
  // A manifest that can't be read again must not be applied.
  if (faults.length === 0 && listenersOf(desired).length > 0) parseManifest(render(desired)[0]!.content);
  return answer(faults);
}
