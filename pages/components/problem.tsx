// The body of a problem page: what happened, what was kept, the ways on, and what a report needs.
import type { ComponentChildren } from 'preact';
import type { Blocker, FieldError } from '../../shared/ground/problems.ts';
import { Blockers } from './block.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { type Fact, FactsList } from './facts.tsx';
import type { IconName } from './icons.tsx';
import { State } from './state-word.tsx';
import { ExactInstant } from './time.tsx';

export interface ProblemBodyProps {
  status: number;
  /** Title of the kind: "Locked by another operation". */
  title: string;
  /** What it means here, in one sentence. */
  headline?: ComponentChildren;
  detail: string;
  /** The scope that is missing, and the roles that have it. */
  missing?: readonly Fact[];
  error_code: string;
  /** Address of the page about this kind. */
  type: string;
  request_id: string;
  /** What was asked for, as method and path. */
  request: string;
  at: string;
  errors?: readonly FieldError[];
  blockers?: readonly Blocker[];
  /** Further facts: owner of a lock. */
  facts?: readonly Fact[];
  /** Ways on: back to the form, follow the job. */
  actions?: ComponentChildren;
}

const ICONS: Record<number, IconName> = { 401: 'lock', 403: 'lock', 423: 'lock', 404: 'off', 429: 'clock' };

export function ProblemBody(props: ProblemBodyProps) {
  const { status, title, headline, detail, errors = [], blockers = [], facts = [], missing = [], actions } = props;
  return (
    <div class="problem">
      <p>
        <State kind="bad" icon={ICONS[status] ?? 'stop'}>
          {status} {title}
        </State>
      </p>
      <h1>{headline ?? title}</h1>
      <p>{detail}</p>
      {missing.length > 0 && <FactsList facts={missing} />}
      <ErrorSummary errors={errors} title="What needs correction" linked={false} />
      <Blockers blockers={blockers} />
      {actions && <div class="actions">{actions}</div>}
      <h2>For a report or the log</h2>
      <FactsList
        facts={[
          {
            label: 'Request id',
            value: (
              <>
                <code class="id">{props.request_id}</code> <span class="muted">(also in the X-Request-ID header)</span>
              </>
            ),
          },
          { label: 'Error code', value: <code>{props.error_code}</code> },
          {
            label: 'Type',
            value: (
              <a href={props.type}>
                <code>{props.type}</code>
              </a>
            ),
          },
          { label: 'Request', value: <code>{props.request}</code> },
          ...facts,
          { label: 'When', value: <ExactInstant at={props.at} /> },
        ]}
      />
    </div>
  );
}
