// Factory reset: what goes, what stays, and the two fields that confirm it.
import type { Restored } from '../../shared/appliance/archive/schemas.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions, TextField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Differences } from './differences.tsx';
import { ARCHIVES } from './words.ts';

const PATH = pagePath('factory-reset');
const FORM = 'factoryResetForm';
const LABELS = { confirm: 'Name of the appliance', ...OWN_PASSWORD_LABEL };

const FACTS = [
  {
    label: 'Goes',
    value:
      'Every service and its settings, vaults, certificates and their keys, installer media, users of the depot, all interfaces but those over which you manage the appliance; every account but yours, all sessions and API tokens; jobs and plans.',
  },
  {
    label: 'Stays',
    value:
      'The audit log, with the reset as its newest event. Archives and snapshots in the data folder, and the keys files. Files of the depot and data on datastores. Keys of the KMIP server, its providers, and which clients are trusted or remembered as removed: a machine that is encrypted starts only with its key. What is in force on the host, until you apply.',
  },
  {
    label: 'Before',
    value:
      'A copy of the database is kept as a snapshot: groundcrew data restore brings it back. It holds all that goes, so delete the snapshots when the machine leaves your hands.',
  },
];

export const page = definePage({
  id: 'factoryResetPage',
  path: PATH,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  load: async ({ services }): Promise<string> => services.settings.hostname,
  title: () => 'Factory reset',
  view({ data: hostname, state, outcome }) {
    const typed = typedInto(FORM, outcome);
    const rehearsed = outcome?.operation_id === FORM && !outcome.problem ? (outcome.result as Restored) : null;
    return (
      <>
        <PageHead
          title="Factory reset"
          trail={[ARCHIVES]}
          here="Factory reset"
          intro="The appliance becomes as it was at its first start. The host follows when you review and apply it."
        />
        <Refused typed={typed} labels={LABELS} />
        <FactsList facts={FACTS} />
        {rehearsed && (
          <Note>
            A dry run: nothing was saved.{' '}
            {rehearsed.units.length === 0 ? 'Nothing that was saved would go.' : 'This would go:'}
          </Note>
        )}
        <Differences units={rehearsed?.units ?? []} then="afterwards" />
        <section class="below" aria-labelledby="reset">
          <h2 id="reset">Reset</h2>
          <Form action={PATH} csrf={state.csrf} label="Factory reset">
            <TextField
              name="confirm"
              label={LABELS.confirm}
              mono
              value={typed.text('confirm', '')}
              autocomplete="off"
              error={typed.of('confirm')}
              help={`Type ${hostname}`}
            />
            <OwnPasswordField error={typed.of('own_password')} optional />
            <FormActions note="Saved in one step or not at all. A dry run needs no password.">
              <Button kind="bad">Reset the appliance</Button>
              <Button name="dry_run" value="true">
                Dry run
              </Button>
              <ButtonLink href={ARCHIVES.href}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        </section>
      </>
    );
  },
});
