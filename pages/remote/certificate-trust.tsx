// Making an appliance trust the certificate of an authority: the certificate, the review, and from there the job's page.
import { type RootCertificate, rootCertificate } from '../../shared/platform/certificate-authority/authority.ts';
import { shownAgain } from '../../shared/vcf/remote/ca-certificate.ts';
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FormActions, HiddenField, RadioField, TextArea } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { COMMON_LABELS, CommonStep, Fingerprint, LastLogin } from './common-steps.tsx';
import { Back, StepForm, type StepProps, Wizard } from './wizard.tsx';

interface Data {
  view: WizardView;
  /** Of this appliance; read for the step that offers it. */
  root: RootCertificate | null;
}

interface OwnProps extends StepProps {
  root: RootCertificate | null;
}

export const page = definePage({
  id: 'certificateTrustPage',
  path: TRUST_TASK.path,
  current: TRUST_TASK.above.href,
  access: { session: TRUST_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<Data> {
    const view = await loadWizard(TRUST_TASK, context);
    return { view, root: view.place.step === 'certificate' ? await rootCertificate(context.db) : null };
  },
  title: () => TRUST_TASK.title,
  view: Trust,
});

const OWN = { certificate: Certificate, review: Review } as const;

function Trust({ data: { view, root }, state, outcome }: ViewProps<Data>) {
  const props = { view, root, state, typed: typedInto(outcome?.operation_id ?? '', outcome) };
  const Own = OWN[view.place.step as keyof typeof OWN];
  return (
    <Wizard {...props} labels={{ ...COMMON_LABELS, certificate: 'Certificate', from: 'From' }}>
      {Own ? <Own {...props} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

function Certificate(props: OwnProps) {
  const { view, root, typed, state } = props;
  const { draft, stored, server } = view;
  const chosen = draft?.certificate;
  const own = root !== null && (chosen === undefined || chosen.sha256 === root.sha256);
  const pasted = typed.text('certificate', chosen && !own ? chosen.pem : '');
  return (
    <>
      <FactsList facts={[{ label: 'Server', value: <code>{server}</code> }, ...applianceFacts(view)]} />
      <StepForm {...props} to="certificate" label="Certificate">
        <RadioField
          name="from"
          label="From"
          value={typed.text('from', own ? 'own' : 'paste')}
          error={typed.of('from')}
          options={[
            {
              value: 'own',
              label: root ? `The authority of this appliance: ${root.subject}` : 'The authority of this appliance',
              ...(root === null && { unavailable: 'it has no root certificate yet' }),
            },
            { value: 'paste', label: 'A certificate that I paste' },
          ]}
        />
        {root && (
          <div class="own-root">
            <Fingerprint label="SHA-256 of this root certificate" sha256={root.sha256} id="root-shown" />
            <FactsList
              facts={[
                { label: 'Subject', value: root.subject },
                { label: 'Valid until', value: <Instant at={root.not_after} now={state.now} /> },
              ]}
            />
          </div>
        )}
        <div class="pasted">
          <TextArea
            name="certificate"
            label="Certificate"
            mono
            rows={12}
            value={shownAgain(pasted)}
            error={typed.of('certificate')}
            placeholder="-----BEGIN CERTIFICATE-----"
            help="The PEM certificate of an authority, usually the root. One at a time, without the private key."
          />
        </div>
        <FormActions note="Nothing is sent yet.">
          <Button kind="primary">Review</Button>
          <Back view={view} to={stored ? 'credential' : 'login'} />
        </FormActions>
      </StepForm>
    </>
  );
}

const applianceFacts = ({ draft }: WizardView) =>
  draft?.appliance ? [{ label: 'Appliance', value: `${draft.appliance.title} ${draft.appliance.version}` }] : [];

function Review(props: StepProps) {
  const { view, state } = props;
  const certificate = view.draft?.certificate;
  if (!certificate) return null;
  const { subject, issuer, valid_from, valid_until, sha256, self_signed, not_yet_valid } = certificate;
  return (
    <>
      <h3>On the appliance</h3>
      <FactsList
        facts={[
          { label: 'Server', value: <code>{view.server}</code> },
          ...applianceFacts(view),
          { label: 'Its own', value: <code class="wrap">{view.trusted?.sha256}</code> },
        ]}
      />
      <h3>The certificate that it is to trust</h3>
      <FactsList
        facts={[
          { label: 'Subject', value: subject },
          { label: 'Issuer', value: self_signed ? 'itself: a root' : issuer },
          {
            label: not_yet_valid ? 'Valid only from' : 'Valid from',
            value: <Instant at={valid_from} now={state.now} />,
          },
          { label: 'Valid until', value: <Instant at={valid_until} now={state.now} /> },
          { label: 'SHA-256', value: <code class="wrap">{sha256}</code> },
        ]}
      />
      <StepForm {...props} to="run" label="Trust">
        <HiddenField name="reviewed" value={reviewMark(view.task, view.draft!)} />
        <LastLogin {...props} />
        <FormActions note="Runs as a job, over the appliance’s API only. Certificates that it already trusts are left alone and count as done. A typed password stays in memory until the job ends.">
          <Button kind="primary">Trust this certificate</Button>
          <Back view={view} to="certificate" />
        </FormActions>
      </StepForm>
    </>
  );
}
