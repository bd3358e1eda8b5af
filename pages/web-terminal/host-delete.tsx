// Asks before the host key of another machine is forgotten.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findHostKey, type HostKey, hostKeyParam } from '../../shared/services/web-terminal/host-keys.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { HOSTS, TERMINAL } from './recording-words.ts';

export const page = definePage({
  id: 'deleteTerminalHostKeyPage',
  path: `${pageRoute('terminal-host')}/delete`,
  current: TERMINAL.href,
  access: { session: 'write:terminal' },
  params: hostKeyParam,
  load: ({ db, params }): Promise<HostKey> => findHostKey(db, params.host_key_id),
  title: () => 'Forget the host key',
  view({ data, state, outcome }) {
    const { id, sha256, algorithm, confirmed_by } = data;
    return (
      <>
        <PageHead title="Forget the host key?" trail={[TERMINAL, HOSTS]} here="Forget" />
        <Refused typed={typedInto('deleteTerminalHostKeyForm', outcome)} labels={{}} />
        <p>
          The key of <code>{serverText(data)}</code>, {algorithm} <code class="wrap">{sha256}</code>, confirmed by{' '}
          {confirmed_by}. No new terminal goes there until somebody compares its host key and confirms it again.
        </p>
        <Form action={`${pagePath('terminal-host', id)}/delete`} csrf={state.csrf} label="Forget the host key">
          <FormActions>
            <Button kind="bad">Forget it</Button>
            <ButtonLink href={HOSTS.href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
