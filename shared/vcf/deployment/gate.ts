// Which addresses a check may ask something: those that the policy of targets permits. What the properties of an OVF
// name is no better than what somebody types as a server.
import { contains, parseAddress } from '../../ground/addresses/address.ts';
import { Problem } from '../../ground/problems.ts';
import type { TargetPolicy } from '../connection/address-rules.ts';
import { permittedAddress } from '../connection/target-policy.ts';

export interface Gate {
  /** Why an address may not be queried; null when it may. This appliance's own services may be queried. */
  refusal(address: string, port: number): string | null;
  /** It is an address of this appliance. */
  isOwn(address: string): boolean;
  /** Whether the settings name the network of that address; never for a name. */
  isAllowed(host: string): boolean;
}

export function gateOf(policy: TargetPolicy): Gate {
  const own = new Set(policy.own.map(({ address }) => address.text));
  return {
    isOwn: (address) => own.has(address),
    refusal(address, port) {
      if (own.has(address)) return null;
      try {
        permittedAddress({ host: address, port }, address, policy);
        return null;
      } catch (error) {
        if (error instanceof Problem) return error.message;
        throw error;
      }
    },
    isAllowed(host) {
      const address = parseAddress(host);
      return address !== null && policy.allowed.some((network) => contains(network, address));
    },
  };
}

/** Addresses that may be queried, and why the others may not. */
export function divided(
  gate: Pick<Gate, 'refusal'>,
  addresses: readonly string[],
  port: number,
): { open: string[]; faults: string[] } {
  const judged = addresses.map((address) => ({ address, fault: gate.refusal(address, port) }));
  return {
    open: judged.filter(({ fault }) => fault === null).map(({ address }) => address),
    faults: judged.flatMap(({ fault }) => fault ?? []),
  };
}
