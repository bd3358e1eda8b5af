// What a unit says of itself to the rest of the appliance, in the `unit-manifest.ts` of its folder: plain data that
// imports nothing, so that a list of units can be read without the code of any. Everything that names units is made from
// these; `npm run registry` gathers them.
import type { UnitId } from '../../kernel/generated/units.ts';

export interface UnitManifest {
  /** Rows, files and addresses have it, so it never changes. */
  id: UnitId;
  /** Its place in an apply: what others stand on comes first. */
  order: number;
  /** What people call it. */
  name: string;
  /** Resources of scopes that it brings → the role that may write them beside admin. */
  resources: Readonly<Record<string, 'service-admin' | 'network-admin'>>;
}
