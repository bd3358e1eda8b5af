// The first four steps of every task on a remote machine.
import type { ObservedCertificate } from '../../shared/ground/x509/certificate.ts';
import { entryOf } from '../../shared/vcf/remote/wizard.ts';
import { isTyped } from '../../shared/vcf/remote/wizard-view.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, FormActions, HiddenField, TextField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { CredentialPicker } from './picker.tsx';
import { Back, PlaceFields, StepForm, type StepProps } from './wizard.tsx';

export const COMMON_LABELS: Readonly<Record<string, string>> = {
  server: 'Server',
  sha256: 'Fingerprint',
  confirm: 'Confirmation',
  username: 'User name',
  password: 'Password',
};

/** The step that is shown, when it is one of the four. */
export function CommonStep(props: StepProps) {
  const Step = STEPS[props.view.place.step];
  return Step ? <Step {...props} /> : null;
}

function Credential({ view }: StepProps) {
  const { task, place, offered, stored, search } = view;
  const { server, look } = place;
  return (
    <form class="form" method="get" action={task.path} aria-label="Credential" data-follows="vault_id">
      {stored === null && (
        <PlaceFields place={{ ...place, step: '', server, look }} without={['vault_id', 'choice_id']} />
      )}
      {offered ? (
        <CredentialPicker offered={offered} stored={stored} vault_id={place.vault_id} search={search} />
      ) : (
        <p>
          User name and password are typed in the Login step, after the certificate of the server was confirmed. Logins
          that are stored in vaults are for administrators.
        </p>
      )}
      <FormActions note="Nothing is sent to the server before you have confirmed its certificate.">
        <Button kind="primary" name="step" value="server">
          Continue
        </Button>
        <ButtonLink href={task.above.href}>Cancel</ButtonLink>
      </FormActions>
    </form>
  );
}

function Server(props: StepProps) {
  const { view, typed } = props;
  const { place, stored } = view;
  const value = stored ? stored.credential.server : typed.text('server', place.server);
  return (
    <StepForm {...props} to="server" without={['server', 'look', 'trust', 'draft']} label="Server">
      <TextField
        name="server"
        label="Server"
        mono
        wide
        value={value}
        error={typed.of('server')}
        required
        readonly={stored !== null}
        maxlength={300}
        placeholder="sddc-manager.lab.example"
        help={
          stored
            ? `From the key ${stored.credential.key} of the vault ${stored.vault}; its password goes nowhere else.`
            : `Host name or IP address of ${view.task.machine}; a port only where it is not 443.`
        }
      />
      <FormActions note="Reads the TLS certificate only; nothing is sent. Recorded in the audit log.">
        <Button kind="primary">Look at its certificate</Button>
        {isTyped(view) ? (
          <ButtonLink href={view.task.above.href}>Cancel</ButtonLink>
        ) : (
          <Back view={view} to="credential" />
        )}
      </FormActions>
    </StepForm>
  );
}

function Tls(props: StepProps) {
  const { view, typed, state } = props;
  const { observation, before, server } = view;
  if (!observation) return null;
  const { address, certificate } = observation;
  const { sha256 } = certificate;
  return (
    <>
      {before === null ? (
        <Fingerprint label="SHA-256 of the certificate" sha256={sha256} id="sha256-shown" />
      ) : (
        <div class="two-fingerprints">
          <Fingerprint label="Confirmed before" sha256={before} id="sha256-before" gone />
          <Fingerprint label="Shown now" sha256={sha256} id="sha256-shown" />
        </div>
      )}
      <FactsList
        facts={[
          { label: 'Server', value: <code>{server}</code> },
          ...(address === server ? [] : [{ label: 'Address', value: <code>{address}</code> }]),
          { label: 'Subject', value: certificate.subject },
          { label: 'Issuer', value: certificate.self_signed ? 'itself (self-signed)' : certificate.issuer },
          { label: 'Valid', value: <Validity certificate={certificate} now={state.now} /> },
          { label: 'Names', value: <Names certificate={certificate} /> },
          { label: 'Protocol', value: certificate.protocol },
        ]}
      />
      <Note>
        Compare it with what the machine itself shows, on its console or as its administrator told you. A self-signed
        certificate is usual for an appliance: it is your comparison that makes it trusted, for this task only.
      </Note>
      <StepForm {...props} to="confirm" without={['trust', 'draft']} label="Fingerprint">
        <HiddenField name="sha256" value={sha256} />
        <CheckField
          name="confirm"
          value="yes"
          label={
            before === null
              ? 'This is the fingerprint of the machine'
              : 'I know why it changed, and this is the fingerprint of the machine now'
          }
          checked={false}
          error={typed.of('confirm') ?? typed.of('sha256')}
        />
        <FormActions note="This task connects only to a machine with this certificate. Your confirmation is recorded.">
          <Button kind="primary">Confirm and continue</Button>
          <Back view={view} to="server" />
        </FormActions>
      </StepForm>
    </>
  );
}

/** Eight bytes a group, so that two of them can be compared by eye. */
export function Fingerprint({
  label,
  sha256,
  id,
  gone,
}: {
  label: string;
  sha256: string;
  id: string;
  gone?: boolean;
}) {
  const bytes = sha256.split(':');
  const groups = [0, 8, 16, 24].map((from) => bytes.slice(from, from + 8).join(':'));
  return (
    <div class={gone ? 'fingerprint gone' : 'fingerprint'}>
      <h3 id={`${id}-label`}>{label}</h3>
      <p class="mono" id={id}>
        {groups.map((group, at) => (
          <span key={group + String(at)}>
            {group}
            {at < 3 && ':'}
          </span>
        ))}
      </p>
    </div>
  );
}

function Validity({ certificate, now }: { certificate: ObservedCertificate; now: string }) {
  const { valid_from, valid_until, expired, not_yet_valid } = certificate;
  if (expired) {
    return (
      <State kind="bad">
        expired <Instant at={valid_until} now={now} />
      </State>
    );
  }
  if (not_yet_valid) return <State kind="warn">not before {valid_from}: check the clocks</State>;
  return (
    <>
      until <Instant at={valid_until} now={now} />
    </>
  );
}

/** A certificate of a large appliance names dozens of hosts. */
const NAMES_SHOWN = 8;

function Names({ certificate: { names, matches_host } }: { certificate: ObservedCertificate }) {
  const more = names.slice(NAMES_SHOWN);
  return (
    <>
      <code>{names.slice(0, NAMES_SHOWN).join(', ') || 'none'}</code>
      {more.length > 0 && (
        <More summary={`and ${more.length} more`}>
          <code>{more.join(', ')}</code>
        </More>
      )}
      {!matches_host && (
        <span class="line">
          <State kind="warn">not issued for this name</State>
        </span>
      )}
    </>
  );
}

function Login(props: StepProps) {
  const { view } = props;
  return (
    <StepForm {...props} to={entryOf(view.task)} without={['draft']} label="Login">
      <LoginFields {...props} />
      <FormActions note="Used for this login only, which takes two minutes at most, over a connection that is pinned to the certificate you confirmed. It is not stored.">
        <Button kind="primary">Log in</Button>
        <Back view={view} to="tls" />
      </FormActions>
    </StepForm>
  );
}

/** The first step after the login, where a stored credential is used and nobody has logged in yet. */
export function ReadStored(props: StepProps & { what: string }) {
  const { view, what } = props;
  const { stored, server } = view;
  return (
    <StepForm {...props} to={entryOf(view.task)} without={['draft']} label="Read" atOnce>
      <HiddenField name="username" value="" />
      <HiddenField name="password" value="" />
      <p>
        The appliance logs in at <code>{server}</code> as <code>{stored?.credential.username}</code> with the key{' '}
        <code>{stored?.credential.key}</code> of the vault {stored?.vault}, and reads {what}. That the key was used is
        recorded.
      </p>
      <FormActions>
        <Button kind="primary">Log in and read</Button>
        <Back view={view} to="credential" />
      </FormActions>
    </StepForm>
  );
}

/** User name and password; with a known user the password alone is asked for again. */
export function LoginFields({ typed, known }: Pick<StepProps, 'typed'> & { known?: string | undefined }) {
  return (
    <div data-login={known === undefined ? 'typed' : 'again'}>
      <TextField
        name="username"
        label="User name"
        mono
        value={known ?? typed.text('username', '')}
        error={typed.of('username')}
        readonly={known !== undefined}
        required
        maxlength={255}
        placeholder="admin@local"
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        mono
        value=""
        error={typed.of('password')}
        required
        maxlength={1024}
        // Browsers pass over "off" here, and would fill in what they know of this appliance itself.
        autocomplete="new-password"
        {...(known !== undefined && { help: 'Enter it again: it is not kept between steps.' })}
      />
    </div>
  );
}

/** The last step's login: the stored credential in words, or the password once more. */
export function LastLogin(props: StepProps) {
  const { view, typed } = props;
  if (view.stored) {
    const { credential, vault } = view.stored;
    return (
      <>
        <HiddenField name="username" value="" />
        <HiddenField name="password" value="" />
        <FactsList
          facts={[
            {
              label: 'Login',
              value: (
                <>
                  <code>{credential.username}</code> with <code>{credential.key}</code> of the vault {vault}
                </>
              ),
            },
          ]}
        />
      </>
    );
  }
  return <LoginFields typed={typed} known={view.draft?.username || undefined} />;
}

const STEPS: Readonly<Record<string, (props: StepProps) => ReturnType<typeof Login> | null>> = {
  credential: Credential,
  server: Server,
  tls: Tls,
  login: Login,
};
