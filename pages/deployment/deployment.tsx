// Deploying a service manager: which OVA, where to, with which properties, what comes after, the review, and from there the
// page of the job.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { type DeploymentData, loadDeployment, noneUsable } from '../../shared/vcf/deployment/wizard-view.ts';
import { WIZARD_QUERY } from '../../shared/vcf/remote/wizard-view.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { typedInto } from '../layout/form-state.tsx';
import { COMMON_LABELS, CommonStep, ReadStored } from '../remote/common-steps.tsx';
import { type StepProps, Wizard } from '../remote/wizard.tsx';
import { After } from './after-step.tsx';
import { Appliance } from './appliance-step.tsx';
import { Placement } from './placement-step.tsx';
import { Properties } from './properties-step.tsx';
import { Review } from './review-step.tsx';

export interface DeploymentStep extends StepProps {
  data: DeploymentData;
}

export const page = definePage({
  id: 'sddcManagerPage',
  path: DEPLOY_TASK.path,
  current: DEPLOY_TASK.above.href,
  access: { session: DEPLOY_TASK.scope },
  query: WIZARD_QUERY,
  load: (context): Promise<DeploymentData> => loadDeployment(context),
  title: () => DEPLOY_TASK.title,
  view: Deployment,
});

const OWN = {
  appliance: Appliance,
  placement: Placement,
  properties: Properties,
  after: After,
  review: Review,
} as const;

const LABELS = {
  ...COMMON_LABELS,
  ...{ file: 'OVA', name: 'Name', eula: 'License agreement' },
  ...{ pool_id: 'Runs at', host_id: 'Host', datastore_id: 'Datastore', folder_id: 'Folder' },
  ...{ deployment_option: 'Size', disk_provisioning: 'Disks' },
  ...{ power_on: 'Start', dns: 'DNS', trust_root: 'Trust', depot: 'Depot', depot_password: 'Depot password' },
  ...{ appliance_password: 'Password of admin@local', accept_warnings: 'Warnings' },
};

function Deployment({ data, state, outcome }: ViewProps<DeploymentData>) {
  const { view } = data;
  // What was looked at says it, check by check.
  if (view.told?.code === 'preflight_refused' && view.draft?.deployment?.checks) view.told = null;
  const props = { view, state, data, typed: typedInto(outcome?.operation_id ?? '', outcome) };
  if (data.appliances.length === 0 || data.unusable.length > 0) return <NoAppliance {...props} />;
  const own = view.place.step in OWN;
  return (
    <Wizard {...props} labels={{ ...LABELS, ...data.labels }}>
      {own ? <OwnStep {...props} /> : <CommonStep {...props} />}
    </Wizard>
  );
}

/** With a stored login nothing was read yet when its own steps are reached. */
function OwnStep(props: DeploymentStep) {
  const { view } = props;
  if (!view.draft?.deployment) return <ReadStored {...props} what="where a machine can go" />;
  const Own = OWN[view.place.step as keyof typeof OWN];
  return <Own {...props} />;
}

/** In place of the steps: nobody has to enter a password for a deployment that can't happen. */
function NoAppliance(props: DeploymentStep) {
  const { data } = props;
  return (
    <Wizard {...props} labels={{}}>
      <Empty
        action={
          <ButtonLink kind="primary" href={pagePath('offline-depot')}>
            Open the offline depot
          </ButtonLink>
        }
      >
        {data.unusable.length === 0
          ? 'The offline depot has no OVA of a service manager, so there is nothing to deploy. Upload one there, then come back.'
          : `${noneUsable(data.appliances.length)} Upload one as the vendor publishes it, then come back.`}
      </Empty>
      {data.unusable.length > 0 && (
        <dl class="facts-list facts-stacked">
          {data.unusable.map(({ file, fault }) => (
            <div key={file}>
              <dt class="mono wrap">{file}</dt>
              <dd>{fault}</dd>
            </div>
          ))}
        </dl>
      )}
    </Wizard>
  );
}
