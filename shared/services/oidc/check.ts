// Validation of the desired state. No other program is needed: the listener is our own.
import type { Host } from '../../ground/machine/host.ts';
import { answering } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { listenersOf, type OidcDesired } from './desired.ts';
import { parseManifest } from './manifest.ts';
import { render } from './render.ts';

const OWNERS = { 'public-pages': 'the public pages', 'management-ui': 'the management UI' } as const;
const EVERYWHERE = new Set(['0.0.0.0', '::']);

function listenFaults({ listen, taken, settings: { port } }: OidcDesired): string[] {
  if (listen.length === 0) return ['OpenID Connect is on but listens on no interface.'];
  const everywhere = Object.entries(taken).find(([address]) => EVERYWHERE.has(address))?.[1];
  return listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but OpenID Connect listens on it.`];
    if (addresses.length === 0) return [`Interface ${name} has no fixed address, which the certificate has to name.`];
    return addresses.flatMap((address) => {
      const owner = taken[address] ?? everywhere;
      if (owner === undefined) return [];
      return [
        `Port ${port} of ${address} is used by ${OWNERS[owner]}: give the provider another port, or another interface to listen on.`,
      ];
    });
  });
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: OidcDesired): string[] {
  const faults = [...listenFaults(desired), ...desired.clashes];
  if (desired.authority === null) {
    faults.push(
      'OpenID Connect answers over HTTPS only, and there is no root certificate that its own could be issued by: create it on the page of the certificate authority.',
    );
  }
  if (faults.length === 0 && desired.certificate === null) {
    faults.push(
      'There is no certificate for its host name and addresses yet: switch custody on, so that the certificate authority makes it, and make another plan.',
    );
  }
  return faults;
}

export async function check(_host: Host, desired: OidcDesired): Promise<CheckResult> {
  const answer = answering('groundcrew (listeners, certificate authority)');
  if (!desired.settings.enabled) return answer([], 'nothing to check: OpenID Connect is off');
  const faults = desiredFaults(desired);
  // A manifest that can't be read again must not be applied.
  if (faults.length === 0 && listenersOf(desired).length > 0) parseManifest(render(desired).at(-1)!.content);
  return answer(faults);
}
