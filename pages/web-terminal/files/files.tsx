// Where somebody chooses the machine whose files are to be opened. It works without scripts.
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../../shared/kernel/operation/confirm-password.ts';
import { listSshCredentials, type SshCredential } from '../../../shared/platform/vaults/credentials.ts';
import { readManifest } from '../../../shared/services/web-terminal/manifest.ts';
import { visitsOf } from '../../../shared/services/web-terminal/remote-files/visits.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../../account/own-password.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Form, FormActions, SelectField } from '../../components/form.tsx';
import { definePage, type ViewProps } from '../../layout/define-page.tsx';
import { Refused, typedInto } from '../../layout/form-state.tsx';
import { PageHead } from '../../layout/shell.tsx';
import { machineOption } from '../machine-option.ts';
import { TERMINAL } from '../recording-words.ts';

const PATH = pagePath('terminal-files');

interface Data {
  /** Minutes without use, and in all; null: the web terminal is not in force. */
  ends: { idle: number; total: number } | null;
  machines: SshCredential[];
  /** Connections of this session. */
  open: { id: string; server: string; account: string }[];
}

export const page = definePage({
  id: 'terminalFilesPage',
  path: PATH,
  current: TERMINAL.href,
  access: { session: 'read:terminal' },
  async load({ db, services, actor }): Promise<Data> {
    const manifest = services.host.enforces ? await readManifest(services.host) : null;
    const open = visitsOf(services).of(actor.credential_id);
    return {
      ends: manifest && { idle: manifest.idle_minutes, total: manifest.session_minutes },
      machines: manifest !== null && actor.scopes.has('read:vaults') ? await listSshCredentials(db) : [],
      open: open.map(({ id, facts }) => ({ id, server: facts.sftp.server, account: facts.account })),
    };
  },
  title: () => 'Files of other machines',
  view: View,
});

function View({ data: { ends, machines, open }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('openTerminalFilesForm', outcome);
  return (
    <>
      <PageHead
        title="Files of other machines"
        intro="Download and upload files over SFTP, to machines that a terminal may go to."
        trail={[TERMINAL]}
      />
      {open.length > 0 && (
        <>
          <h2>Open now</h2>
          <ul>
            {open.map(({ id, server, account }) => (
              <li key={id}>
                <a href={pagePath('terminal-visit', id)}>
                  {account} at {server}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {!state.user.scopes.includes('write:users') ? (
        <p>Only an administrator can open the files of another machine.</p>
      ) : ends === null ? (
        <Empty action={<ButtonLink href={TERMINAL.href}>Settings</ButtonLink>}>
          The web terminal is not in force. Switch it on in its settings, and apply them.
        </Empty>
      ) : machines.length === 0 ? (
        <Empty action={<ButtonLink href={pagePath('vaults')}>Vaults</ButtonLink>}>
          No entry of a vault has a user name, a value and an ssh address.
        </Empty>
      ) : (
        <>
          <Refused typed={typed} labels={{ target: 'Machine', ...OWN_PASSWORD_LABEL }} />
          <Form action={PATH} csrf={state.csrf} label="Open the files of a machine">
            <SelectField
              name="target"
              label="Machine"
              value={typed.outcome?.values.get('target') ?? ''}
              error={typed.of('target')}
              options={machines.map(machineOption)}
              help="One of a vault’s ssh addresses, whose host key was confirmed on the page of the terminal. Its password is opened here, and never reaches the browser."
              required
            />
            <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
            <FormActions
              note={`The names and sizes of files that are downloaded or uploaded are written to the audit log; what is in them is not. The connection ends after ${ends.idle} minutes without use, and after ${ends.total} in any case.`}
            >
              <Button kind="primary">Open its files</Button>
              <ButtonLink href={pagePath('web-terminal-shell')}>Terminal</ButtonLink>
            </FormActions>
          </Form>
        </>
      )}
    </>
  );
}
