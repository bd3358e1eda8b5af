// What somebody changed by hand on the host since a unit was applied, as a review shows it and a submit looks for it again.
import type { Host, RenderedFile } from '../../ground/machine/host.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { isHidden, loadAppliedFiles } from '../../platform/applied/applied-files.ts';
import { type Baseline, sha256 } from '../../platform/applied/baseline.ts';
import { unitStates } from '../../platform/applied/unit-state.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import type { AnyUnit } from '../../platform/units/unit.ts';
import { findUnit } from '../units.ts';
import { type ChangedFile, fileWords } from './changed-files.ts';
import { diffText, masked } from './diff.ts';
import { atFile } from './failure.ts';
import { baselineOf, render } from './make-plan.ts';
import type { PlannedUnit, UnitMaterial } from './plan.ts';
import { runningDifference } from './running-difference.ts';

const LINES_KEPT = 20;

export interface HostDrift {
  /** What differs, one clause each; the first 20. */
  lines: string[];
  /** Differences beyond those. */
  more: number;
  /** Unified diff of the changed files: from what was applied to what the host has. Secrets are masked. */
  raw: string;
  /** Of everything that was found; another one tells that the host was changed again. */
  digest: string;
  /** Of the files alone. */
  files_digest: string;
}

/** What the host has at the paths of a unit's baseline. */
type OnHost = (path: string) => string | null;

type Contents = ReadonlyMap<string, string | null>;
type Files = Pick<Baseline, 'files'>;
type Rendered = readonly Pick<RenderedFile, 'path' | 'content'>[];

async function contentsOf(host: Host, baseline: Files | null): Promise<Contents> {
  const contents = new Map<string, string | null>();
  for (const { path } of baseline?.files ?? []) contents.set(path, await host.read(path).catch(atFile(path)));
  return contents;
}

/**
 * Pure: the files in force that are not as they were applied, with what the host has. Nothing is lost of one that the host has as
 * it is to be: what was changed there was saved as well.
 */
function changedIn({
  baseline,
  inForce,
  files,
}: {
  baseline: Files | null;
  inForce: Contents;
  files: Rendered | null;
}) {
  const rendered = files && new Map(files.map(({ path, content }) => [path, content]));
  return (baseline?.files ?? []).flatMap(({ path, sha256: wanted }): ChangedFile[] => {
    const content = inForce.get(path) ?? null;
    if (rendered && content === (rendered.get(path) ?? null)) return [];
    if (content === null) return [{ path, state: 'missing' }];
    return sha256(content) === wanted ? [] : [{ path, state: 'changed' }];
  });
}

const digestOfFiles = (changed: readonly ChangedFile[], onHost: OnHost): string =>
  sha256(JSON.stringify(changed.map(({ path }) => [path, onHost(path) === null ? null : sha256(onHost(path)!)])));

/** Null: the host is as the unit was applied. `running`: what runs other than it was applied. */
export async function driftOf(
  { settings }: Pick<Services, 'settings'>,
  material: UnitMaterial & { entries_digest: string | null },
  running: readonly string[],
): Promise<HostDrift | null> {
  const changed = changedIn(material);
  const all = [...changed.map(fileWords), ...running];
  if (all.length === 0 || material.baseline === null) return null;
  const onHost: OnHost = (path) => material.inForce.get(path) ?? null;
  const files_digest = digestOfFiles(changed, onHost);
  const kept = await loadAppliedFiles(settings.data, material.entries_digest ?? '');
  const modes = new Map(material.baseline.files.map(({ path, mode }) => [path, mode]));
  const diffs = changed.map(({ path }) => {
    if (isHidden(path, modes.get(path))) return `${path}: not shown, because nobody but the service may read it`;
    const applied = kept.get(path);
    if (applied === undefined) return `${path}: not shown, because the text that was applied was not kept`;
    return masked(diffText(path, applied, onHost(path)));
  });
  const lines = all.slice(0, LINES_KEPT);
  const digest = sha256(JSON.stringify([files_digest, ...running]));
  return { lines, more: all.length - lines.length, raw: diffs.join('\n'), digest, files_digest };
}

/**
 * What runs other than it was applied and other than it is wanted: what was adopted is not overwritten. Nothing where that
 * can't be read now: it is told elsewhere, and no change that somebody made.
 */
export async function runningAgainst(host: Host, unit: AnyUnit, remembered: unknown, wanted: () => Promise<unknown>) {
  if (unit.onlyRuns) return [];
  const look = 'touched';
  const lines = await runningDifference(host, unit, remembered, { look }).catch(() => []);
  if (lines.length === 0) return lines;
  const saved = await wanted();
  const left = await runningDifference(host, unit, unit.remember(saved), { look, wanted: saved }).catch(() => lines);
  return left.length === 0 ? [] : lines;
}

interface Now {
  digest: string;
  lines: string[];
}

/** Reads the host. Null: it is as the unit was applied, or the unit never was. */
async function driftNow(services: Services, id: UnitId): Promise<Now | null> {
  const { entries_digest } = (await unitStates(services.store)).get(id) ?? { entries_digest: null };
  const baseline = await baselineOf(services, entries_digest, id);
  if (baseline === null) return null;
  const { host } = services;
  const contents = await contentsOf(host, baseline);
  const onHost: OnHost = (path) => contents.get(path) ?? null;
  const unit = findUnit(id);
  let known: ReturnType<typeof render> | undefined;
  const rendered = () => {
    known ??= render(services, unit);
    return known;
  };
  // Rendering a hundred thousand records takes its time: only where there is something to compare with it.
  const differ = changedIn({ baseline, inForce: contents, files: null }).length > 0;
  const changed = differ ? changedIn({ baseline, inForce: contents, files: (await rendered()).files }) : [];
  const running = await runningAgainst(host, unit, baseline.remembered, async () => (await rendered()).desired);
  if (changed.length + running.length === 0) return null;
  const digest = sha256(JSON.stringify([digestOfFiles(changed, onHost), ...running]));
  return { digest, lines: [...changed.map(fileWords), ...running] };
}

/**
 * Looks at the host again: what was changed on it by hand is overwritten only where that was reviewed and asked for.
 * @throws Problem 409 `plan_stale` for a change that came after the review, `drift_unconfirmed` naming the units to overwrite
 */
export async function refuseDrift(
  services: Services,
  planned: readonly PlannedUnit[],
  overwrite: readonly UnitId[],
): Promise<void> {
  const unconfirmed: [PlannedUnit, Now][] = [];
  for (const unit of planned) {
    const now = await driftNow(services, unit.id);
    if (now === null) continue;
    if (now.digest !== unit.drift?.digest) throw changedAfterReview(unit, now.lines);
    if (!overwrite.includes(unit.id)) unconfirmed.push([unit, now]);
  }
  if (unconfirmed.length === 0) return;
  const said = unconfirmed.map(([{ label }, { lines }]) => `${label}: ${shortly(lines)}`).join('; ');
  throw new Problem(
    'drift_unconfirmed',
    `The host was changed by hand. ${said}. Name the units in overwrite_drift to overwrite that, or plan without them.`,
    { units: unconfirmed.map(([{ id }]) => id) },
  );
}

/** Reads the files once more, right before a unit's files are kept and written. @throws Problem 409 `plan_stale` */
export async function refuseFilesChanged(host: Host, planned: PlannedUnit, material: UnitMaterial): Promise<void> {
  const { baseline, files } = material;
  const inForce = await contentsOf(host, baseline);
  const changed = changedIn({ baseline, inForce, files });
  if (changed.length === 0) return;
  const digest = digestOfFiles(changed, (path) => inForce.get(path) ?? null);
  if (digest !== planned.drift?.files_digest) throw changedAfterReview(planned, changed.map(fileWords));
}

function changedAfterReview({ id, label }: PlannedUnit, lines: readonly string[]): Problem {
  const said = `${label} was changed on the host after this plan was made: ${shortly(lines)}. Review a new plan.`;
  return new Problem('plan_stale', said, { units: [id] });
}

const SAID_MOST = 3;
const shortly = (lines: readonly string[]): string =>
  [...lines.slice(0, SAID_MOST), ...(lines.length > SAID_MOST ? [`${lines.length - SAID_MOST} more`] : [])].join(', ');
