// The buttons below the list of clients, for those that were chosen.
import { clients } from '../../shared/services/oidc/clients/clients.ts';
import { chosenForm } from '../forms/collection-list.ts';

export const operation = chosenForm(clients);
