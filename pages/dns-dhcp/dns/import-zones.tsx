// Reading zones from CSV.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { dnsZones } from '../../../shared/services/dns-dhcp/dns/zone-store.ts';
import { importPage } from '../../units/import-page.tsx';

export const page = importPage(dnsZones, [{ href: pagePath('dns'), label: 'DNS' }]);
