// Reads the desired state of the portal: a handful of statements, and two while there is none.
import type { Database } from '../../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../interfaces/interface.ts';
import { effectiveManagementListeners } from '../../interfaces/management-listener.ts';
import { listeningOn } from '../../interfaces/refresh/standing.ts';
import { savedDocument } from '../../units/documents.ts';
import { settingsOf } from '../../units/settings-store.ts';
import type { Surroundings } from '../../units/unit.ts';
import { listAuthorities, namingOthers } from '../certificate-store.ts';
import { certificateAuthoritySettings } from '../settings.ts';
import { PORTAL_PORT, type PortalAuthority, type PortalManifest } from './manifest.ts';
import { heldByOthers, type OtherService } from './port-claims.ts';

export interface PortalDesired {
  /** Custody is on, and an interface was chosen. */
  on: boolean;
  hostname: string;
  revocation: boolean;
  /** In the order of the settings; `held`: another service has the port there. */
  listen: { name: string; usable: boolean; addresses: string[]; held?: OtherService }[];
  /** Addresses where another part of this service uses the port → that part. */
  taken: Record<string, 'public-pages' | 'management-ui'>;
  /** Oldest first. */
  authorities: PortalAuthority[];
  /** Host in addresses of certificates that are still valid, other than the host name → how many name it. */
  orphaned: Record<string, number>;
}

export const NO_PORTAL: PortalDesired = {
  on: false,
  hostname: '',
  revocation: false,
  listen: [],
  taken: {},
  authorities: [],
  orphaned: {},
};

/** Desired state of the unit. Expects a consistent view, that is a snapshot or a transaction. */
export async function load(db: Database, surroundings: Surroundings): Promise<PortalDesired> {
  const { key } = certificateAuthoritySettings;
  const saved = settingsOf(certificateAuthoritySettings, (await savedDocument(db, key))?.document);
  const { enabled, listen_interfaces, portal_hostname: hostname, publish_crl: revocation } = saved;
  if (!enabled || listen_interfaces.length === 0) return { ...NO_PORTAL, orphaned: await namingOthers(db, '') };
  const rows = await loadInterfaces(db);
  const authorities = (await listAuthorities(db)).reverse();
  const held = await heldByOthers(db);
  return {
    on: true,
    hostname,
    revocation,
    listen: listeningOn(listen_interfaces, rows).map((each) => {
      const service = held.get(each.name);
      return service === undefined ? each : { ...each, held: service };
    }),
    taken: takenBy(rows, surroundings),
    authorities: authorities.map(({ id, standing, subject, sha256, not_before, not_after, chain_pem, ...row }) => ({
      ...{ id, standing, subject, sha256, not_before, not_after, chain_pem },
      pem: row.certificate_pem,
    })),
    orphaned: await namingOthers(db, hostname),
  };
}

function takenBy(
  rows: readonly NetworkInterface[],
  { management_port, public_listen }: Surroundings,
): PortalDesired['taken'] {
  const management = management_port === PORTAL_PORT ? effectiveManagementListeners(rows) : [];
  return {
    ...(public_listen?.port === PORTAL_PORT && { [public_listen.host]: 'public-pages' as const }),
    ...Object.fromEntries(management.map(({ address }) => [address, 'management-ui' as const])),
  };
}

export const listenersOf = ({ listen }: Pick<PortalDesired, 'listen'>): PortalManifest['listeners'] =>
  listen.flatMap(({ name, addresses }) =>
    addresses.map((address) => ({ interface: name, address, port: PORTAL_PORT })),
  );
