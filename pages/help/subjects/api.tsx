// Help: the REST API for whoever writes a program.
import { CodeBlock } from '../../components/code.tsx';
import { See, type Subject } from '../subject.tsx';

export const api: Subject = {
  id: 'api',
  title: 'REST API',
  intro: 'Everything that a page does, for a program.',
  paragraphs: [
    {
      id: 'first-call',
      title: 'A first call',
      text: (
        <>
          <CodeBlock label="A first call">{`export TOKEN=$(groundcrew token create --name first --scope read:interfaces --lifetime 1d)
curl -s -H "Authorization: Bearer $TOKEN" https://gc01.lab.example/api/v1/interfaces/physical`}</CodeBlock>
          <p>
            The <a href="/api/docs">API explorer</a> describes each operation and sends it from the browser, the{' '}
            <a href="/api/redoc">reference</a> is for reading, and <a href="/openapi.json">openapi.json</a> is the
            document for tools. <See at="access#tokens">Tokens</See> belong to the user who makes them.
          </p>
        </>
      ),
    },
    {
      id: 'rules',
      title: 'What holds for every operation',
      text: (
        <ul>
          <li>
            A body is read only once the caller is authenticated and authorized. It has at most 64 KiB, or 4 KiB where
            the operation is public. An operation that takes more says so.
          </li>
          <li>
            A query parameter that an operation does not know is refused with 422, so that a misspelt{' '}
            <code>dry_run</code> saves nothing.
          </li>
          <li>
            <code>?dry_run=true</code> answers what a change of desired state would give, for interfaces and VLANs with
            its <See at="glossary#impact">impact</See>, and saves nothing. Of operations that take effect immediately
            only those on receivers of alerts have a dry run; the others refuse it (422).
          </li>
          <li>
            A change, its audit event and, where asked for, the answer kept for its <code>Idempotency-Key</code> commit
            in one transaction.
          </li>
          <li>
            <code>If-Match</code> with the entity tag of what you read refuses the change (412) when somebody else saved
            in between.
          </li>
          <li>
            While an apply runs or waits for its confirmation, other changes answer 423 with the job that holds the
            lock.
          </li>
          <li>
            Every refusal is a problem document (RFC 9457) whose <code>type</code> is a page of the appliance: why, what
            to do, an example.
          </li>
        </ul>
      ),
    },
    {
      id: 'client',
      title: 'A client of your own',
      text: (
        <>
          <p>Generated from the document in a project with TypeScript 5 (the generators do not run on 7 yet):</p>
          <CodeBlock label="Generating a client">{`npm install openapi-fetch typescript@5 openapi-typescript @hey-api/openapi-ts
curl -so openapi.json https://gc01.lab.example/openapi.json
npx openapi-typescript openapi.json -o groundcrew.ts     # types for openapi-fetch
npx openapi-ts -i openapi.json -o groundcrew             # or: a function for each operation`}</CodeBlock>
          <p>
            Both compile strictly and refuse a misspelt word, query member or path (the second one without{' '}
            <code>exactOptionalPropertyTypes</code>). Of the optional members of a body openapi-fetch lets unknown ones
            pass, and the service answers 422. Write{' '}
            <code>{"body: {…} satisfies components['schemas']['VlanUpdate']"}</code>.
          </p>
        </>
      ),
    },
  ],
};
