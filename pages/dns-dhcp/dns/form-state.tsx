// Where the pages of the name service are, and what a reader is told there.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { mayOnlyRead } from '../../layout/form-state.tsx';

export {
  editedFrom,
  lastSaveOf,
  ON_APPLY,
  Refused,
  type SavedField,
  StaleForm,
  type Typed,
  typedInto,
} from '../../layout/form-state.tsx';

export const DNS = pagePath('dns');
export const zoneHref = (zone_id: string): string => `${DNS}/zones/${encodeURIComponent(zone_id)}`;
export const recordHref = (record_id: string): string => `${DNS}/records/${encodeURIComponent(record_id)}`;
export const newRecordHref = (zone: string): string => `${DNS}/records/new?zone=${encodeURIComponent(zone)}`;

export const MAY_ONLY_READ = mayOnlyRead('DNS');
