// What comes of the sections of an archive of schema 2: rows of our tables, and what has no place among them.
import type { ArchiveRow, Json } from '../rows.ts';
import { tableNamed } from '../tables.ts';
import { SourceRow } from './source-row.ts';

/** What is not taken over: `name` is a section, or says which of its rows. */
export interface Unplaced {
  name: string;
  count: number;
  why: string;
}

export class Translation {
  readonly #sections: Map<string, { name: string; value: unknown }>;
  /** By table. Those that the file carries, however many rows they have. */
  readonly tables = new Map<string, ArchiveRow[]>();
  readonly #unplaced = new Map<string, Unplaced>();
  readonly #at: string;

  /** `at`: when rows were made that do not say it. */
  constructor(sections: ReadonlyMap<string, unknown>, at: string) {
    this.#sections = new Map([...sections].map(([name, value]) => [singular(name), { name, value }]));
    this.#at = at;
  }

  has(section: string): boolean {
    return this.#sections.has(singular(section));
  }

  /** Rows of a section, which has its place then. None where there is no such section. */
  rows(section: string): SourceRow[] {
    const found = this.#take(section);
    if (!found) return [];
    const { name, value } = found;
    const list = Array.isArray(value) ? value : [value];
    return list.map((each, at) => new SourceRow(each, `${shown(name)}, row ${at + 1}`));
  }

  /** The one row of a section of settings. */
  settings(section: string): SourceRow | null {
    return this.rows(section)[0] ?? null;
  }

  /** The table is one that the file carries. */
  carry(table: string, rows: readonly Record<string, Json>[] = []): void {
    const standing = this.tables.get(table) ?? [];
    this.tables.set(table, standing);
    const dated = tableNamed(table)!.dated ? { created_at: this.#at } : {};
    for (const row of rows) standing.push({ ...dated, ...row } as unknown as ArchiveRow);
  }

  /** One more that has no place, for this reason. */
  leave(name: string, why: string, count = 1): void {
    const before = this.#unplaced.get(`${name}\n${why}`)?.count ?? 0;
    this.#unplaced.set(`${name}\n${why}`, { name, why, count: before + count });
  }

  /** With the sections that nobody asked for. */
  unplaced(): Unplaced[] {
    for (const { name, value } of this.#sections.values()) {
      const count = Array.isArray(value) ? value.length : value === null ? 0 : 1;
      if (count > 0) this.leave(shown(name), WHY[singular(name)] ?? 'This appliance has no place for it.', count);
    }
    this.#sections.clear();
    return [...this.#unplaced.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #take(section: string): { name: string; value: unknown } | null {
    const key = singular(section);
    const found = this.#sections.get(key);
    this.#sections.delete(key);
    return found && found.value !== null ? found : null;
  }
}

const singular = (name: string): string => name.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');

/** A name out of a file is shown as far as it is one. */
const shown = (name: string): string => (/^[a-z][a-z0-9_]{0,63}$/.test(name) ? name : 'sections with other names');

/** Of sections of which more is to be said. Keys are singular. */
const WHY: Readonly<Record<string, string>> = {
  firewall_rule: 'The form of its rules is not that of rules here: enter them anew.',
  esxi_kickstart: 'Kickstarts have other markers here: load their texts one by one.',
  ca_certificate: 'Their private keys are under a key that is not in the file.',
  ca_setting: 'Its private keys are under a key that is not in the file.',
  oidc_signing_key: 'Keys are under a key that is not in the file.',
};
