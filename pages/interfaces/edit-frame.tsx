// The frame of the pages that edit an interface or a VLAN: what became of the last try, the form, and beside it what
// saving would move, what the next apply changes, and who depends on it.
import type { ComponentChildren } from 'preact';
import { differencesOf, type Line } from '../../shared/appliance/states/interface-lines.ts';
import { interfacePage } from '../../shared/platform/interfaces/edit-together.ts';
import { goneWords, type NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { Note } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { type Fact, Facts, FactsList } from '../components/facts.tsx';
import { type LastSave, StaleForm } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { NextApply, Refusal } from './answer.tsx';
import { Dependents, LinkWord, Listed } from './cells.tsx';
import { type Filled, fieldsOf } from './filled.ts';
import { foreseenIn } from './foreseen.ts';
import { Jump, Preview } from './preview.tsx';

export interface EditFrameProps {
  /** The list that it belongs to. */
  list: { href: string; label: string };
  line: Line & { saved: NetworkInterface };
  filled: Filled;
  /** Properties that can be edited here, by name. */
  labels: Readonly<Record<string, string>>;
  last: LastSave | null;
  now: string;
  /** Whether the reader may save; who may not only looks. */
  mayWrite: boolean;
  /** Label of the button beside the title that leads to its deletion; null: it can't be deleted. */
  deletes: string | null;
  /** Above the form, after the link. */
  facts: readonly Fact[];
  /** Last, beside the form. */
  beside: readonly Fact[];
  /** The form. */
  children: ComponentChildren;
}

export function EditFrame({
  list,
  line,
  filled,
  labels,
  last,
  now,
  mayWrite,
  deletes,
  facts,
  beside,
  children,
}: EditFrameProps) {
  const { saved } = line;
  const { outcome } = filled;
  const foreseen = foreseenIn(outcome, 'save', labels);
  const differences = differencesOf(line);
  const gone = goneWords(saved);
  const { ipv4_cidrs = [], ipv6_cidrs = [] } = saved.observed ?? {};
  return (
    <>
      <PageHead
        trail={[list]}
        here={<code>{saved.name}</code>}
        title={
          <>
            {mayWrite && 'Edit '}
            <span class="mono">{saved.name}</span>
          </>
        }
      >
        {mayWrite && deletes !== null && <ButtonLink href={`${interfacePage(saved)}/delete`}>{deletes}</ButtonLink>}
      </PageHead>
      {gone && (
        <Note icon="warn">
          <code>{saved.name}</code> {gone}. Its settings are kept for when it comes back.
        </Note>
      )}
      {outcome && !foreseen?.refused && <Refusal problem={outcome.problem} labels={labels} />}
      <Jump foreseen={foreseen} />
      <StaleForm
        typed={filled.typed}
        name={saved.name}
        revision={saved.revision}
        last={last}
        saved={fieldsOf(saved, labels)}
        now={now}
      />
      <div class="split">
        <div>
          <Facts facts={[{ label: 'Link', value: <LinkWord line={line} /> }, ...facts]} />
          {children}
        </div>
        <div class="stick">
          <Preview foreseen={foreseen} name={saved.name} labels={labels} />
          <section class="impact" aria-labelledby="standing">
            <h2 id="standing">{differences.length === 0 ? 'Saved and in force are the same' : 'Saved, not applied'}</h2>
            <NextApply differences={differences} />
            <FactsList
              facts={[
                { label: 'On the host', value: <Listed items={[...ipv4_cidrs, ...ipv6_cidrs]} /> },
                { label: 'Services', value: <Dependents line={line} reasons /> },
                ...beside,
              ]}
            />
          </section>
        </div>
      </div>
    </>
  );
}
