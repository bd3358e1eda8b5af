// A new appliance that starts from an archive, in the place of being set up by hand.
import { isNew } from '../../shared/appliance/archive/first-start.ts';
import { PARTS } from '../../shared/appliance/archive/tables.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { CheckGroup, FileField, Form, FormActions, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, type Typed, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ARCHIVES } from './words.ts';

const PATH = pagePath('first-start');
const LABELS = {
  file: 'Archive',
  passphrase: 'Passphrase',
  identity: 'Identity',
  leave_out: 'Leave out',
  ...OWN_PASSWORD_LABEL,
};

export const page = definePage({
  id: 'firstStartPage',
  path: PATH,
  current: pagePath('overview'),
  access: { session: 'write:archives' },
  load: ({ db }): Promise<boolean> => isNew(db),
  title: () => 'Start from an archive',
  view({ data: open, state, outcome }) {
    return (
      <>
        <PageHead
          title="Start from an archive"
          trail={[{ href: pagePath('overview'), label: 'Overview' }]}
          here="First start"
          intro="Sets a new appliance up from an archive. The host follows when you review and apply it."
        />
        {open ? <Start typed={withLost(typedInto('startFromArchiveForm', outcome))} csrf={state.csrf} /> : <Over />}
      </>
    );
  },
});

function Over() {
  return (
    <>
      <Note icon="warn">
        First start is over: this appliance has saved settings or several accounts. You can still compare and restore an
        archive; the accounts stay as they are.
      </Note>
      <div class="actions">
        <ButtonLink href={`${ARCHIVES.href}/upload`}>Upload an archive</ButtonLink>
        <ButtonLink href={pagePath('overview')}>Overview</ButtonLink>
      </div>
    </>
  );
}

function Start({ typed, csrf }: { typed: Typed; csrf: string }) {
  return (
    <>
      <Refused typed={typed} labels={LABELS} />
      <Note>
        An encrypted archive brings its accounts along: they take the place of yours, all sessions and tokens of here
        end, and you sign in again with a name, password and second factor of the archive. A passkey works only while
        the appliance has the same host name. Recovery codes are not in the archive: make new ones. Whoever can't sign
        in is helped on the shell: <code>groundcrew user reset-second-factors NAME</code>. An archive without secrets
        has no accounts, vaults, keys or certificates: your account stays, and those are made anew.
      </Note>
      <Form action={PATH} csrf={csrf} label="Start from an archive" files>
        <FileField
          name="file"
          label={LABELS.file}
          accept=".gcarchive,.age,.json"
          error={typed.of('file')}
          help="At most 3.9 MiB. A larger one on the shell: groundcrew archive restore FILE --first-start."
        />
        <TextField
          name="passphrase"
          label={LABELS.passphrase}
          type="password"
          value=""
          autocomplete="off"
          error={typed.of('passphrase')}
          help="Of the archive, where it was encrypted with one. It is not kept."
        />
        <TextField
          name="identity"
          label={LABELS.identity}
          type="password"
          value=""
          autocomplete="off"
          error={typed.of('identity')}
          help="Of one of its recipients, where it was encrypted for some: AGE-SECRET-KEY-1 and what follows."
        />
        <CheckGroup
          name="leave_out"
          label={LABELS.leave_out}
          values={typed.all('leave_out', [])}
          options={PARTS.map(({ id, label }) => ({ value: id, label }))}
          error={typed.of('leave_out')}
          help="Nothing, as a rule: interfaces are found by MAC address, then by name. On a machine with other adapters leave out the network and what depends on its interfaces."
        />
        <OwnPasswordField error={typed.of('own_password')} />
        <FormActions note="Saved in one step or not at all. Recorded in the audit log.">
          <Button kind="primary">Start from the archive</Button>
          <ButtonLink href={pagePath('overview')}>Set it up by hand</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
