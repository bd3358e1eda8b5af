// Adding a target of archives.
import { ownCopies } from '../../shared/appliance/archive/schedule/places/allowed-folder.ts';
import { TARGET_KINDS } from '../../shared/appliance/archive/schedule/target.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, RadioField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KIND_WORDS, SCHEDULE } from './schedule-words.tsx';
import { HeadFields, PlaceFields, TARGET_LABELS } from './target-fields.tsx';
import { ARCHIVES } from './words.ts';

const PATH = `${pagePath('archive-targets')}/new`;

export const page = definePage({
  id: 'newArchiveTargetPage',
  path: PATH,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  load: async ({ services }) => ownCopies(services),
  title: () => 'Add a target',
  view({ data: copies, state, outcome }) {
    const typed = withLost(typedInto('createArchiveTargetForm', outcome));
    const props = { saved: {}, typed, copies };
    return (
      <>
        <PageHead
          title="Add a target"
          trail={[ARCHIVES, SCHEDULE]}
          intro="Where copies of archives go. Only the fields of the chosen kind are used."
        />
        <Refused typed={typed} labels={TARGET_LABELS} />
        <Form action={PATH} csrf={state.csrf} label="New target">
          <HeadFields {...props} />
          <RadioField
            name="kind"
            label={TARGET_LABELS.kind}
            value={typed.text('kind', 'sftp')}
            error={typed.of('kind')}
            options={TARGET_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          />
          {TARGET_KINDS.map((kind) => (
            <PlaceFields key={kind} kind={kind} {...props} />
          ))}
          <FormActions note="Takes effect immediately. The host key of an SFTP server is confirmed on the next page.">
            <Button kind="primary">Add target</Button>
            <ButtonLink href={SCHEDULE.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
