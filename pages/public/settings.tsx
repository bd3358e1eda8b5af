// What the public pages offer beyond what is in force.
import { readPublicSettings, type SavedPublicSettings } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { CheckField, Form, FormActions } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  Refused,
  type SavedField,
  StaleForm,
  typedInto,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';

const SETTINGS = pagePath('settings');
const PATH = pagePath('public-settings');
const LABELS = {
  certificate_requests: 'Certificate requests',
  directory_passwords: 'Passwords of the directory',
  status: 'Status',
};

interface Data {
  saved: SavedPublicSettings;
  last: LastSave | null;
  listen: string | null;
}

export const page = definePage({
  id: 'publicPagesSettingsPage',
  path: PATH,
  current: SETTINGS,
  access: { session: 'read:settings' },
  async load({ db, outcome, services }): Promise<Data> {
    const { public_listen: at } = services.settings;
    return {
      saved: await readPublicSettings(db),
      // The document has no id of its own: its events name the type alone.
      last: await lastSaveOf(db, outcome, { type: 'public_pages_settings', id: '' }),
      listen: at && `${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`,
    };
  },
  title: () => 'Public pages',
  view: Settings,
});

function Settings({ data: { saved, last, listen }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('updatePublicPagesSettingsForm', outcome);
  const fields: SavedField[] = [
    [LABELS.certificate_requests, 'certificate_requests', saved.certificate_requests],
    [LABELS.directory_passwords, 'directory_passwords', saved.directory_passwords],
    [LABELS.status, 'status', saved.status],
  ];
  const reader = state.user.scopes.includes('write:settings') ? undefined : mayOnlyRead('these settings');
  return (
    <>
      <PageHead
        title="Public pages"
        trail={[{ href: SETTINGS, label: 'Settings' }]}
        intro="Pages without sign-in show the services that are in force. This is what else they offer."
      />
      <Refused typed={typed} labels={LABELS} />
      <StaleForm
        typed={typed}
        name="the settings"
        revision={saved.revision}
        last={last}
        saved={fields}
        now={state.now}
      />
      <div class="with-facts">
        <aside aria-label="Where">
          <Facts
            facts={[
              {
                label: 'The public pages answer at',
                value: listen === null ? <span class="muted">no address: they are off</span> : <code>{listen}</code>,
              },
              {
                label: 'Last saved',
                value:
                  saved.updated_at === null ? (
                    <span class="muted">never: all are off</span>
                  ) : (
                    <>
                      <Instant at={saved.updated_at} now={state.now} />, revision {saved.revision}
                    </>
                  ),
              },
            ]}
          />
        </aside>
        <Form action={PATH} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label="Public pages">
          <CheckField
            name="certificate_requests"
            group={LABELS.certificate_requests}
            label="Take certificate requests on the public pages"
            checked={typed.checked('certificate_requests', saved.certificate_requests)}
            error={typed.of('certificate_requests')}
            help="Accounts whose role may ask for certificates sign in there. Such a session asks for certificates and sees its own requests; it opens no management page."
          />
          <CheckField
            name="directory_passwords"
            group={LABELS.directory_passwords}
            label="Let people of the directory change their passwords"
            checked={typed.checked('directory_passwords', saved.directory_passwords)}
            error={typed.of('directory_passwords')}
            help="With the password that they have, where the directory is in force at the interface that was called. A new one is accepted at once, without an apply, and every later apply keeps it."
          />
          <CheckField
            name="status"
            group={LABELS.status}
            label="Show which services answer"
            checked={typed.checked('status', saved.status)}
            error={typed.of('status')}
            help="Anybody sees it, as a page and as JSON: only services that are in force at the interface that was called, and whether each answered when it was last asked."
          />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary" unavailable={reader}>
              Save settings
            </Button>
            <ButtonLink href={SETTINGS}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </div>
    </>
  );
}
