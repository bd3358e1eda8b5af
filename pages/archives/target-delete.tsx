// Asks before a target is deleted.
import { placeWords, type Target } from '../../shared/appliance/archive/schedule/target.ts';
import { targetParam } from '../../shared/appliance/archive/schedule/target-schemas.ts';
import { findTarget } from '../../shared/appliance/archive/schedule/target-store.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KIND_WORDS, SCHEDULE } from './schedule-words.tsx';
import { ARCHIVES } from './words.ts';

export const page = definePage({
  id: 'deleteArchiveTargetPage',
  path: `${pageRoute('archive-target')}/delete`,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  params: targetParam,
  load: ({ db, params }): Promise<Target> => findTarget(db, params.target_id),
  title: ({ name }) => `Delete ${name}`,
  view({ data: target, state, outcome }) {
    const { id, name, kind, revision } = target;
    const href = pagePath('archive-target', id);
    const typed = typedInto('deleteArchiveTargetForm', outcome);
    return (
      <>
        <PageHead title={`Delete ${name}?`} trail={[ARCHIVES, SCHEDULE, { href, label: name }]} here="Delete" />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={null} saved={[]} now={state.now} />
        <p>Copies no longer go there, and its password or key is deleted. Copies that are there stay.</p>
        <FactsList
          facts={[
            { label: 'Kind', value: KIND_WORDS[kind] },
            { label: 'Where', value: <code class="wrap">{placeWords(target)}</code> },
          ]}
        />
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad">Delete target</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
