// LDAP of VCF Automation: what it has, what it is to get, the review, and from there the page of the job. While the directory
// can't serve it, the page says what is missing.
import { type DirectoryHere, directoryAvailability, type Missing } from '../../shared/vcf/automation-ldap/local.ts';
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { COMMON_LABELS, CommonStep } from '../remote/common-steps.tsx';
import { Wizard } from '../remote/wizard.tsx';
import { DirectoryReview, REVIEW_LABELS } from './review.tsx';
import { DIRECTORY_LABELS, DirectoryStep } from './step.tsx';

type Data = { missing: Missing[] } | { here: DirectoryHere; view: WizardView };

export const page = definePage({
  id: 'automationLdapPage',
  path: AUTOMATION_LDAP_TASK.path,
  current: AUTOMATION_LDAP_TASK.above.href,
  access: { session: AUTOMATION_LDAP_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<Data> {
    const { missing, here } = await directoryAvailability(context.services);
    return here ? { here, view: await loadWizard(AUTOMATION_LDAP_TASK, context) } : { missing };
  },
  title: () => AUTOMATION_LDAP_TASK.title,
  view: Configure,
});

function Configure({ data, state, outcome }: ViewProps<Data>) {
  if ('missing' in data) return <NotYet missing={data.missing} />;
  const { view, here } = data;
  const typed = typedInto(outcome?.operation_id ?? '', outcome);
  const props = { view, state, typed, here };
  const Own = { directory: DirectoryStep, review: DirectoryReview }[view.place.step];
  const owner = (outcome?.problem?.owner as { job_id?: string } | undefined)?.job_id ?? null;
  return (
    <Wizard {...props} labels={{ ...COMMON_LABELS, ...DIRECTORY_LABELS, ...REVIEW_LABELS }}>
      {Own ? <Own {...props} owner={owner} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

/** Each condition with its way out, and nothing to fill in. */
function NotYet({ missing }: { missing: readonly Missing[] }) {
  return (
    <>
      <PageHead
        title={AUTOMATION_LDAP_TASK.title}
        trail={[AUTOMATION_LDAP_TASK.above]}
        intro={AUTOMATION_LDAP_TASK.intro}
      />
      <section aria-labelledby="missing">
        <h2 id="missing">The directory here can’t serve VCF Automation yet</h2>
        {missing.map(({ text, page, link }) => (
          <Block key={text} title="LDAP" actions={<ButtonLink href={page}>{link}</ButtonLink>}>
            {text}
          </Block>
        ))}
      </section>
    </>
  );
}
