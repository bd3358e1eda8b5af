// Where the pages of DHCP are, and the words that they share.

import { overlaps, parseCidr } from '../../../shared/ground/addresses/address.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { NO_GATEWAY, OWNER, type ScopeRow } from '../../../shared/platform/interfaces/refresh/snapshot.ts';
import { type Standing, standingIn } from '../../../shared/platform/interfaces/refresh/standing.ts';
import type { ReservationOwner } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { FAMILY_NAME } from '../../../shared/services/dns-dhcp/dhcp/subnet-values.ts';
import { State } from '../../components/state-word.tsx';

export const DHCP = { href: pagePath('dhcp'), label: 'DHCP' };
export const SCOPES = `${DHCP.href}/scopes`;
export const OPTIONS = `${DHCP.href}/options`;
export const RESERVATIONS = { href: `${DHCP.href}/reservations`, label: 'Reservations' };
export const LEASES = { href: `${DHCP.href}/leases`, label: 'Leases' };
export const LEGACY = `${DHCP.href}/legacy-binding`;

export const scopeHref = (id: string): string => `${SCOPES}/${encodeURIComponent(id)}`;
export const optionHref = (id: string): string => `${OPTIONS}/${encodeURIComponent(id)}`;
export const reservationHref = (id: string): string => `${RESERVATIONS.href}/${encodeURIComponent(id)}`;

const KEEPERS: Readonly<Record<string, { called: string; href(ref: string): string }>> = {
  [OWNER.host]: { called: 'ESXi host', href: (ref) => pagePath('boot-host', ref) },
};

/** The part of the appliance that keeps a reservation, with the way to it. */
export function Keeper({ owner }: { owner: ReservationOwner | null }) {
  if (owner === null) return <span class="muted">operators</span>;
  const keeper = KEEPERS[owner.source];
  const name = `${keeper?.called ?? owner.source} ${owner.component ?? owner.ref}`;
  return keeper ? <a href={keeper.href(owner.ref)}>{name}</a> : <span>{name}</span>;
}

type Place = Pick<ScopeRow, 'interface' | 'enabled' | 'address_family' | 'subnet_cidr'>;

/** What keeps an enabled scope from being served on its interface; null when nothing does. */
export function obstacleOf(scope: Place, standing: ReadonlyMap<string, Standing>): string | null {
  if (!scope.enabled) return null;
  const name = scope.interface;
  if (name === '') return 'no interface';
  if (!standing.has(name)) return `${name} is gone`;
  const { on, networks } = standingIn(standing, name);
  if (!on) return `${name} is off`;
  const network = networks[scope.address_family];
  if (!network) return `${name} has no ${FAMILY_NAME[scope.address_family]} address`;
  const subnet = parseCidr(scope.subnet_cidr);
  return subnet && overlaps(subnet, network) ? null : `${name} is in ${network.text}`;
}

/** Why it could not be served; nothing where it can. */
export function Obstacle({ scope, standing }: { scope: Place; standing: ReadonlyMap<string, Standing> }) {
  const obstacle = obstacleOf(scope, standing);
  return obstacle !== null && <State kind="bad">Not served: {obstacle}</State>;
}

/** `told`: what clients are told when the saved one follows the appliance. */
export function Gateway({ of, told }: { of: string; told: string }) {
  if (of === NO_GATEWAY) return <span class="muted">none given</span>;
  if (of !== '') return <code>{of}</code>;
  return (
    <span class="muted">
      follows the appliance{told !== '' && ': '}
      {told !== '' && <code>{told}</code>}
    </span>
  );
}

/** `172.16.20.100–199`, as short as it stays plain. */
export function rangeText({ start, end }: { start: string; end: string }): string {
  if (start === end) return start;
  const cut = start.lastIndexOf('.') + 1;
  const same = cut > 0 && end.startsWith(start.slice(0, cut));
  return `${start}–${same ? end.slice(cut) : end}`;
}
