// Validation of the desired state. No other program is needed: the listener is our own.
import type { Host } from '../../ground/machine/host.ts';
import { answering } from '../../platform/units/checking.ts';
import type { CheckResult } from '../../platform/units/unit.ts';
import { type KmsDesired, listenersOf } from './desired.ts';
import { parseManifest } from './manifest.ts';
import { render } from './render.ts';

const EVERYWHERE = new Set(['0.0.0.0', '::']);

function listenFaults({ listen, taken, held, settings: { port } }: KmsDesired): string[] {
  if (listen.length === 0) return ['Key management is on but listens on no interface.'];
  const everywhere = Object.entries(taken).find(([address]) => EVERYWHERE.has(address))?.[1];
  const used = (where: string, owner: string) =>
    `Port ${port} of ${where} is used by ${owner}: give key management another port, or another interface to listen on.`;
  return listen.flatMap(({ name, usable, addresses }) => {
    if (!usable) return [`Interface ${name} is missing or switched off, but key management listens on it.`];
    if (addresses.length === 0) return [`Interface ${name} has no fixed address, which the certificate has to name.`];
    const other = held[name];
    if (other !== undefined) return [used(name, other)];
    return addresses.flatMap((address) => {
      const owner = taken[address] ?? everywhere;
      return owner === undefined ? [] : [used(address, owner)];
    });
  });
}

/** Faults of the desired state, one line each. */
export function desiredFaults(desired: KmsDesired): string[] {
  const faults = listenFaults(desired);
  if (desired.authority === null) {
    faults.push(
      'KMIP is spoken over TLS only, and there is no root certificate that the server’s own could be issued by: create it on the page of the certificate authority.',
    );
  }
  if (faults.length === 0 && desired.certificate === null) {
    faults.push(
      'There is no certificate for its host name and addresses yet: switch custody on, so that the certificate authority makes it, and make another plan.',
    );
  }
  return faults;
}

export async function check(_host: Host, desired: KmsDesired): Promise<CheckResult> {
  const answer = answering('groundcrew (listeners and certificate authority)');
  if (!desired.settings.enabled) return answer([], 'nothing to check: key management is off');
  const faults = desiredFaults(desired);
  // A manifest that can't be read again must not be applied.
  if (faults.length === 0 && listenersOf(desired).length > 0) parseManifest(render(desired).at(-1)!.content);
  return answer(faults);
}
