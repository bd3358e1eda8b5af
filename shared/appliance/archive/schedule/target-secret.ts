// Where the secret of a target is sealed: bound to its row.
import type { SealedPlace } from '../../../ground/sealing/envelope.ts';

export const TARGET_TABLE = 'archive_target';

export const targetPlace = ({ id }: { id: string }): SealedPlace => ({ table: TARGET_TABLE, row: id, field: 'secret' });
