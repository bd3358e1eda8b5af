// The interface that a guest called: by the address that took the connection, and the network that is in force.
import { isLoopback, parseAddress } from '../../ground/addresses/address.ts';
import type { Connection } from '../../kernel/operation/event.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { baselineDigest } from '../../platform/applied/unit-state.ts';
import { usableAddresses } from '../../platform/interfaces/management-listener.ts';
import type { NetworkDesired } from '../../platform/network/desired.ts';
import { baselineInForce } from './in-force.ts';

/**
 * `anywhere`: over loopback or a gateway, which is a proxy of whoever runs the appliance, so that no interface tells what is
 * offered. `nowhere`: the address belongs to no interface in force.
 */
export type CalledAt = { interface: string; address: string } | 'anywhere' | 'nowhere';

/** What was applied last, by the digest of its baseline: it never changes. */
let applied: { digest: string; names: ReadonlyMap<string, string> } | null = null;

/** An address that the network gives is known as it was when it was applied. */
export async function calledAt(services: Services, connection: Connection | null): Promise<CalledAt> {
  const local = connection && parseAddress(connection.local_address);
  if (!local || isLoopback(local)) return 'anywhere';
  const name = (await interfacesInForce(services)).get(local.text);
  return name === undefined ? 'nowhere' : { interface: name, address: local.text };
}

export const isCalled = (called: CalledAt, name: string): boolean =>
  called === 'anywhere' || (called !== 'nowhere' && called.interface === name);

/** Address → interface. */
async function interfacesInForce(services: Services): Promise<ReadonlyMap<string, string>> {
  const digest = await baselineDigest(services.store, 'network');
  if (digest === null) return new Map();
  if (applied?.digest !== digest) {
    const remembered = (await baselineInForce(services, digest))?.remembered as NetworkDesired | undefined;
    const pairs = (remembered?.interfaces ?? []).flatMap((row) =>
      usableAddresses(row).map((address) => [address, row.name] as const),
    );
    applied = { digest, names: new Map(pairs) };
  }
  return applied.names;
}
