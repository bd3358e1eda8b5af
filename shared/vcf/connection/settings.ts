// The settings document of connections to remote machines: one row beside those of the units, though no apply concerns
// it. It takes effect with the next connection.
import * as v from 'valibot';
import { type Cidr, parseCidr } from '../../ground/addresses/address.ts';
import { type Clock, instant } from '../../ground/clock.ts';
import { component, integerSchema } from '../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { saveDocument, savedDocument } from '../../platform/units/documents.ts';
import { networks } from '../../platform/units/settings-schemas.ts';

const KEY = 'remote';

export interface RemoteSettings {
  allowed_networks: string[];
}

export type SavedRemoteSettings = RemoteSettings & {
  /** 0 while nothing was ever saved and the defaults hold. */
  revision: number;
  updated_at: string | null;
};

const ALLOWED =
  'Networks to which connections are made although a rule refuses them: loopback, link-local, multicast and reserved addresses. A cloud’s metadata service and an address of the appliance itself need an entry for that one address; so does a loopback address at a port of the appliance’s own listeners, while a network of loopback addresses lifts the rule for whatever else listens there on this machine. Known forms of IPv4 addresses in IPv6 are judged as both, but the NAT64 prefix that a site has chosen for itself cannot be known: an address in it is dialled like any other. A name with more than 64 addresses is not dialled, with or without an exception. Empty: no exception.';

const accepted = v.strictObject({ allowed_networks: networks(ALLOWED) });

export const remoteSettingsUpdateSchema = component('RemoteSettingsUpdate', v.partial(accepted), {
  allowed_networks: ['192.0.2.0/24', '2001:db8:10::/64'],
});
export const remoteSettingsSchema = component(
  'RemoteSettings',
  v.object({
    allowed_networks: v.pipe(v.array(v.string()), v.description(ALLOWED)),
    revision: v.pipe(integerSchema, v.description('0 while nothing was ever saved and the defaults hold.')),
    updated_at: v.pipe(v.nullable(v.string()), v.description('RFC 3339 in UTC; null while nothing was ever saved.')),
  }),
);

/** The saved settings, or the defaults. One statement. */
export async function readRemoteSettings(db: Database): Promise<SavedRemoteSettings> {
  const row = await savedDocument(db, KEY);
  if (!row) return { allowed_networks: [], revision: 0, updated_at: null };
  const { allowed_networks = [] } = JSON.parse(row.document) as Partial<RemoteSettings>;
  return { allowed_networks, revision: row.revision, updated_at: row.updated_at };
}

/**
 * Changes the members that are named. Without a difference nothing is written. Two statements at most.
 * @throws Problem 412
 */
export async function saveRemoteSettings(
  tx: Transaction,
  { clock }: { clock: Clock },
  patch: { allowed_networks?: string[] | undefined },
  if_match: Precondition,
): Promise<{ saved: SavedRemoteSettings; changed: boolean }> {
  const before = await readRemoteSettings(tx);
  requireRevision(if_match, before.revision);
  const { allowed_networks = before.allowed_networks } = patch;
  if (JSON.stringify(allowed_networks) === JSON.stringify(before.allowed_networks))
    return { saved: before, changed: false };
  const updated_at = instant(clock.now());
  await saveDocument(tx, KEY, { allowed_networks } satisfies RemoteSettings, updated_at);
  return { saved: { allowed_networks, revision: before.revision + 1, updated_at }, changed: true };
}

/** The networks that lift the rules; what no longer reads as one lifts nothing. */
export function allowedNetworks({ allowed_networks }: RemoteSettings): Cidr[] {
  return allowed_networks.flatMap((text) => parseCidr(text) ?? []);
}
