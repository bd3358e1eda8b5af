// One certificate request: what it asks for, and the decision.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { requestParam } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { findRequest } from '../../shared/platform/certificate-authority/request-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions, TextArea, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { keyWord, PROFILE_WORDS, REQUEST_WORDS } from './certificate-words.tsx';
import { AUTHORITY, REQUESTS } from './trail.tsx';

type Data = Awaited<ReturnType<typeof findRequest>>;

export const page = definePage({
  id: 'certificateRequestPage',
  path: pageRoute('certificate-request'),
  current: AUTHORITY.href,
  access: { session: 'read:ca-requests' },
  params: requestParam,
  load: ({ db, params }): Promise<Data> => findRequest(db, params.request_id),
  title: (request) => nameOf(request),
  view: Request,
});

const nameOf = ({ names, subject, id }: Data): string => names[0] ?? (subject || id);

function Request({ data: request, state, outcome }: ViewProps<Data>) {
  const { state: is, reason, certificate_id, decided_at, decided_by, created_at, created_by, note, csr } = request;
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  return (
    <>
      <PageHead title={<span class="mono">{nameOf(request)}</span>} trail={[AUTHORITY, REQUESTS]} />
      <Refused typed={typed} labels={{ names: 'Names and addresses', validity_days: 'Valid for', reason: 'Reason' }} />
      <FactsList
        facts={[
          { label: 'State', value: <State kind={REQUEST_WORDS[is].kind}>{REQUEST_WORDS[is].word}</State> },
          ...(decided_at === null
            ? []
            : [
                {
                  label: 'Decided',
                  value: (
                    <>
                      <Instant at={decided_at} now={state.now} /> <span class="muted">by {decided_by}</span>
                    </>
                  ),
                },
              ]),
          ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
          ...(certificate_id === null
            ? []
            : [
                { label: 'Certificate', value: <a href={pagePath('certificate', certificate_id)}>{certificate_id}</a> },
              ]),
          { label: 'Profile', value: PROFILE_WORDS[request.profile].word },
          { label: 'Subject', value: request.subject || <span class="muted">none</span> },
          { label: 'Asks for', value: <Codes items={request.names} /> },
          { label: 'Key', value: keyWord(request.key_algorithm) },
          { label: 'Note', value: note || <span class="muted">none</span> },
          {
            label: 'Asked',
            value: (
              <>
                <Instant at={created_at} now={state.now} /> <span class="muted">by {created_by}</span>
              </>
            ),
          },
        ]}
      />
      {is === 'pending' && state.user.scopes.includes('write:ca') && (
        <Decide request={request} typed={typed} csrf={state.csrf} />
      )}
      <More summary="The request as text">
        <CodeBlock label="The request as PEM">{csr}</CodeBlock>
      </More>
    </>
  );
}

function Decide({ request, typed, csrf }: { request: Data; typed: ReturnType<typeof typedInto>; csrf: string }) {
  const href = pagePath('certificate-request', request.id);
  return (
    <>
      <section class="below" aria-labelledby="approve">
        <h2 id="approve">Approve</h2>
        <Form action={`${href}/approve`} csrf={csrf} label="Approve">
          <TextArea
            name="names"
            label="Names and addresses"
            mono
            rows={4}
            value={typed.text('names', request.names.join('\n'))}
            error={typed.of('names')}
            help="One a line. The certificate is for these and no others."
          />
          <TextField
            name="validity_days"
            label="Valid for"
            inputmode="numeric"
            value={typed.text('validity_days', '')}
            error={typed.of('validity_days')}
            help="Days. Empty: as the profile or the settings say."
          />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Issue the certificate</Button>
            <ButtonLink href={REQUESTS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </section>
      <section class="below" aria-labelledby="refuse">
        <h2 id="refuse">Refuse</h2>
        <Form action={`${href}/refuse`} csrf={csrf} label="Refuse">
          <TextField
            name="reason"
            label="Reason"
            maxlength={200}
            value={typed.text('reason', '')}
            error={typed.of('reason')}
            help="Whoever asked sees it."
          />
          <FormActions>
            <Button>Refuse the request</Button>
          </FormActions>
        </Form>
      </section>
    </>
  );
}
