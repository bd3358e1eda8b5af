// The buttons below the records of a zone, for those that were chosen.
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { idParam } from '../../../shared/ground/schemas/component.ts';
import { findItem } from '../../../shared/platform/units/collection-store.ts';
import { dnsRecords } from '../../../shared/services/dns-dhcp/dns/records.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { chosenForm } from '../../forms/collection-list.ts';

const zone = pageRoute('dns-zone');

export const operation = chosenForm(dnsRecords, {
  page: zone,
  path: `${zone}/records/chosen`,
  params: idParam('zone_id', 'Id of the zone.'),
  belongs: (record, { zone_id }) => record.zone_id === zone_id,
  within: (tx, { zone_id }) => findItem(tx, dnsZones, zone_id!),
});
