// The deployments whose names were generated, by the records that the helper owns.

import { catalogOf } from '../../ground/catalogs/index.ts';
import type { Database } from '../../ground/store/database.ts';
import { generatedNames } from '../../services/dns-dhcp/dns/record-lookups.ts';
import { ownedComponent, SOURCE } from '../../services/dns-dhcp/owned-component.ts';

export interface GeneratedSet {
  catalog: string;
  label: string;
  prefix: string;
  suffix: string;
  domain: string;
  names: number;
  records: number;
}

/** By domain, prefix, suffix and catalog. One statement. */
export async function generatedSets(db: Database): Promise<GeneratedSet[]> {
  const sets = new Map<string, GeneratedSet>();
  for (const { fqdn, catalog, component: saved, records } of await generatedNames(db)) {
    const component = ownedComponent({ source: SOURCE, ref: catalog, component: saved });
    const known = catalogOf(catalog ?? '');
    const dot = fqdn.indexOf('.');
    const at = component === null ? -1 : fqdn.slice(0, dot).indexOf(component);
    if (!known || component === null || at < 0) continue;
    const parts = {
      prefix: fqdn.slice(0, at),
      suffix: fqdn.slice(at + component.length, dot),
      domain: fqdn.slice(dot + 1),
    };
    const key = [parts.domain, parts.prefix, parts.suffix, known.id].join(' ');
    const set = sets.get(key) ?? { catalog: known.id, label: known.label, ...parts, names: 0, records: 0 };
    sets.set(key, { ...set, names: set.names + 1, records: set.records + records });
  }
  return [...sets].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, set]) => set);
}
