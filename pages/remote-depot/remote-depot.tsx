// Pointing a VCF Installer or SDDC Manager at the offline depot of this appliance: what it has, what it is to get, the
// review, and from there the page of the job. While the depot here is not ready, the page says what is missing.
import { depotAvailability } from '../../shared/services/offline-depot/serving/availability.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { linkTo, type Missing } from '../../shared/vcf/remote-depot/local.ts';
import type { DepotEndpoint } from '../../shared/vcf/remote-depot/steps.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { COMMON_LABELS, CommonStep } from '../remote/common-steps.tsx';
import { Wizard } from '../remote/wizard.tsx';
import { DepotReview } from './review.tsx';
import { DepotStep } from './step.tsx';

type Data = { missing: Missing[] } | { endpoint: DepotEndpoint; view: WizardView };

export const page = definePage({
  id: 'remoteDepotPage',
  path: DEPOT_TASK.path,
  current: DEPOT_TASK.above.href,
  access: { session: DEPOT_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<Data> {
    const { missing, endpoint } = await depotAvailability(context.services);
    if (!endpoint) return { missing };
    return { endpoint, view: await loadWizard(DEPOT_TASK, context) };
  },
  title: () => DEPOT_TASK.title,
  view: RemoteDepot,
});

function RemoteDepot({ data, state, outcome }: ViewProps<Data>) {
  if ('missing' in data) return <NotYet missing={data.missing} />;
  const { view, endpoint } = data;
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  const props = { view, state, typed, endpoint };
  const Own = { depot: DepotStep, review: DepotReview }[view.place.step];
  const owner = (outcome?.problem?.owner as { job_id?: string } | undefined)?.job_id ?? null;
  return (
    <Wizard {...props} labels={{ ...COMMON_LABELS, depot_password: 'Depot password' }}>
      {Own ? <Own {...props} owner={owner} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

/** Each condition with its way out, and nothing to fill in. */
function NotYet({ missing }: { missing: readonly Missing[] }) {
  const count = missing.length === 1 ? 'One condition is' : `${missing.length} conditions are`;
  return (
    <>
      <PageHead title={DEPOT_TASK.title} trail={[DEPOT_TASK.above]} intro={DEPOT_TASK.intro} />
      <section aria-labelledby="missing">
        <h2 id="missing">The depot here can’t serve others yet</h2>
        <p>{count} missing. Nothing can be sent to another appliance before.</p>
        {missing.map(({ code, text, page }) => (
          <Block
            key={code}
            title={TITLES[code] ?? 'Offline depot'}
            actions={<ButtonLink href={page}>{linkTo(page)}</ButtonLink>}
          >
            {text}
          </Block>
        ))}
      </section>
    </>
  );
}

const TITLES: Readonly<Record<string, string>> = {
  enabled: 'Not enabled',
  applied: 'Not in force',
  certificate: 'No certificate of our authority',
  software_depot_id: 'No software depot ID',
  http_user: 'No depot user',
};
