// Drift: whether the host still is as it was applied. Files in force are compared with the hashes of the baseline; what
// runs, each unit compares itself. Nothing is rolled back here: that is a plan like any other.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { systemActor } from '../../kernel/access/actor.ts';
import { findLock } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { type Baseline, loadBaseline } from '../../platform/applied/baseline.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { AnyUnit, DriftLook, ProbeResult } from '../../platform/units/unit.ts';
import { changedFiles } from './changed-files.ts';
import {
  type Drift,
  type DriftLine,
  lineWords,
  OUTDATED,
  type Probed,
  storedDrift,
  type UnitStanding,
  writeDrift,
  writeProbes,
} from './drift-store.ts';
import { runningDifference } from './running-difference.ts';

/** Seconds between two comparisons. */
export const DRIFT_EVERY = 300;
const LINES_KEPT = 20;

/** What one comparison found: differences, or why there was nothing to compare with. */
export type Finding = { lines: DriftLine[] } | { unreadable: string };

/** What was found of a unit, and what its service answered; null where nothing is enforced. */
interface Inspection {
  finding: Finding;
  probe: ProbeResult | null;
}

/** What was found, and what was known before. */
export interface Comparison {
  before: ReadonlyMap<UnitId, UnitStanding>;
  findings: ReadonlyMap<UnitId, Inspection>;
}

type Look = DriftLook<unknown>['look'];

/** Compares every unit that was applied with the host, and asks its service. Writes nothing. */
export async function compareHost(services: Services, units: readonly AnyUnit[], look?: Look): Promise<Comparison> {
  const before = await storedDrift(services.store);
  const findings = new Map<UnitId, Inspection>();
  for (const unit of units) {
    const state = before.get(unit.id);
    if (state?.entries_digest) findings.set(unit.id, await inspect(services, unit, state.entries_digest, look));
  }
  return { before, findings };
}

/**
 * Compares every unit that was applied, and writes down what was found. Does nothing while an apply runs. `look`: `touched`
 * right after an apply, which looked at what it did not touch when it was planned; all of it is looked at by the clock.
 */
export async function detectDrift(services: Services, units: readonly AnyUnit[], look?: Look): Promise<void> {
  const { store } = services;
  if (await findLock(store)) return;
  const comparison = await compareHost(services, units, look);
  if (comparison.findings.size === 0) return;
  try {
    const changed = await store.write((tx) => recordComparison(tx, services, comparison));
    if (changed) services.notify('pending');
  } catch (error) {
    // An apply began meanwhile: what was found is of a host that is being changed.
    if (!(error instanceof Problem && error.code === 'mutation_locked')) throw error;
  }
}

/** Never throws: a unit that can't be read is a finding of its own. */
async function inspect(services: Services, unit: AnyUnit, digest: string, look?: Look): Promise<Inspection> {
  const { host, settings, logger } = services;
  try {
    const { files, remembered } = await inForce(settings.data, unit, digest);
    const running = await runningDifference(host, unit, remembered, look && { look });
    const lines = [...(await changedFiles(host, files)), ...running];
    return { finding: { lines }, probe: await askInForce(services, unit, remembered) };
  } catch (error) {
    const { message } = error as Error;
    logger.warn('a unit could not be compared with the host', { unit: unit.id, failure: { message } });
    return { finding: { unreadable: message }, probe: null };
  }
}

/** Never throws. A state that was never remembered (a baseline of an old release) can't be asked about. */
async function askInForce({ host }: Services, unit: AnyUnit, remembered: unknown): Promise<ProbeResult | null> {
  if (!host.enforces || remembered === null || remembered === undefined) return null;
  try {
    return await (unit.probeInForce ? unit.probeInForce(host, remembered) : unit.probe(host, remembered));
  } catch (error) {
    return { ok: false, said: `The service could not be asked: ${(error as Error).message}`.slice(0, 500) };
  }
}

type InForce = Pick<Baseline, 'files' | 'remembered'>;
/** By data folder and unit: a baseline never changes, and a large one takes long to read. */
const known = new Map<string, { digest: string; value: InForce }>();

async function inForce(data: string, unit: AnyUnit, digest: string): Promise<InForce> {
  const key = `${data} ${unit.id}`;
  const found = known.get(key);
  if (found?.digest === digest) return found.value;
  const { files, remembered } = await loadBaseline(data, digest, unit.id);
  known.set(key, { digest, value: { files, remembered } });
  return { files, remembered };
}

/** Answers whether anything that people see has changed. */
export async function recordComparison(
  tx: Transaction,
  services: Services,
  { before, findings }: Comparison,
): Promise<boolean> {
  if (await findLock(tx)) return false;
  const at = instant(services.clock.now());
  const now = await storedDrift(tx);
  const rows = new Map<UnitId, Drift>();
  const probes = new Map<UnitId, Probed>();
  let changed = false;
  for (const [unit, { finding, probe }] of findings) {
    // Applied meanwhile: the comparison was with what is no longer in force.
    if (now.get(unit)?.applied_at !== before.get(unit)?.applied_at) continue;
    const was = now.get(unit)?.drift ?? null;
    const drift = nextDrift(was, finding, at);
    rows.set(unit, drift);
    changed ||=
      was?.state !== drift.state ||
      was.checked_at === OUTDATED ||
      JSON.stringify(was.lines) !== JSON.stringify(drift.lines);
    const event = eventOf(was, drift);
    if (event) await audit(tx, services, at, unit, { action: event, detail: driftDetail(event, drift) });
    if (!probe) continue;
    const asked = now.get(unit)?.probe ?? null;
    const same = asked?.ok === probe.ok;
    probes.set(unit, { ...probe, said: probe.said.slice(0, 500), asked_at: at, since: same ? asked.since : at });
    changed ||= !same;
    const turned = probe.ok ? asked?.ok === false : asked?.ok !== false;
    if (turned) {
      const action = probe.ok ? 'probe.passed' : 'probe.failed';
      await audit(tx, services, at, unit, { action, detail: { answer: probe.said.slice(0, 500) } });
    }
  }
  await writeDrift(tx, rows);
  await writeProbes(tx, probes);
  return changed;
}

/** Pure: what is known after one more comparison. A unit that can't be read keeps since when it differs. */
export function nextDrift(was: Drift | null, finding: Finding, at: string): Drift {
  const since = { first_seen_at: was?.first_seen_at ?? null, last_seen_at: was?.last_seen_at ?? null };
  if ('unreadable' in finding) {
    return { state: 'unreadable', checked_at: at, ...since, lines: [finding.unreadable.slice(0, 500)], more: 0 };
  }
  const lines = finding.lines.slice(0, LINES_KEPT);
  const more = finding.lines.length - lines.length;
  if (lines.length === 0)
    return { state: 'none', checked_at: at, first_seen_at: null, last_seen_at: null, lines, more };
  return { state: 'drifted', checked_at: at, first_seen_at: since.first_seen_at ?? at, last_seen_at: at, lines, more };
}

/** Written once when a difference appears and once when it is gone. */
function eventOf(was: Drift | null, is: Drift): 'drift.found' | 'drift.gone' | null {
  const differed = was !== null && was.first_seen_at !== null;
  if (is.state === 'drifted') return differed ? null : 'drift.found';
  return is.state === 'none' && differed ? 'drift.gone' : null;
}

const driftDetail = (event: string, { lines, more }: Drift) =>
  event === 'drift.found' ? { differs: lines.map(lineWords), more } : {};

interface UnitEvent {
  action: 'drift.found' | 'drift.gone' | 'probe.failed' | 'probe.passed';
  detail: object;
}

async function audit(tx: Transaction, services: Services, at: string, unit: UnitId, { action, detail }: UnitEvent) {
  const context = { at, actor: systemActor('drift'), request_id: 'detectDrift', source_address: '' };
  const outcome = action === 'drift.found' || action === 'probe.failed' ? 'failure' : 'success';
  const event = { action, resource_type: 'unit', resource_id: unit, outcome } as const;
  await appendAudit(tx, services.keys, context, { ...event, detail: { host: services.host.label, ...detail } });
}
