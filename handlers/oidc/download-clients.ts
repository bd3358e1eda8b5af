// The clients of the list as a CSV file.
import { clients } from '../../shared/services/oidc/clients/clients.ts';
import { downloadOf } from '../forms/collection-list.ts';

export const operation = downloadOf(clients, { of: null });
