// What an archive has of the tables of this room: nothing. Who may sign in belongs to the appliance, not to its state.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  user: { as: 'identity' },
  api_token: { as: 'identity' },
  session: { as: 'transient' },
  sign_in_throttle: { as: 'transient' },
  known_network: { as: 'identity' },
  mutation_lock: { as: 'transient' },
};
