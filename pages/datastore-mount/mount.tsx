// Mounting a datastore on ESX hosts: which hosts there are, what is to be done on which, the review, and from there the page of
// the job.
import { type MountableDatastore, mountableDatastores } from '../../shared/appliance/overview/mountable.ts';
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { loadWizard, WIZARD_QUERY, type WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { COMMON_LABELS, CommonStep } from '../remote/common-steps.tsx';
import { Wizard } from '../remote/wizard.tsx';
import { MountReview } from './review.tsx';
import { HostsStep, MOUNT_STEP_LABELS } from './step.tsx';

interface Data {
  datastores: MountableDatastore[];
  /** Null while nothing can be mounted. */
  view: WizardView | null;
}

export const page = definePage({
  id: 'mountDatastoresPage',
  path: MOUNT_TASK.path,
  current: MOUNT_TASK.above.href,
  access: { session: MOUNT_TASK.scope },
  query: WIZARD_QUERY,
  async load(context): Promise<Data> {
    const datastores = await mountableDatastores(context.services);
    return { datastores, view: datastores.length === 0 ? null : await loadWizard(MOUNT_TASK, context) };
  },
  title: () => MOUNT_TASK.title,
  view: Mount,
});

function Mount({ data: { datastores, view }, state, outcome }: ViewProps<Data>) {
  if (view === null) return <NotYet />;
  const props = { view, state, typed: typedInto(outcome?.operation_id ?? '', outcome), datastores };
  const Own = { hosts: HostsStep, review: MountReview }[view.place.step];
  return (
    <Wizard {...props} labels={{ ...COMMON_LABELS, ...MOUNT_STEP_LABELS }}>
      {Own ? <Own {...props} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

const NotYet = () => (
  <>
    <PageHead title={MOUNT_TASK.title} trail={[MOUNT_TASK.above]} intro={MOUNT_TASK.intro} />
    <Block title="No datastore is in force" actions={<ButtonLink href={MOUNT_TASK.above.href}>Storage</ButtonLink>}>
      Hosts can mount what is exported: add a datastore with clients, switch storage on, and apply it.
    </Block>
  </>
);
