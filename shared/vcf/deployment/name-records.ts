// The records of a new appliance as desired state of our own DNS. Existing records are never overwritten; saved ones
// still need an apply.

import { zoneOf } from '../../ground/addresses/zone-name.ts';
import { instant } from '../../ground/clock.ts';
import type { Database } from '../../ground/store/database.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { recordsAt } from '../../services/dns-dhcp/dns/record-lookups.ts';
import { createRecords, type RecordDraft } from '../../services/dns-dhcp/dns/record-store.ts';
import { zoneStates } from '../../services/dns-dhcp/dns/zone-lookups.ts';
import { helperOwner, MANAGER } from '../../services/dns-dhcp/owned-component.ts';
import type { Addressing } from './addressing.ts';

export interface PlannedRecords {
  records: RecordDraft[];
  /** What has the name already, in words. */
  conflicts: string[];
  /** Why nothing can be saved at all; null when it can. */
  why_not: string | null;
  /**
   * What is off, `the name service` or a zone, so that saved records also wait for it. Null: they only wait for an
   * apply.
   */
  off: string | null;
}

/** What saving them would do. */
export async function plannedRecords(db: Database, { fqdn, addresses }: Addressing): Promise<PlannedRecords> {
  if (fqdn === null || addresses.length === 0) {
    return nothing('The properties say no whole name with a fixed address: there is nothing to save.');
  }
  const zones = await zoneStates(db);
  const zone = zoneOf(
    fqdn,
    zones.map(({ name }) => name),
  );
  if (zone === null) return nothing(`${fqdn} lies in no managed zone.`);
  const zoneOff = zones.some(({ name, enabled }) => name === zone && !enabled) ? `the zone ${zone}` : null;
  const named = await recordsAt(db, [fqdn]);
  const serves = (await savedDocuments<{ enabled?: boolean }>(db, ['dns-dhcp'])).get('dns-dhcp')?.enabled === true;
  const conflicts: string[] = [];
  const records = addresses.flatMap(({ family, address }) => {
    const type = family === 4 ? 'A' : 'AAAA';
    const there = named.filter((row) => row.type === type || row.type === 'CNAME');
    if (there.some(({ value, enabled }) => value === address && enabled)) return [];
    conflicts.push(
      ...there.map((row) => `${fqdn} has ${row.type} ${row.value} already${row.enabled ? '' : ', but it is off'}`),
    );
    const owner = helperOwner(MANAGER.ref, MANAGER.component);
    return there.length > 0 ? [] : [{ fqdn, type, value: address, description: 'SDDC Manager', owner }];
  });
  return { records, conflicts, why_not: null, off: serves ? zoneOff : 'the name service' };
}

const nothing = (why_not: string): PlannedRecords => ({ records: [], conflicts: [], why_not, off: null });

/** What was done, in words. */
export interface SavedRecords {
  /** What matters most comes first. */
  text: string;
  /** Saved now, or saved already. */
  saved: boolean;
  /** All records are as requested; only an apply is missing. */
  whole: boolean;
}

/** Pure. */
export function savedWords({ records, conflicts, why_not, off }: PlannedRecords): SavedRecords {
  if (why_not !== null) return { text: `${why_not} Nothing was saved.`, saved: false, whole: false };
  const kept = conflicts.length > 0 ? [`Not overwritten: ${conflicts.join('; ')}.`] : [];
  const names = records.map(({ fqdn, type, value }) => `${fqdn} ${type} ${value}`).join(', ');
  const saved = names !== '' || kept.length === 0;
  if (!saved) return { text: ['Nothing was saved.', ...kept].join(' '), saved, whole: false };
  const said =
    off === null
      ? [
          ...kept,
          names === '' ? 'Its records are saved already.' : `Saved: ${names}. They are served after the next apply.`,
        ]
      : [
          `Saved, not in force: ${off} is off.`,
          names === '' ? 'Its records were there already.' : `${names}.`,
          ...kept,
          `Switch ${off} on, then review the pending change and apply it.`,
        ];
  return { text: said.join(' '), saved, whole: off === null && kept.length === 0 };
}

/**
 * Saves what can be saved, in one transaction with its audit events.
 * @throws Problem 423 while an apply owns everything
 */
export async function saveRecords({ services, id, job }: JobRun, addressing: Addressing): Promise<PlannedRecords> {
  return services.store.write(async (tx) => {
    const planned = await plannedRecords(tx, addressing);
    if (planned.records.length === 0) return planned;
    const actor = systemActor(`appliance-deployment (${job.created_by})`);
    for (const record of await createRecords(tx, services, planned.records)) {
      const { fqdn, type, value, enabled } = record;
      await appendAudit(
        tx,
        services.keys,
        { at: instant(services.clock.now()), actor, request_id: id, source_address: '' },
        {
          action: 'dns.record.create',
          resource_type: 'dns_record',
          resource_id: record.id,
          detail: { fqdn, type, value, enabled, job_id: id },
        },
      );
    }
    return planned;
  });
}
