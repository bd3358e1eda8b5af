// Where the secret of a receiver is sealed: bound to its row.
import type { RowPlace } from '../../ground/sealing/envelope.ts';

export const secretPlace = (id: string): RowPlace => ({ table: 'alert_receiver_secret', row: id, field: 'value' });
