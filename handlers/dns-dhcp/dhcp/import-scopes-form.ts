// The form that reads DHCP scopes from CSV.
import { dhcpScopes } from '../../../shared/services/dns-dhcp/dhcp/scopes.ts';
import { importForm } from '../../forms/import-form.ts';
import { operation as importDhcpScopes } from './import-scopes.ts';

export const operation = importForm(dhcpScopes, importDhcpScopes);
