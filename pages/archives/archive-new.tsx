// Making an archive, after the own password.
import { PASSPHRASE_LEAST } from '../../shared/appliance/archive/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, RadioField, TextArea, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ARCHIVES, SECRET_ROWS } from './words.ts';

const PATH = `${ARCHIVES.href}/new`;
const LABELS = {
  encryption: 'Encryption',
  passphrase: 'Passphrase',
  again: 'Passphrase again',
  recipients: 'Recipients',
  own_password: 'Your password',
};

export const page = definePage({
  id: 'newArchivePage',
  path: PATH,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  load: async () => null,
  title: () => 'Make an archive',
  view({ state, outcome }) {
    const typed = withLost(typedInto('createArchiveForm', outcome));
    return (
      <>
        <PageHead
          title="Make an archive"
          trail={[ARCHIVES]}
          here="New"
          intro="Whoever opens an encrypted archive has every password and private key that is saved here."
        />
        <Refused typed={typed} labels={LABELS} />
        <Form action={PATH} csrf={state.csrf} label="Archive">
          <RadioField
            name="encryption"
            label={LABELS.encryption}
            value={typed.text('encryption', 'passphrase')}
            error={typed.of('encryption')}
            options={[
              { value: 'passphrase', label: 'With a passphrase' },
              { value: 'recipients', label: 'For recipients: the appliance itself can’t open it' },
              { value: 'none', label: 'None: secrets are left out' },
            ]}
            help={`Without encryption it leaves out: ${SECRET_ROWS.join(', ')}.`}
          />
          <TextField
            name="passphrase"
            label={LABELS.passphrase}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('passphrase')}
            help={`At least ${PASSPHRASE_LEAST} characters. It is not kept: without it nobody opens the archive.`}
          />
          <TextField
            name="again"
            label={LABELS.again}
            type="password"
            value=""
            autocomplete="new-password"
            error={typed.of('again')}
          />
          <TextArea
            name="recipients"
            label={LABELS.recipients}
            mono
            rows={3}
            value={typed.text('recipients', '')}
            error={typed.of('recipients')}
            placeholder="age1…"
            help="One a line, as age-keygen prints them. The identity of any of them opens the archive."
          />
          <TextField
            name="own_password"
            label={LABELS.own_password}
            type="password"
            value=""
            autocomplete="current-password"
            error={typed.of('own_password')}
            help="Your own, for this appliance."
          />
          <FormActions note="Encrypted, it has the accounts too, for a new appliance that starts from it. Never in it: API tokens, keys files, the audit log, and the bytes of media and depots. Recorded in the audit log.">
            <Button kind="primary">Make the archive</Button>
            <ButtonLink href={ARCHIVES.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
