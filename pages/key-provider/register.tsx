// Registering the KMIP server at a vCenter: what the vCenter has, what it is to get, the review, and from there the page of the
// job. While key management is not in force here, the page says what is missing, and how vCenter is told by hand.
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type Provider, providers } from '../../shared/services/kms/trust/providers.ts';
import { type KmsEndpoint, kmsAvailability, type Missing } from '../../shared/vcf/key-provider/local.ts';
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { OWN_PASSWORD_LABEL } from '../account/own-password.tsx';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { COMMON_LABELS, CommonStep } from '../remote/common-steps.tsx';
import { Wizard } from '../remote/wizard.tsx';
import { ProviderReview } from './review.tsx';
import { PROVIDER_STEP_LABELS, ProviderStep } from './step.tsx';

type Data = { missing: Missing[] } | { endpoint: KmsEndpoint; view: WizardView; own: Provider[] };

/** Providers that can be chosen. */
const MOST = 200;

export const page = definePage({
  id: 'registerKeyProviderPage',
  path: KEY_PROVIDER_TASK.path,
  current: KEY_PROVIDER_TASK.above.href,
  access: { session: KEY_PROVIDER_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<Data> {
    const { missing, endpoint } = await kmsAvailability(context.services);
    if (!endpoint) return { missing };
    const view = await loadWizard(KEY_PROVIDER_TASK, context);
    const own = view.place.step === 'provider' ? (await listItems(context.db, providers, { limit: MOST })).items : [];
    return { endpoint, view, own };
  },
  title: () => KEY_PROVIDER_TASK.title,
  view: Register,
});

function Register({ data, state, outcome }: ViewProps<Data>) {
  if ('missing' in data) return <NotYet missing={data.missing} />;
  const { view, endpoint, own } = data;
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  const props = { view, state, typed, endpoint, own };
  const Own = { provider: ProviderStep, review: ProviderReview }[view.place.step];
  const owner = (outcome?.problem?.owner as { job_id?: string } | undefined)?.job_id ?? null;
  return (
    <Wizard {...props} labels={{ ...COMMON_LABELS, ...PROVIDER_STEP_LABELS, ...OWN_PASSWORD_LABEL }}>
      {Own ? <Own {...props} owner={owner} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

/** Each condition with its way out, and nothing to fill in. */
function NotYet({ missing }: { missing: readonly Missing[] }) {
  return (
    <>
      <PageHead title={KEY_PROVIDER_TASK.title} trail={[KEY_PROVIDER_TASK.above]} intro={KEY_PROVIDER_TASK.intro} />
      <section aria-labelledby="missing">
        <h2 id="missing">The KMIP server here can’t serve a vCenter yet</h2>
        {missing.map(({ text, page, link }) => (
          <Block key={text} title="Key management" actions={<ButtonLink href={page}>{link}</ButtonLink>}>
            {text}
          </Block>
        ))}
      </section>
    </>
  );
}
