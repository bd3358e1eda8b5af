// Reads DHCP scopes from CSV.
import { importOperation } from '../../../shared/platform/units/import-operation.ts';
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';

export const operation = importOperation(dhcpScopes);
