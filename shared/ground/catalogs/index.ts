// Every deployment catalog there is, the usual one first.
import type { Catalog } from './catalog.ts';
import { vcf91 } from './vcf-9.1.ts';
import { vvf91 } from './vvf-9.1.ts';

export const CATALOGS: readonly [Catalog, ...Catalog[]] = [vcf91, vvf91];

/** By id or label, in any case: `vcf-9.1`, `VCF 9.1`. Null for any other. */
export function catalogOf(text: string): Catalog | null {
  const id = text.trim().toLowerCase().replace(/\s+/g, '-');
  return CATALOGS.find((catalog) => catalog.id === id) ?? null;
}
