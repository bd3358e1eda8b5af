// Changing a target of archives. Its kind never changes, and its secret is not part of the form.
import { ownCopies } from '../../shared/appliance/archive/schedule/places/allowed-folder.ts';
import { targetParam } from '../../shared/appliance/archive/schedule/target-schemas.ts';
import { findTarget } from '../../shared/appliance/archive/schedule/target-store.ts';
import { type TargetItem, targetItem } from '../../shared/appliance/archive/schedule/targets.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, HiddenField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  Refused,
  StaleForm,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { SCHEDULE } from './schedule-words.tsx';
import { HeadFields, PlaceFields, savedFields, TARGET_LABELS } from './target-fields.tsx';
import { ARCHIVES } from './words.ts';

interface Data {
  target: TargetItem;
  copies: string;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editArchiveTargetPage',
  path: `${pageRoute('archive-target')}/edit`,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  params: targetParam,
  async load({ db, params, services, outcome }): Promise<Data> {
    const target = targetItem(await findTarget(db, params.target_id));
    const last = await lastSaveOf(db, outcome, { type: 'archive_target', id: target.id });
    return { target, copies: ownCopies(services), last };
  },
  title: ({ target }) => `Edit ${target.name}`,
  view({ data: { target, copies, last }, state, outcome }) {
    const { id, name, kind, revision } = target;
    const typed = withLost(typedInto('updateArchiveTargetForm', outcome));
    const href = pagePath('archive-target', id);
    const fields = savedFields(target);
    const props = { saved: target, typed, copies };
    return (
      <>
        <PageHead title={`Edit ${name}`} trail={[ARCHIVES, SCHEDULE, { href, label: name }]} here="Edit" />
        <Refused typed={typed} labels={TARGET_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={fields} now={state.now} />
        <Form action={`${href}/edit`} csrf={state.csrf} {...editedFrom(typed, revision, fields)} label={`Edit ${name}`}>
          <HiddenField name="kind" value={kind} />
          <HeadFields {...props} />
          <PlaceFields kind={kind} {...props} />
          <FormActions note="Takes effect immediately. Another machine needs its secret again, and its host key to be confirmed.">
            <Button kind="primary">Save target</Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
