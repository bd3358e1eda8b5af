// Where the host is not as it was applied: a word for each unit, and for those that differ what and since when.
import { whyNotAdoptable } from '../../shared/appliance/apply/adopt.ts';
import { type Drift, lineWords } from '../../shared/appliance/apply/drift-store.ts';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import { findUnit } from '../../shared/appliance/units.ts';
import { Block } from '../components/block.tsx';
import { Button, ButtonLink, PostButton } from '../components/button.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { Instant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';
import { MAY_NOT, mayApply } from './words.tsx';

const WORDS: Record<Drift['state'], { kind: StateKind; word: string }> = {
  none: { kind: 'ok', word: 'Matches' },
  drifted: { kind: 'bad', word: 'Differs' },
  unreadable: { kind: 'warn', word: 'Could not be read' },
};

/** What the host was found to be, and what the service answered when that was not as applied. */
export function OnHost({ unit: { applied_at, drift, probe }, now }: { unit: Standing; now: string }) {
  if (drift === null)
    return <span class="muted">{applied_at === null ? 'nothing of it yet' : 'not compared yet'}</span>;
  const { kind, word } = WORDS[drift.state];
  const since = drift.state === 'drifted' ? drift.first_seen_at : null;
  return (
    <>
      <State kind={kind}>{word}</State> {since && <Instant at={since} now={now} />}
      {probe && !probe.ok && (
        <span class="line">
          {probe.said} Since <Instant at={probe.since} now={now} />.
        </span>
      )}
    </>
  );
}

/** Nothing while no unit differs. */
export function HostDiffers({ units, state }: { units: readonly Standing[]; state: ShellState }) {
  const differing = units.flatMap(({ unit: id, label, pending, drift }) =>
    drift && drift.state !== 'none' ? [{ id, label, pending, drift }] : [],
  );
  if (differing.length === 0) return null;
  return (
    <section class="fig" aria-labelledby="drift">
      <div class="fighead">
        <h2 id="drift">Changed on the host</h2>
      </div>
      {differing.map((unit) => (
        <Difference key={unit.id} {...unit} state={state} />
      ))}
    </section>
  );
}

interface DifferenceProps {
  id: string;
  label: string;
  pending: boolean;
  drift: Drift;
  state: ShellState;
}

function Difference({ id, label, pending, drift, state }: DifferenceProps) {
  const { lines, more, first_seen_at, last_seen_at } = drift;
  const readable = drift.state === 'drifted';
  const whyNot = whyNotAdoptable(findUnit(id), drift);
  return (
    <Block
      title={readable ? `${label}: the host was changed` : `${label}: the host could not be read`}
      actions={
        readable && (
          <>
            <ApplyAgain id={id} label={label} state={state} />
            {whyNot === null && <Adopt id={id} label={label} state={state} />}
          </>
        )
      }
    >
      {lines.map(lineWords).map((line) => (
        <span key={line} class="line">
          {line}
        </span>
      ))}
      {more > 0 && <span class="line muted">and {more} more</span>}
      {first_seen_at !== null && last_seen_at !== null && (
        <span class="line muted">
          First seen <Instant at={first_seen_at} now={state.now} />, last seen{' '}
          <Instant at={last_seen_at} now={state.now} />.{' '}
          {pending ? 'An apply puts in force what is saved now' : 'Another apply puts back what was applied'}.
          {readable && whyNot !== null && <> What the host has can’t be taken over. {whyNot}</>}
        </span>
      )}
    </Block>
  );
}

function ApplyAgain({ id, label, state }: Omit<DifferenceProps, 'drift' | 'pending'>) {
  const why = mayApply(state.user) ? undefined : MAY_NOT;
  return (
    <PostButton
      action={APPLY_PATH}
      csrf={state.csrf}
      fields={{ units: id, reapply: 'on' }}
      label={`Review another apply of ${label}`}
      unavailable={state.running ? 'An apply is running' : why}
    >
      Review another apply
    </PostButton>
  );
}

/** Leads to the page that asks. */
function Adopt({ id, label, state }: Omit<DifferenceProps, 'drift' | 'pending'>) {
  const words = { label: `Keep what the host has of ${label}`, children: 'Keep what the host has' };
  const why = state.running ? 'An apply is running' : mayApply(state.user) ? undefined : MAY_NOT;
  if (why !== undefined) return <Button {...words} unavailable={why} />;
  return <ButtonLink href={`${APPLY_PATH}/drift/${id}/adopt`} {...words} />;
}
