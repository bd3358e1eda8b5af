// What the appliance calls the machine at an address: by a record that it answers, or by a reservation. Two statements.
import type { Database } from '../../ground/store/database.ts';
import { hostNamesAt } from './dhcp/reservation-lookups.ts';
import { namesOfAddresses } from './dns/record-lookups.ts';

/** Address → name, of those that have one. */
export async function knownNames(db: Database, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (addresses.length === 0) return new Map();
  const reserved = await hostNamesAt(db, addresses);
  const { served } = await namesOfAddresses(db, addresses);
  return new Map([...reserved, ...served]);
}
