// One operation of the API: what it does, takes and answers, and how it is called.
import type { ComponentChildren } from 'preact';
import { CodeBlock, More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { DataTable } from '../components/table.tsx';
import type { Answered, Described, Member } from './contract.ts';

export function OperationView({ of }: { of: Described }) {
  const { id, method, path, summary, about, scope, effect, parameters, body, answers, curl } = of;
  return (
    <section class="below" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{summary}</h2>
      <p>
        <code class="wrap">
          {method} {path}
        </code>
      </p>
      {about.map((text) => (
        <p key={text}>{marked(text)}</p>
      ))}
      <FactsList
        facts={[
          { label: 'Scope', value: <code>{scope ?? 'none'}</code> },
          { label: 'Effect', value: effect.replaceAll('-', ' ') },
          { label: 'Operation id', value: <code class="wrap">{id}</code> },
        ]}
      />
      <CodeBlock label={`Call of ${id} with curl`}>{curl}</CodeBlock>
      <div
        class="try"
        hidden
        data-try={method}
        data-path={path}
        data-needs={parameters
          .filter(({ required }) => required)
          .map(({ name, place }) => `${place}:${name}`)
          .join(' ')}
        data-body={body?.example ?? undefined}
        data-name={summary}
      />
      {parameters.length > 0 && (
        <More summary={`${parameters.length} parameters`}>
          <Members caption={`Parameters of ${id}`} of={parameters} />
        </More>
      )}
      {body !== null && (
        <More summary={body.members.length > 0 ? `Body: ${body.members.length} members` : `Body: ${body.media}`}>
          {body.members.length > 0 && <Members caption={`Members of the body of ${id}`} of={body.members} />}
          {body.example !== null && <CodeBlock label={`Example of the body of ${id}`}>{body.example}</CodeBlock>}
        </More>
      )}
      <More summary={`${answers.length} answers`}>
        <DataTable
          caption={`Answers of ${id}`}
          dense
          columns={[
            { key: 'status', label: 'Status', look: 'code', cell: ({ status }) => status },
            { key: 'about', label: 'Answer', cell: (each) => <Answer of={each} /> },
          ]}
          rows={answers}
          rowKey={({ status }) => status}
          empty="None."
        />
      </More>
    </section>
  );
}

function Answer({ of: { about, codes, schema } }: { of: Answered }) {
  return (
    <>
      {marked(about)} {schema !== null && <code class="wrap">{schema}</code>}
      {codes.length > 0 && (
        <span class="line">
          {codes.map((code) => (
            <code key={code} class="wrap">
              {code}{' '}
            </code>
          ))}
        </span>
      )}
    </>
  );
}

function Members({ caption, of }: { caption: string; of: readonly (Member & { place?: string })[] }) {
  return (
    <DataTable
      caption={caption}
      dense
      columns={[
        {
          key: 'name',
          label: 'Name',
          cell: ({ name, required }) => (
            <>
              <code class="wrap">{name}</code>
              {required && <span class="line muted">required</span>}
            </>
          ),
        },
        {
          key: 'type',
          label: 'Type',
          cell: ({ type, place }) => (
            <>
              {type}
              {place && <span class="line muted">in the {place}</span>}
            </>
          ),
        },
        { key: 'about', label: 'Description', cell: ({ about }) => marked(about) },
      ]}
      rows={of}
      rowKey={(each) => `${each.place ?? ''} ${each.name}`}
      empty="None."
    />
  );
}

/** Words between backquotes are code. */
function marked(text: string): ComponentChildren {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={part} class="wrap">
        {part}
      </code>
    ),
  );
}
