// The form that deletes a client.
import { clients } from '../../shared/services/oidc/clients/clients.ts';
import { deleteForm } from '../forms/collection-form.ts';
import { operation as deleteOidcClient } from './delete-client.ts';

export const operation = deleteForm(clients, deleteOidcClient);
