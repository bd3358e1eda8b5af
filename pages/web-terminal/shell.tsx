// The terminal itself: the sign-in form, and the place where the script draws. Without the script there is none, and it says so.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { listSshCredentials, type SshCredential } from '../../shared/platform/vaults/credentials.ts';
import { readManifest } from '../../shared/services/web-terminal/manifest.ts';
import { OwnPasswordField } from '../account/own-password.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Form, FormActions, SelectField, TextField } from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { machineOption } from './machine-option.ts';

const PATH = pagePath('web-terminal-shell');
const SETTINGS = pagePath('web-terminal');

interface Data {
  /** Whether a terminal is in force at all; at which addresses, the opening itself says. */
  open: boolean;
  /** Days that what is printed is kept; null: it is not recorded. */
  recorded: number | null;
  /** Other machines that a terminal may go to. */
  machines: SshCredential[];
  assets: { js: string | undefined; css: string | undefined };
}

const UNRECORDED = 'Opening and closing are written to the audit log; what is typed and printed is not.';
const recordedNote = (days: number): string =>
  `Terminals are recorded here: what is printed is kept, sealed, for ${days === 1 ? 'one day' : `${days} days`}. What is typed is not recorded, but shells echo most of it. Opening and closing are written to the audit log.`;

export const page = definePage({
  id: 'terminalPage',
  path: PATH,
  current: SETTINGS,
  access: { session: 'read:terminal' },
  async load({ db, services, actor }): Promise<Data> {
    const { assets } = services.settings;
    const manifest = services.host.enforces ? await readManifest(services.host) : null;
    return {
      open: manifest !== null,
      recorded: manifest?.recording?.days ?? null,
      machines: manifest !== null && actor.scopes.has('read:vaults') ? await listSshCredentials(db) : [],
      assets: { js: assets['terminal.js'], css: assets['terminal.css'] },
    };
  },
  title: () => 'Terminal',
  view: Terminal,
});

function Terminal({ data, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('openTerminalForm', outcome);
  return (
    <>
      <PageHead
        title="Terminal"
        intro="A shell of the operating system, as one of its own accounts, or of another machine."
        trail={[{ href: SETTINGS, label: 'Web terminal' }]}
        here="Terminal"
      />
      {!state.user.scopes.includes('write:users') ? (
        <p>Only an administrator can open a terminal.</p>
      ) : data.open ? (
        <>
          <Refused typed={typed} labels={{ account: 'Account', [OWN_PASSWORD]: 'Your own password' }} />
          <div data-terminal-entry>
            <noscript>
              <p>The terminal needs the script of this page.</p>
            </noscript>
            <Form action={`${PATH}/ticket`} csrf={state.csrf} label="Open the terminal">
              {data.machines.length > 0 && (
                <SelectField
                  name="target"
                  label="Machine"
                  value={typed.outcome?.values.get('target') ?? ''}
                  error={typed.of('target')}
                  options={[{ value: '', label: 'This appliance' }, ...data.machines.map(machineOption)]}
                  help="Another machine is one of a vault’s ssh addresses. Its password is opened here, and never reaches the browser."
                />
              )}
              <TextField
                name="account"
                label="Account"
                value={typed.outcome?.values.get('account') ?? ''}
                error={typed.of('account')}
                mono
                help="Of the operating system, and in its group groundcrew-terminal. Its password is asked for next."
                required
                autocomplete="off"
              />
              <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
              <FormActions note={data.recorded === null ? UNRECORDED : recordedNote(data.recorded)}>
                <Button kind="primary">Open the terminal</Button>
                <button type="button" class="btn" data-terminal-host-look="" hidden>
                  Look at its host key
                </button>
                <ButtonLink href={pagePath('terminal-files')}>Files of other machines</ButtonLink>
                <ButtonLink href={SETTINGS}>Settings</ButtonLink>
              </FormActions>
            </Form>
          </div>
          <section class="found" data-terminal-other="" aria-labelledby="terminal-other" hidden>
            <h2 id="terminal-other">A terminal of yours is open</h2>
            <p data-terminal-other-words="" />
            <div class="actions">
              <button type="button" class="btn" data-terminal-take="">
                Take it over
              </button>
              <button type="button" class="btn" data-terminal-another="">
                Open another one
              </button>
            </div>
          </section>
          <section class="found" data-terminal-host-key="" aria-labelledby="terminal-host-key" hidden>
            <h2 id="terminal-host-key">Host key</h2>
            <p data-terminal-host-words="" />
            <p>
              <code class="wrap" data-terminal-host-shown="" />
            </p>
            <p>
              Compare it with the key on the machine itself:{' '}
              <code>ssh-keygen -l -f /etc/ssh/ssh_host_ed25519_key.pub</code>
            </p>
            <div class="actions">
              <button type="button" class="btn" data-terminal-host-confirm="">
                It is the same: confirm it
              </button>
            </div>
          </section>
          <p class="note" role="status" data-terminal-recorded="" hidden />
          <p role="status" data-terminal-status="" />
          <form class="form stack" data-terminal-asks="" aria-label="Sign in at the operating system" hidden>
            <div data-terminal-fields="" />
            <Button>Answer</Button>
          </form>
          <div class="terminal-place" data-terminal-place="" data-socket={`${SETTINGS}/socket`} hidden />
          <p>
            <button type="button" class="btn" data-terminal-end="" hidden>
              End the terminal
            </button>
          </p>
          <dialog data-terminal-paste="" aria-label="Paste into the terminal">
            <form method="dialog">
              <p data-terminal-why="" />
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has no mouse. */}
              <pre class="terminal-pasted" data-terminal-pasted="" tabIndex={0} />
              <button type="submit" class="btn" value="paste">
                Paste
              </button>
              <button type="submit" class="btn" value="">
                Cancel
              </button>
            </form>
          </dialog>
          {data.assets.css && <link rel="stylesheet" href={`/assets/${data.assets.css}`} />}
          {data.assets.js && <script type="module" src={`/assets/${data.assets.js}`} />}
        </>
      ) : (
        <Empty action={<ButtonLink href={pagePath('web-terminal')}>Settings</ButtonLink>}>
          The web terminal is not in force. Switch it on in its settings, and apply them.
        </Empty>
      )}
    </>
  );
}
