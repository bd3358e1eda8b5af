// The form that reads zones from CSV.
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { importForm } from '../../forms/import-form.ts';
import { operation as importDnsZones } from './import-zones.ts';

export const operation = importForm(dnsZones, importDnsZones);
