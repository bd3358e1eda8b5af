// Facts as people read them: setting → value, in the order of a review.
import { type Facts, nameOf } from '../../shared/platform/units/facts.ts';
import type { AnyUnit } from '../../shared/platform/units/unit.ts';

export const said = (unit: Pick<AnyUnit, 'words'>, facts: Facts): Map<string, string> =>
  new Map([...facts].map(([key, value]) => unit.words(key.split(' ', 1)[0]!, nameOf(key), value)));
