// Validation of the desired state. No other program is needed: the listener is our own.
import type { Host } from '../../ground/machine/host.ts';
import { answering } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type DepotDesired, listenersOf } from './desired.ts';
import { parseManifest } from './manifest.ts';
import { render } from './render.ts';

const OWNERS = { 'public-pages': 'the public pages', 'management-ui': 'the management UI' } as const;
const EVERYWHERE = new Set(['0.0.0.0', '::']);

function listenFaults({ listen, taken, settings: { port } }: DepotDesired): string[] {
  if (listen.length === 0) return ['The offline depot is on but listens on no interface.'];
  const everywhere = Object.entries(taken).find(([address]) => EVERYWHERE.has(address))?.[1];
  return listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but the offline depot listens on it.`];
    if (addresses.length === 0) return [`Interface ${name} has no fixed address, which the certificate has to name.`];
    return addresses.flatMap((address) => {
      const owner = taken[address] ?? everywhere;
      if (owner === undefined) return [];
      return [
        `Port ${port} of ${address} is used by ${OWNERS[owner]}: give the depot another port, or another interface to listen on.`,
      ];
    });
  });
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: DepotDesired): string[] {
  const { settings, authority, certificate, user_known } = desired;
  const faults = [...listenFaults(desired), ...desired.clashes];
  if (authority === null) {
    faults.push(
      'The depot answers over HTTPS only, and there is no root certificate that its own could be issued by: create it on the page of the certificate authority.',
    );
  }
  if (faults.length === 0 && certificate === null) {
    faults.push(
      'There is no certificate for its host name and addresses yet: switch custody on, so that the certificate authority makes it, and make another plan.',
    );
  }
  if (settings.http_user !== '' && !user_known) {
    faults.push(`There is no depot user ${settings.http_user} any more: choose another one in the settings.`);
  }
  return faults;
}

export async function check(_host: Host, desired: DepotDesired): Promise<CheckResult> {
  const answer = answering('groundcrew (listeners, certificate authority and user)');
  if (!desired.settings.enabled) return answer([], 'nothing to check: the offline depot is off');
  const faults = desiredFaults(desired);
  // A manifest that can't be read again must not be applied.
  if (faults.length === 0 && listenersOf(desired).length > 0) parseManifest(render(desired).at(-1)!.content);
  return answer(faults);
}
