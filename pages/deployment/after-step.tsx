// What is done once the disks have arrived. What can't be had says why, with the way there.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button } from '../components/button.tsx';
import { CheckField, FormActions } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './deployment.tsx';

export function After(props: DeploymentStep) {
  const { view, typed, data } = props;
  const deployment = view.draft?.deployment;
  if (!deployment || !data.offers) return null;
  const { power_on = true, extras } = data.chosen.after ?? {};
  const { trust, depot } = data.offers;
  const missing = depot?.missing ?? [];
  return (
    <StepForm {...props} to="after" label="After the start">
      <CheckField
        name="power_on"
        value="yes"
        label="Switch it on, and wait until its API answers"
        checked={typed.checked('power_on', power_on)}
        error={typed.of('power_on')}
        help="Its first start may take an hour; it is waited for up to 90 minutes, and the page of the job may be closed meanwhile. Nobody can confirm its certificate before: the one that its address shows once it is ready is pinned, and the password of admin@local goes over it where a login is needed, as for its trust and its depot."
      />
      <CheckField
        name="dns"
        value="yes"
        label="Save its name and address in DNS"
        checked={typed.checked('dns', extras?.dns ?? false)}
        error={typed.of('dns')}
        help="Only once the machine runs, as desired state: it comes into force with the next reviewed apply, while the name service is on. Its first start may need the records: save and apply them before, with Generate FQDNs. A record that exists is never changed."
      />
      <CheckField
        name="trust_root"
        value="yes"
        label="Have it trust the certificate authority of this appliance"
        checked={typed.checked('trust_root', extras?.trust ?? false)}
        error={typed.of('trust_root')}
        help={trust === null ? 'Over its own API.' : <Why reasons={[{ text: trust, page: CA_PAGE }]} />}
      />
      <CheckField
        name="depot"
        value="yes"
        label="Point it at the offline depot of this appliance"
        checked={typed.checked('depot', extras?.depot ?? false)}
        error={typed.of('depot')}
        help={
          missing.length === 0 ? (
            `${depot?.endpoint?.url ?? ''} as ${depot?.endpoint?.username ?? ''}. It needs the trust, unless its certificate is trusted in another way.`
          ) : (
            <Why reasons={missing} />
          )
        }
      />
      <FormActions note="Nothing is sent yet.">
        <Button kind="primary">Review</Button>
        <Back view={view} to="properties" />
      </FormActions>
    </StepForm>
  );
}

const CA_PAGE = pagePath('certificate-authority');

/** It can be chosen all the same: what is missing may be there by the time of the review, which looks again. */
function Why({ reasons }: { reasons: readonly { text: string; page: string }[] }) {
  return (
    <>
      <State kind="warn">Not yet</State>
      {reasons.map(({ text, page }) => (
        <span key={text} class="line">
          {text} <a href={page}>Open</a>
        </span>
      ))}
    </>
  );
}
