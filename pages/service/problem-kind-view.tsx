// What one kind of problem means: cause, what to do, its error codes, and an example of the document.
import * as v from 'valibot';
import { notFound, PROBLEM_KINDS, type ProblemKind } from '../../shared/ground/problems.ts';
import { CodeBlock } from '../components/code.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { codesOf, exampleOf, PROBLEM_PAGES } from './problem-pages.ts';

export const kindParams = v.strictObject({ kind: v.pipe(v.string(), v.maxLength(64)) });

export interface KindPage {
  kind: ProblemKind;
  base_url: string;
}

/** @throws Problem 404 for a kind that this appliance does not have. */
export function kindPage(kind: string, base_url: string): KindPage {
  if (!Object.hasOwn(PROBLEM_PAGES, kind)) throw notFound('This kind of problem');
  return { kind: kind as ProblemKind, base_url };
}

export function kindTitle({ kind }: KindPage): string {
  return `${PROBLEM_KINDS[kind].status} ${PROBLEM_KINDS[kind].title}`;
}

export function KindView({ kind, base_url }: KindPage) {
  const { status, title } = PROBLEM_KINDS[kind];
  const { cause, fix } = PROBLEM_PAGES[kind];
  return (
    <div class="problem">
      <p>
        <State kind="off" icon="info">
          <code>{kind}</code>
        </State>
      </p>
      <h1>
        {status} {title}
      </h1>
      <h2>Why</h2>
      <p>{cause}</p>
      <h2>What to do</h2>
      <ul class="says">
        {fix.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <h2>Error codes</h2>
      <DataTable
        caption="Error codes of this kind"
        dense
        columns={[
          { key: 'code', label: 'error_code', look: 'code', cell: ({ code }) => code },
          { key: 'sentence', label: 'Meaning', cell: ({ sentence }) => sentence },
        ]}
        rows={codesOf(kind)}
        rowKey={({ code }) => code}
        empty="None."
      />
      <h2>Example</h2>
      <CodeBlock label="Example of the problem document">
        {JSON.stringify(exampleOf(kind, base_url), null, 2)}
      </CodeBlock>
      <p class="muted">
        Sent as <code>application/problem+json</code> (RFC 9457). The request id is also in the header{' '}
        <code>X-Request-ID</code> and in the service’s log.
      </p>
    </div>
  );
}
