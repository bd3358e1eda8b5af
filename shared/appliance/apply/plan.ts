// A plan: what an apply would do, unit by unit, exactly as it was reviewed. Pure; make-plan.ts gathers what goes in.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { type Baseline, digestOf, sha256 } from '../../platform/applied/baseline.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { AnyUnit, CheckResult, Entries, Risk, UnitChange } from '../../platform/units/unit.ts';
import { type DiffRow, diffEntries, diffText, type EntriesDiff } from './diff.ts';
import type { Confirmation } from './window/path.ts';
import type { Ended, WindowState } from './window/record.ts';

/** `confirming`: in force for as long as its window is open; `reverted`: put back because nobody confirmed it. */
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
  /** Why it is in the plan: `your change`, `required by Network: both concern ens224`. */
  reason: string;
  /** The unit's desired version that was rendered; submit refuses another one. */
  version: number;
  /** Digest of the rendered files; the run refuses another one. */
  digest: string;
  says: string[];
  risk: Risk;
  interruption: string;
  diff: EntriesDiff;
  raw: string;
  written: string[];
  removed: string[];
  check: CheckResult | null;
}

export interface PlanDocument {
  units: PlannedUnit[];
  /** Labels of the known units that do not change. */
  unchanged: string[];
  /** The units that were asked for; null: all that changed. The others of the plan came along, each with its reason. */
  selection: UnitId[] | null;
  /** Labels of units that differ and were not asked for: they stay as they are. */
  left_out: string[];
  /** Why it would have to be confirmed by whoever made it; null: it leaves the way that he came in on alone. */
  confirm: Confirmation | null;
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
  entries: Entries;
  files: RenderedFile[];
  baseline: Baseline | null;
  /** Content in force of each file that is rendered or was in the baseline; null when absent. */
  inForce: ReadonlyMap<string, string | null>;
}

/** The change of a unit, or null when host and desired state agree. */
export function changeOf(material: UnitMaterial): UnitChange | null {
  const { baseline, entries, files, inForce } = material;
  const written = files.filter((file) => inForce.get(file.path) !== file.content).map((file) => file.path);
  const rendered = new Set(files.map((file) => file.path));
  const removed = (baseline?.files ?? []).map((file) => file.path).filter((path) => !rendered.has(path));
  if (written.length === 0 && removed.length === 0 && baseline !== null && sameEntries(baseline.entries, entries))
    return null;
  return { before: baseline?.entries ?? null, after: entries, written, removed };
}

/** The change of a unit that is to be put in force once more although nothing saved differs. */
export function noChange({ baseline, entries }: UnitMaterial): UnitChange {
  return { before: baseline?.entries ?? null, after: entries, written: [], removed: [] };
}

/** Only files differ: what is saved is what was applied, and somebody changed the host. */
export function onlyHostDiffers({ baseline, entries, files }: UnitMaterial): boolean {
  if (baseline === null || !sameEntries(baseline.entries, entries) || baseline.files.length !== files.length)
    return false;
  const known = new Map(baseline.files.map((file) => [file.path, file.sha256]));
  return files.every((file) => known.get(file.path) === sha256(file.content));
}

function sameEntries(a: Entries, b: Entries): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of b) if (a.get(key) !== value) return false;
  return true;
}

/** A file that not everybody on the host may read is nothing to look at in a plan either, whoever its group is. */
const isPrivate = (mode = 0o644): boolean => (mode & 0o007) === 0;

export function planUnit(material: UnitMaterial, change: UnitChange): Omit<PlannedUnit, 'check' | 'reason'> {
  const { unit, version, files, inForce, baseline } = material;
  const content = new Map(files.map((file) => [file.path, file.content]));
  const modes = new Map([...(baseline?.files ?? []), ...files].map(({ path, mode }) => [path, mode]));
  const raw = [...change.written, ...change.removed].map((path) =>
    isPrivate(modes.get(path))
      ? `${path}: not shown, because nobody but the service may read it`
      : diffText(path, inForce.get(path) ?? null, content.get(path) ?? null),
  );
  return {
    id: unit.id,
    label: unit.label,
    version,
    digest: digestOf(files),
    ...unit.impact(change),
    diff: diffEntries(change.before, change.after),
    raw: raw.filter(Boolean).join('\n'),
    written: change.written,
    removed: change.removed,
  };
}

/**
 * Why each unit is in the plan. A service whose only change is where it listens follows the network; everything else
 * is somebody's edit.
 */
export function reasonOf(unit: Pick<PlannedUnit, 'id' | 'diff'>, inPlan: ReadonlySet<UnitId>): string {
  const follows = unit.id !== 'network' && inPlan.has('network');
  const { rows, added, changed, removed } = unit.diff;
  const listens = rows.filter(({ setting }) => setting.startsWith('listen'));
  const listeningOnly =
    rows.length === added + changed + removed && rows.every((row) => listens.includes(row) || movedAlong(row, listens));
  return follows && rows.length > 0 && listeningOnly ? 'required by Network' : 'your change';
}

/** A URL at an address that listening moved from, and now at one that it moved to; nothing else of it differs. */
function movedAlong({ before, after }: DiffRow, listens: readonly DiffRow[]): boolean {
  const [was, is] = [URL.parse(before ?? ''), URL.parse(after ?? '')];
  if (!was || !is || was.href.replace(was.host, is.host) !== is.href) return false;
  const names = (text: string | null, { host }: URL) =>
    text?.split(', ').some((each) => URL.parse(each)?.host === host);
  return listens.some((row) => names(row.before, was) && names(row.after, is));
}

/** What the operator reviews and the submit must repeat. */
export function planDigest(units: readonly Pick<PlannedUnit, 'id' | 'digest' | 'version'>[]): string {
  return sha256(units.map((unit) => `${unit.id} ${unit.version} ${unit.digest}`).join('\n'));
}
