// What the overview shows of DNS, of applies and of running work: a few fixed statements, however much there is.

import type { Database } from '../../ground/store/database.ts';
import type { JobState } from '../../kernel/jobs/job.ts';
import { settingsOf } from '../../services/dns-dhcp/settings.ts';
import type { PlanState } from '../apply/plan.ts';

export interface DnsGlance {
  enabled: boolean;
  listen_interfaces: string[];
  zones: number;
  records: number;
}

const DNS = `SELECT (SELECT document FROM unit_settings WHERE unit = 'dns-dhcp') AS document,
  (SELECT count(*) FROM dns_zone) AS zones, (SELECT count(*) FROM dns_record) AS records`;

export async function glanceAtDns(database: Database): Promise<DnsGlance> {
  const row = await database.one<{ document: string | null; zones: number; records: number }>(DNS);
  const { enabled, listen_interfaces } = settingsOf(row?.document ?? undefined);
  return { enabled, listen_interfaces, zones: row?.zones ?? 0, records: row?.records ?? 0 };
}

export interface PlanGlance {
  id: string;
  state: PlanState;
  /** Labels of its units. */
  units: string[];
  by: string;
  at: string;
  note: string;
}

const PLANS = `SELECT id, state, note, coalesce(submitted_by, created_by) AS by,
    coalesce(finished_at, submitted_at, created_at) AS at,
    (SELECT json_group_array(json_extract(value, '$.label')) FROM json_each(document, '$.units')) AS units
  FROM plan WHERE state IN ('submitted', 'applied', 'failed', 'cancelled') ORDER BY created_at DESC LIMIT ?`;

/** Plans that were submitted, newest first. */
export async function lastApplies(database: Database, limit: number): Promise<PlanGlance[]> {
  const rows = await database.all<Omit<PlanGlance, 'units'> & { units: string }>(PLANS, [limit]);
  return rows.map((row) => ({ ...row, units: JSON.parse(row.units) as string[] }));
}

export interface JobGlance {
  id: string;
  kind: string;
  subject: string | null;
  state: JobState;
  progress_percent: number;
  created_by: string;
  started_at: string | null;
}

const UNFINISHED = `SELECT id, kind, subject, state, progress_percent, created_by, started_at FROM job
  WHERE state IN ('queued', 'running', 'waiting') ORDER BY created_at LIMIT 10`;

export async function unfinishedJobs(database: Database): Promise<JobGlance[]> {
  return database.all<JobGlance>(UNFINISHED);
}
