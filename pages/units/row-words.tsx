// The State column of every list, and above the list what of it no apply has put in force yet.
import { ROWS, type RowKind, type RowOf, stateOfRow } from '../../shared/appliance/states/row-kinds.ts';
import { pendingRows } from '../../shared/appliance/states/row-state.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { findUnit } from '../../shared/appliance/units.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import { type Difference, wayOf } from '../../shared/platform/units/facts.ts';
import { ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { Change } from '../components/state-word.tsx';
import { StateOf } from '../components/state-words.tsx';

type Standings = ReadonlyMap<UnitId, Standing>;

interface RowWordProps<Kind extends RowKind> {
  standings: Standings;
  of: Kind;
  row: RowOf<Kind>;
}

/** Its state, and below it what an apply would change. */
export function RowWord<Kind extends RowKind>({ standings, of, row }: RowWordProps<Kind>) {
  const { state, differences } = stateOfRow(standings, of, row);
  const { unit } = ROWS[of];
  return (
    <>
      <StateOf state={state} />
      {state === 'pending' && <span class="muted line">{summary(unit, differences)}</span>}
    </>
  );
}

/** In place of a list that a filter by state leaves empty. */
export function NoneInState({ href, noun }: { href: string; noun: string }) {
  return <Empty action={<ButtonLink href={href}>Show all</ButtonLink>}>No {noun} is in this state.</Empty>;
}

/** `new`, `to be removed`, or what was and what it becomes. */
function summary(unit: UnitId, differences: readonly Difference[]): string {
  const ways = new Set(differences.map(wayOf));
  if (ways.size === 1 && ways.has('added')) return 'new';
  if (ways.size === 1 && ways.has('removed')) return 'to be removed';
  // The list above names them.
  if (differences.length > 1) return `${differences.length} settings change`;
  return `was ${wordsOf(unit, differences[0]!).was ?? 'absent'}`;
}

function wordsOf(unit: UnitId, { kind, name, before, after }: Difference) {
  const { words } = findUnit(unit);
  const said = (value: typeof before) => (value === undefined ? null : words(kind, name, value));
  const [was, becomes] = [said(before), said(after)];
  return { setting: (becomes ?? was)?.[0] ?? name, was: was?.[1] ?? null, becomes: becomes?.[1] ?? null };
}

/** Rows of the list that are open at first; the others stand behind a line that counts them. */
const OPEN = 5;
/** Rows that the list has at all: the review has the rest. */
const LISTED = 200;

/** What of the list is not applied, however long the list is; also what was deleted. Nothing while all is in force. */
export function Unapplied({
  standings,
  of,
  shows = () => true,
}: {
  standings: Standings;
  of: RowKind;
  shows?: (name: string) => boolean;
}) {
  const { unit, kinds } = ROWS[of];
  const found = pendingRows(standings, unit, kinds).filter(({ name }) => shows(name));
  if (found.length === 0) return null;
  const lines = found
    .slice(0, LISTED)
    .map((each) => <Line key={`${each.kind} ${each.name}`} unit={unit} difference={each} />);
  return (
    <section class="unapplied" aria-label="Not applied">
      <h2>
        Not applied <span class="muted">{found.length === 1 ? '1 change' : `${found.length} changes`}</span>
      </h2>
      <ul class="says">{lines.slice(0, OPEN)}</ul>
      {found.length > OPEN && (
        <More summary={`and ${found.length - OPEN} more`}>
          <ul class="says">{lines.slice(OPEN)}</ul>
          {found.length > LISTED && <p class="muted">The review shows the other {found.length - LISTED}.</p>}
        </More>
      )}
    </section>
  );
}

const WAYS = { added: 'new', changed: 'changed', removed: 'removed' } as const;

function Line({ unit, difference }: { unit: UnitId; difference: Difference }) {
  const { setting, was, becomes } = wordsOf(unit, difference);
  return (
    <li>
      {setting} <span class="muted">({WAYS[wayOf(difference)]})</span> <Change from={was} to={becomes} />
    </li>
  );
}
