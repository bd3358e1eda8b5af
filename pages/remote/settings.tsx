// Exceptions from the rules about where this appliance connects to.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ADDRESS_RULES, PERMITTED_NETWORKS } from '../../shared/vcf/connection/address-rules.ts';
import { readRemoteSettings, type SavedRemoteSettings } from '../../shared/vcf/connection/settings.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Facts } from '../components/facts.tsx';
import { Form, FormActions, TextArea } from '../components/form.tsx';
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
const PATH = `${SETTINGS}/remote`;
const LABEL = PERMITTED_NETWORKS;

interface Data {
  saved: SavedRemoteSettings;
  last: LastSave | null;
}

export const page = definePage({
  id: 'remoteSettingsPage',
  path: PATH,
  current: SETTINGS,
  access: { session: 'read:settings' },
  async load({ db, outcome }): Promise<Data> {
    // The document has no id of its own: its events name the type alone.
    return {
      saved: await readRemoteSettings(db),
      last: await lastSaveOf(db, outcome, { type: 'remote_settings', id: '' }),
    };
  },
  title: () => 'Remote machines',
  view: Settings,
});

function Settings({ data: { saved, last }, state, outcome }: ViewProps<Data>) {
  const typed = typedInto('updateRemoteSettingsForm', outcome);
  const networks = saved.allowed_networks.join('\n');
  const fields: SavedField[] = [[LABEL, 'allowed_networks', networks]];
  const reader = state.user.scopes.includes('write:vaults') ? undefined : mayOnlyRead('these settings');
  return (
    <>
      <PageHead
        title="Remote machines"
        trail={[{ href: SETTINGS, label: 'Settings' }]}
        intro="Which addresses this appliance may connect to when a task names a machine: installers, service managers, depots."
      />
      <Refused typed={typed} labels={{ allowed_networks: LABEL }} />
      <StaleForm
        typed={typed}
        name="the settings"
        revision={saved.revision}
        last={last}
        saved={fields}
        now={state.now}
      />
      <div class="with-facts">
        <aside aria-label="Rules">
          <Facts
            facts={[
              { label: 'Refused without an exception, because', value: <Rules /> },
              {
                label: 'Last saved',
                value:
                  saved.updated_at === null ? (
                    <span class="muted">never: no exception</span>
                  ) : (
                    <>
                      <Instant at={saved.updated_at} now={state.now} />, revision {saved.revision}
                    </>
                  ),
              },
            ]}
          />
        </aside>
        <Form action={PATH} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label="Remote machines">
          <Note icon="warn">
            For administrators: a network in this list lifts the rules for its addresses. Whoever may name a machine in
            a task can then make this appliance connect to services that listen on loopback or link-local addresses
            only, behind every firewall. Name single addresses where you can, and take them out again.
          </Note>
          <TextArea
            name="allowed_networks"
            label={LABEL}
            mono
            rows={5}
            value={typed.text('allowed_networks', networks)}
            error={typed.of('allowed_networks')}
            placeholder="none"
            help="Networks or single addresses, one a line. An address of this appliance itself, or a cloud’s metadata service, needs an entry for that one address (/32 or /128)."
          />
          <FormActions note="Takes effect with the next connection. Machines already confirmed are checked again.">
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

function Rules() {
  return (
    <ul>
      {Object.entries(ADDRESS_RULES).map(([rule, why]) => (
        <li key={rule}>{why}</li>
      ))}
    </ul>
  );
}
