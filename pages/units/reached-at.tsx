// Where clients reach a service: its derived addresses, and what its host name needs to lead there.

import { pagePath } from '../../shared/ground/page-paths.ts';
import type { NameStanding } from '../../shared/services/dns-dhcp/dns/host-name.ts';
import { FirstOf } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import type { Fact } from '../components/facts.tsx';
import { PageLink } from '../components/page-link.tsx';

/** An appliance with hundreds of VLANs can listen on all of them. */
const MOST = 6;

/** Addresses, each to be copied. */
export function Addresses({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return <span class="muted">none: no interface with an address is chosen</span>;
  const items = addresses.map((address) => (
    <Copyable key={address} id={`at-${address.replaceAll(/[.:]/g, '-')}`} text={address} />
  ));
  return <FirstOf most={MOST} items={items} />;
}

export interface HostNameProps {
  hostname: string;
  enabled: boolean;
  addresses: readonly string[];
  standing: NameStanding | null;
}

/** The host name as a fact, with who keeps its records, or what is to be done. */
export function hostNameFact({ hostname, enabled, addresses, standing }: HostNameProps): Fact {
  if (hostname === '' || standing === null) {
    return { label: 'Host name', value: <span class="muted">none: clients use the addresses</span> };
  }
  return {
    label: 'Host name',
    value: (
      <>
        <Copyable id="at-host-name" text={hostname} />
        <p class="muted">
          <Records {...{ hostname, enabled, addresses, standing }} />
        </p>
      </>
    ),
  };
}

const zoneHref = (id: string): string => pagePath('dns-zone', id);
const recordHref = (id: string): string => pagePath('dns-record', id);

function Records({ enabled, addresses, standing }: HostNameProps & { standing: NameStanding }) {
  const { zone, records } = standing;
  if (zone === null) {
    return (
      <>
        No managed zone holds this name. <PageLink href={`${pagePath('dns-zones')}/new`}>Add its zone</PageLink>, or
        have its A and AAAA records made where the zone is kept.
      </>
    );
  }
  const own = records.filter(({ owner }) => owner === 'service');
  const [other] = records.filter(({ owner }) => owner !== 'service');
  const link = <PageLink href={zoneHref(zone.id)}>{zone.name}</PageLink>;
  if (other) {
    return (
      <>
        There is <PageLink href={recordHref(other.id)}>a record</PageLink> of this name in {link} already, so the
        appliance keeps none: {other.type} {other.value}.
      </>
    );
  }
  if (own.length > 0) return <>The appliance keeps its address records in {link}.</>;
  if (!enabled || addresses.length === 0) {
    return <>The appliance keeps its address records in {link} while the service is on and has an address.</>;
  }
  return <>The appliance keeps no record of it in {link}: another service has the name.</>;
}
