// A person read together with the client that asks: where its people come from seldom changes.
import { CLIENTS_MOST, type Client } from '../clients/clients.ts';
import type { People, Person } from './people.ts';

/** Where people of clients came from when it was asked last. */
const likely = new Map<string, Pick<Client, 'source' | 'organization'>>();

/** Looked for where the people of this client most likely are; what the client says in the end counts. Null: nobody. */
export async function personFor(
  people: Record<Client['source'], People>,
  asks: string,
  sub: string,
  reading: Promise<Client | null>,
): Promise<Person | null> {
  const from = likely.get(asks);
  const begun = from && people[from.source].find(from.organization, sub);
  begun?.catch(() => undefined);
  const client = await reading;
  if (!client) return null;
  const { source, organization } = client;
  if (begun && from.source === source && from.organization === organization) return begun;
  if (likely.size > CLIENTS_MOST) likely.clear();
  likely.set(asks, { source, organization });
  return people[source].find(organization, sub);
}
