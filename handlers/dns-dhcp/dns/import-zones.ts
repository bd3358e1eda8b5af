// Reads zones from CSV.
import { followServiceRecords } from '../../../shared/appliance/edits/service-records.ts';
import { importOperation } from '../../../shared/platform/units/import-operation.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';

export const operation = importOperation(dnsZones, { follows: followServiceRecords });
