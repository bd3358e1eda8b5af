// The checks of records before they are saved, against the zones, records of the same names, and the targets of
// aliases. The saved state is read in one statement, however many records there are; the checks are pure.

import { canonicalName } from '../../../ground/addresses/zone-name.ts';
import { type ErrorCode, type FieldError, invalid, Problem } from '../../../ground/problems.ts';
import type { Database } from '../../../ground/store/database.ts';
import { OWNER } from '../../../platform/interfaces/refresh/snapshot.ts';
import type { RecordData, RecordType } from './record-data.ts';
import { aliasLoops, aliasTargetFault, recordConflicts, zoneOfRecord } from './record-rules.ts';
import { selfAndAbove, zoneIds } from './zone-lookups.ts';

export interface Standing {
  /** Zones that the records may belong to, by name. */
  zones: ReadonlyMap<string, string>;
  /** Saved records of the names in question. */
  saved: readonly (RecordData & { id: string })[];
  /** Aliases on the way from the targets in question. */
  aliases: ReadonlyMap<string, string>;
  /** Names whose address records a service of the appliance owns. */
  kept: ReadonlySet<string>;
  /** JSON of the saved record that is being edited. */
  self: string | null;
}

export const RECORD_JSON = `json_object('id', id, 'fqdn', fqdn, 'type', type, 'value', value,
  'description', description, 'enabled', enabled, 'owner_source', owner_source, 'owner_ref', owner_ref,
  'owner_component', owner_component, 'zone_id', zone_id, 'created_at', created_at, 'updated_at', updated_at,
  'revision', revision, 'zone', (SELECT name FROM dns_zone WHERE dns_zone.id = zone_id))`;

// ?1 zone names, ?2 record names, ?3 alias targets as JSON lists; ?4 the edited record, whose saved name and value are
// looked up as well. CROSS JOIN keeps the planner from reading all records for each of a few names.
const FACTS = `WITH RECURSIVE self AS (SELECT * FROM dns_record WHERE id = ?4),
  walk(name) AS (
    SELECT value FROM json_each(?3) UNION SELECT value FROM self WHERE type = 'CNAME'
    UNION SELECT next.value FROM walk CROSS JOIN dns_record next ON next.fqdn = walk.name AND next.type = 'CNAME')
  SELECT 'self' AS kind, id, fqdn, type, ${RECORD_JSON} AS value FROM self
  UNION ALL SELECT 'zone', id, name, '', '' FROM dns_zone WHERE name IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT 'zone', zone.id, zone.name, '', '' FROM self JOIN dns_zone zone
    ON self.fqdn = zone.name OR substr(self.fqdn, -length(zone.name) - 1) = '.' || zone.name
    OR self.value = zone.name OR substr(self.value, -length(zone.name) - 1) = '.' || zone.name
  UNION ALL SELECT 'record', id, fqdn, type, value FROM dns_record
    WHERE fqdn IN (SELECT value FROM json_each(?2) UNION SELECT fqdn FROM self)
  UNION ALL SELECT 'kept', id, fqdn, '', '' FROM dns_record
    WHERE fqdn IN (SELECT value FROM json_each(?2)) AND owner_source = '${OWNER.service}'
  UNION ALL SELECT 'alias', alias.id, alias.fqdn, '', alias.value FROM walk
    CROSS JOIN dns_record alias ON alias.fqdn = walk.name AND alias.type = 'CNAME'`;

interface Fact {
  kind: 'self' | 'zone' | 'record' | 'kept' | 'alias';
  id: string;
  fqdn: string;
  type: string;
  value: string;
}

/** Types whose value is a name that has to be in a zone, or decides which zone the record belongs to. */
const NAMING = new Set(['CNAME', 'PTR']);

/** Reads the saved state for the wanted records; of an edited record (`self`) only changed members have to be given. */
export async function readStanding(
  db: Database,
  wanted: readonly { fqdn?: string | undefined; type?: string; value?: string | undefined }[],
  self = '',
): Promise<Standing> {
  const names = new Set<string>();
  const targets = new Set<string>();
  for (const { fqdn, type, value } of wanted) {
    if (fqdn !== undefined) names.add(canonicalName(fqdn));
    if (value !== undefined && (type === undefined || NAMING.has(type))) targets.add(canonicalName(value));
  }
  const zones = new Set([...names, ...targets].flatMap(selfAndAbove));
  const lists = [zones, names, targets].map((each) => JSON.stringify([...each]));
  const facts = await db.all<Fact>(FACTS, [...lists, self]);
  const of = (kind: Fact['kind']) => facts.filter((fact) => fact.kind === kind);
  return {
    zones: new Map(of('zone').map(({ fqdn, id }) => [fqdn, id])),
    saved: of('record').map(({ id, fqdn, type, value }) => ({ id, fqdn, type: type as RecordType, value })),
    aliases: new Map(of('alias').map(({ fqdn, value }) => [fqdn, value])),
    kept: new Set(of('kept').map(({ fqdn }) => fqdn)),
    self: of('self')[0]?.value ?? null,
  };
}

const RECORDS = 'SELECT id, fqdn, type, value, owner_source FROM dns_record LIMIT ?';

/**
 * All that is saved, for whatever may come, in two statements that look nothing up; null where there are more than `most` records,
 * for which those of the wanted names are read (`readStanding`).
 */
export async function readAllStanding(db: Database, most: number): Promise<Standing | null> {
  const saved = await db.all<RecordData & { id: string; owner_source: string | null }>(RECORDS, [most + 1]);
  if (saved.length > most) return null;
  const zones = await zoneIds(db);
  const aliases = saved.filter(({ type }) => type === 'CNAME').map(({ fqdn, value }) => [fqdn, value] as const);
  const kept = saved.filter(({ owner_source }) => owner_source === OWNER.service).map(({ fqdn }) => fqdn);
  return { zones, saved, aliases: new Map(aliases), kept: new Set(kept), self: null };
}

/** Why a record cannot be saved. `at`: its index in the request. */
export interface RecordFault {
  at: number;
  member: 'fqdn' | 'type' | 'value';
  code: ErrorCode;
  detail: string;
}

export type Judged = { zone_id: string } | { faults: RecordFault[] };

/** Checks canonical records, each against saved ones and those before it. `self`: id of the edited record. */
export function judge(records: readonly (RecordData | null)[], standing: Standing, self = ''): Judged[] {
  const judging = new Judging(self);
  judging.know(standing);
  const verdicts = records.map((record, index) => judging.take(record, index));
  const circling = judging.circling();
  return verdicts.map((verdict, index) => circling(records[index] ?? null, index) ?? verdict);
}

/** The same record by record, for more than are checked in one go: what is saved may be told in parts, each before its records. */
export class Judging {
  readonly #self: string;
  readonly #zones = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #kept = new Set<string>();
  readonly #aliases = new Map<string, string>();
  readonly #atName = new Map<string, AtName | Several>();
  readonly #sound = new Set<number>();

  constructor(self = '') {
    this.#self = self;
  }

  /** Names of the zones by their ids. */
  get zones(): ReadonlyMap<string, string> {
    return this.#zones;
  }

  know({ zones, saved, aliases, kept }: Omit<Standing, 'self'>): void {
    for (const [name, id] of zones) {
      this.#zones.set(name, id);
      this.#names.add(name);
    }
    for (const name of kept) this.#kept.add(name);
    for (const [name, target] of aliases) this.#aliases.set(name, target);
    for (const other of saved) {
      if (other.id !== this.#self) this.#add(other);
      else if (other.type === 'CNAME') this.#aliases.delete(other.fqdn);
    }
  }

  /** `index`: its place among all. Null: its own faults were told already. */
  take(record: RecordData | null, index: number): Judged {
    if (!record) return { faults: [] };
    const zone = zoneOfRecord(record, this.#names);
    const found = this.#kept.has(record.fqdn) && ADDRESSING.has(record.type) ? [KEPT] : [];
    const conflicts = faultsOf(record, zone, this.#names, this.#others(record));
    const faults = (conflicts.length > 0 ? conflicts : found).map((fault) => ({ at: index, ...fault }));
    this.#add(record);
    if (record.type === 'CNAME') this.#aliases.set(record.fqdn, record.value);
    if (faults.length > 0 || zone === null) return { faults };
    if (record.type === 'CNAME') this.#sound.add(index);
    return { zone_id: this.#zones.get(zone)! };
  }

  /** After the last one: the fault of an alias without another that leads into a circle; null for all others. */
  circling(): (record: RecordData | null, index: number) => { faults: RecordFault[] } | null {
    const leading = leadingInto(new Set(aliasLoops(this.#aliases)), this.#aliases);
    return (record, index) =>
      record?.type === 'CNAME' && this.#sound.has(index) && leading.has(record.value)
        ? { faults: [{ at: index, ...refused('value', 'Aliases would point at each other in a circle.') }] }
        : null;
  }

  #add(record: AtName): void {
    const { fqdn } = record;
    const known = this.#atName.get(fqdn);
    // Most names have one record: nothing more is kept of them.
    if (!known) this.#atName.set(fqdn, record);
    else if (known instanceof Several) known.add(record);
    else this.#atName.set(fqdn, new Several(known, record));
  }

  /** Of the records of the name: the same, where there is one, and one of each type. */
  #others(record: RecordData): readonly Like[] {
    const known = this.#atName.get(record.fqdn);
    if (!known) return NONE;
    return known instanceof Several ? known.like(record) : [known];
  }
}

interface Like {
  type: string;
  value: string;
}
type AtName = Like & { fqdn: string };

const NONE: readonly Like[] = [];

/** The records of a name. Those that decide about another one are found at once, however many there are. */
class Several {
  /** By type: the first, and the values of all. */
  readonly #types = new Map<string, { first: string; values: Set<string> }>();

  constructor(...records: readonly Like[]) {
    for (const record of records) this.add(record);
  }

  add({ type, value }: Like): void {
    const known = this.#types.get(type);
    if (known) known.values.add(value);
    else this.#types.set(type, { first: value, values: new Set([value]) });
  }

  like({ type, value }: Like): Like[] {
    const same = this.#types.get(type)?.values.has(value) ? [{ type, value }] : [];
    return [...same, ...[...this.#types].map(([other, { first }]) => ({ type: other, value: first }))];
  }
}

/** Names from which aliases lead to one of `circling`, and those themselves. Each name is looked at once. */
function leadingInto(circling: ReadonlySet<string>, aliases: ReadonlyMap<string, string>): ReadonlySet<string> {
  if (circling.size === 0) return circling;
  const leading = new Set(circling);
  const settled = new Set<string>();
  for (const start of aliases.keys()) {
    const way: string[] = [];
    let name: string | undefined = start;
    for (; name !== undefined && !settled.has(name) && !leading.has(name); name = aliases.get(name)) {
      way.push(name);
      settled.add(name);
    }
    if (name !== undefined && leading.has(name)) for (const each of way) leading.add(each);
  }
  return leading;
}

type Fault = Omit<RecordFault, 'at'>;

/** Types that give a name its addresses. */
const ADDRESSING = new Set(['A', 'AAAA', 'CNAME']);
const KEPT: Fault = {
  member: 'fqdn',
  code: 'state_conflict',
  detail: 'A service of the appliance owns the addresses of this name; change its host name first.',
};

const refused = (member: Fault['member'], detail: string): Fault => ({
  member,
  code: 'request_validation_failed',
  detail,
});

function faultsOf(
  record: RecordData,
  zone: string | null,
  zones: ReadonlySet<string>,
  others: readonly { type: string; value: string }[],
): Fault[] {
  if (zone === null) return [refused('fqdn', 'No managed zone holds this name; add its zone first.')];
  const alone = recordConflicts(record, [], zone);
  if (alone !== null) return [refused(record.value === record.fqdn ? 'value' : 'fqdn', alone)];
  const target = aliasTargetFault(record, zones);
  const conflict = recordConflicts(record, others, zone);
  const same = others.some(({ type, value }) => type === record.type && value === record.value);
  return [
    ...(target === null ? [] : [refused('value', target)]),
    ...(conflict === null
      ? []
      : [
          {
            member: 'fqdn' as const,
            code: same ? ('already_exists' as const) : ('state_conflict' as const),
            detail: conflict,
          },
        ]),
  ];
}

/** The refusal of records: 422 when one itself has a fault, else 409. `place` makes the pointer. */
export function refusalOf(faults: readonly RecordFault[], place: (fault: RecordFault) => string): Problem {
  const errors: FieldError[] = faults.map((fault) => ({ pointer: place(fault), detail: fault.detail }));
  const conflicts = faults.every(({ code }) => code !== 'request_validation_failed');
  if (!conflicts) return invalid(...errors);
  const code = faults.every((fault) => fault.code === 'already_exists') ? 'already_exists' : 'state_conflict';
  const detail = faults.length === 1 ? faults[0]!.detail : `${faults.length} records conflict with others.`;
  return new Problem(code, detail, { errors });
}
