// A plan: what an apply would do, unit by unit, exactly as it was reviewed. Pure; make-plan.ts gathers what goes in.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { isHidden } from '../../platform/applied/applied-files.ts';
import { digestOf, type InForce, sha256 } from '../../platform/applied/baseline.ts';
import { type UnitId, unitName } from '../../platform/unit-names.ts';
import { type Difference, differences, type Facts, sameFacts } from '../../platform/units/facts.ts';
import type { AnyUnit, CheckResult, Risk, UnitChange } from '../../platform/units/unit.ts';
import { diffFacts, diffText, type FactsDiff, masked } from './diff.ts';
import type { HostDrift } from './host-drift.ts';
import type { Confirmation } from './window/path.ts';
import type { Ended, WindowState } from './window/record.ts';

/** `confirming`: in force for as long as its window is open; `reverted`: rolled back because nobody confirmed it. */
export const PLAN_STATES = [
  'open',
  'superseded',
  'submitted',
  'confirming',
  'applied',
  'reverted',
  'failed',
  'cancelled',
] as const;
export type PlanState = (typeof PLAN_STATES)[number];

export interface PlannedUnit {
  id: UnitId;
  label: string;
  /** Why it is in the plan: `first apply`, `your change`, `required by Network: both concern ens224`. */
  reason: string;
  /** The unit's desired version that was rendered; submit refuses another one. */
  version: number;
  /** Digest of the rendered files; the run refuses another one. */
  digest: string;
  says: string[];
  risk: Risk;
  interruption: string;
  diff: FactsDiff;
  raw: string;
  written: string[];
  removed: string[];
  check: CheckResult | null;
  /** What somebody changed on the host since the unit was applied. Not told by a plan of an earlier release. */
  drift?: HostDrift | null;
}

export interface PlanDocument {
  units: PlannedUnit[];
  /** Labels of the known units that do not change. */
  unchanged: string[];
  /** The units that were asked for; null: all that changed. The others of the plan came along, each with its reason. */
  selection: UnitId[] | null;
  /** Labels of units that differ and were not asked for: they stay as they are. */
  left_out: string[];
  /** Units whose changes on the host are overwritten: named at the submit, or put in force once more. */
  overwrite_drift: UnitId[];
  /** Why it would have to be confirmed by whoever made it; null: it leaves the way that he came in on alone. */
  confirm: Confirmation | null;
  /** Whether it changes the packet filter, which decides who reaches the management UI. Not told: `confirm` is. */
  changes_filter: boolean;
}

/** How a plan that was submitted with a confirm window is to be confirmed. */
export interface PlanWindow {
  /** Tells the plan that is confirmed from any other; shown to whoever may apply. */
  nonce: string;
  timeout_seconds: number;
  /** Why it has to be confirmed, one sentence each; empty where it was only asked for. */
  because: string[];
  /** Local address that the submit arrived at; '' when unknown. */
  arrived_at: string;
  /** Local addresses at which the management UI is to be reached once the plan is in force. */
  listeners: string[];
  /** How it ended; null before. */
  ended: WindowEnd | null;
}

/** `closed`: it ended before the window was opened. */
export type WindowEnd = Ended & { state: WindowState | 'closed' };

export interface Plan extends PlanDocument {
  id: string;
  state: PlanState;
  digest: string;
  note: string;
  created_by: string;
  created_at: string;
  submitted_by: string | null;
  submitted_at: string | null;
  job_id: string | null;
  /** Whether what it put in force is kept and can be brought back. */
  restorable: boolean;
  /** Null: the plan stays as soon as it is applied. */
  window: PlanWindow | null;
  finished_at: string | null;
}

/** Everything about one unit that a plan is made from. */
export interface UnitMaterial {
  unit: AnyUnit;
  version: number;
  facts: Facts;
  files: RenderedFile[];
  /** Whether it was ever applied; its baseline may be damaged all the same. */
  applied: boolean;
  baseline: InForce | null;
  /** Content in force of each file that is rendered or was in the baseline; null when absent. */
  inForce: ReadonlyMap<string, string | null>;
  /** What the unit loaded, for what facts don't say. */
  desired?: unknown;
}

/** Off, or nothing is to say of the unit at all. */
export function isOff(facts: Facts): boolean {
  for (const value of facts.values()) if (value !== false) return false;
  return true;
}

/** The change of a unit, or null when host and desired state agree: also where what was never applied is off. */
export function changeOf(material: UnitMaterial): UnitChange | null {
  const { baseline, facts, files, inForce } = material;
  const written = files.filter((file) => inForce.get(file.path) !== file.content).map((file) => file.path);
  const rendered = new Set(files.map((file) => file.path));
  const removed = (baseline?.files ?? []).map((file) => file.path).filter((path) => !rendered.has(path));
  const same = baseline ? sameFacts(baseline.facts, facts) : !material.applied && isOff(facts);
  if (same && written.length === 0 && removed.length === 0) return null;
  return { before: baseline?.facts ?? null, after: facts, written, removed };
}

/** The change of a unit that is to be put in force once more although nothing saved differs. */
export function noChange({ baseline, facts }: UnitMaterial): UnitChange {
  return { before: baseline?.facts ?? null, after: facts, written: [], removed: [] };
}

/** Only files differ: what is saved is what was applied, and somebody changed the host. */
export function onlyHostDiffers({ baseline, facts, files }: UnitMaterial): boolean {
  if (baseline === null || !sameFacts(baseline.facts, facts) || baseline.files.length !== files.length) return false;
  const known = new Map(baseline.files.map((file) => [file.path, file.sha256]));
  return files.every((file) => known.get(file.path) === sha256(file.content));
}

export function planUnit(material: UnitMaterial, change: UnitChange): Omit<PlannedUnit, 'check' | 'reason' | 'drift'> {
  const { unit, version, files, inForce, baseline } = material;
  const content = new Map(files.map((file) => [file.path, file.content]));
  const modes = new Map([...(baseline?.files ?? []), ...files].map(({ path, mode }) => [path, mode]));
  const raw = [...change.written, ...change.removed].map((path) =>
    isHidden(path, modes.get(path))
      ? `${path}: not shown, because nobody but the service may read it`
      : masked(diffText(path, inForce.get(path) ?? null, content.get(path) ?? null)),
  );
  return {
    id: unit.id,
    label: unitName(unit.id),
    version,
    digest: digestOf(files),
    ...unit.impact(change, material.desired),
    diff: diffFacts(unit, change.before, change.after),
    raw: raw.filter(Boolean).join('\n'),
    written: change.written,
    removed: change.removed,
  };
}

/** What a reason is told from, beside the change itself. */
export interface Around {
  /** Labels of the units of the plan. */
  inPlan: ReadonlyMap<UnitId, string>;
  /** Whether somebody edited the unit itself since it was applied; undefined: neither it nor what it follows. */
  edited?: boolean | undefined;
}

/**
 * Why each unit is in the plan. What only follows others (where a service listens, what the firewall opens for it, scopes
 * that moved with their interface) is required by them, and what nobody edited is not called somebody's edit.
 */
export function reasonOf(
  unit: Pick<AnyUnit, 'id' | 'follows' | 'causes'>,
  { before, after }: Pick<UnitChange, 'before' | 'after'>,
  { inPlan, edited }: Around,
): string {
  if (before === null) return FIRST_APPLY;
  const all = [...differences(before, after)];
  if (all.length === 0) return RENDERED;
  const causes = new Set(all.map((each) => causeOf(unit, each, all, inPlan)));
  const network = inPlan.get('network');
  if (causes.has(null)) {
    if (edited === false && network !== undefined && unit.id !== 'network') return `required by ${network}`;
    return edited ? YOUR_CHANGE : CHANGED;
  }
  const labels = [...inPlan].flatMap(([id, label]) => (causes.has(id) ? [label] : []));
  return `required by ${labels.join(', ')}`;
}

/** The unit of the plan that a difference follows; null: it is the unit's own. */
function causeOf(
  { id, follows, causes }: Pick<AnyUnit, 'id' | 'follows' | 'causes'>,
  difference: Difference,
  all: readonly Difference[],
  inPlan: ReadonlyMap<UnitId, string>,
): UnitId | null {
  const units = follows?.(difference, all) ? (['network'] as const) : (causes?.(difference) ?? []);
  return units.find((unit) => unit !== id && inPlan.has(unit)) ?? null;
}

const FIRST_APPLY = 'first apply';
const YOUR_CHANGE = 'your change';
/** By the appliance itself, by what it renders of others, or so long ago that nobody can tell. */
const CHANGED = 'changed since it was applied';
/** Of the same settings other files are made: by another release, or by a certificate that was renewed. */
const RENDERED = 'nothing saved differs, its files are written anew';

/** What the operator reviews and the submit must repeat. */
export function planDigest(units: readonly Pick<PlannedUnit, 'id' | 'digest' | 'version'>[]): string {
  return sha256(units.map((unit) => `${unit.id} ${unit.version} ${unit.digest}`).join('\n'));
}
