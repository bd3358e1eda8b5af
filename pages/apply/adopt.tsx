// Asks before what the host has becomes the desired state: interface by interface what would be saved, and what follows.

import { type FoundAdoption, findAdoption, foreseeAdoption } from '../../shared/appliance/apply/adopt.ts';
import type { Foreseen as ForeseenEdit } from '../../shared/appliance/edits/interface-edit.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { unitName } from '../../shared/platform/unit-names.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { APPLY_PATH } from '../components/strip.tsx';
import { FIELD_LABELS } from '../interfaces/answer.tsx';
import type { Foreseen } from '../interfaces/foreseen.ts';
import { Preview } from '../interfaces/preview.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { TRAIL } from './words.tsx';

interface Data {
  found: FoundAdoption;
  foreseen: ForeseenEdit;
}

export const page = definePage({
  id: 'adoptDriftPage',
  path: `${pageRoute('apply-drift')}/adopt`,
  current: APPLY_PATH,
  access: { session: 'write:apply' },
  params: idParam('unit', 'Id of the unit.'),
  async load({ services, params }): Promise<Data> {
    const found = await findAdoption(services, params.unit);
    return { found, foreseen: await foreseeAdoption(services, found) };
  },
  title: ({ found }) => `Keep ${unitName(found.unit.id)} as the host has it`,
  view: Adopt,
});

function Adopt({ data: { found, foreseen }, state, outcome }: ViewProps<Data>) {
  const { id } = found.unit;
  const label = unitName(id);
  return (
    <>
      <PageHead
        trail={TRAIL}
        here="Keep what the host has"
        title={`Keep ${label} as the host has it?`}
        intro="Saves the values that were set on the host by hand, as if you had entered them here. The host stays as it is until the next reviewed apply."
      />
      {outcome?.problem && <Refusal problem={outcome.problem} title="Nothing was saved" />}
      {!outcome?.problem && <Preview foreseen={words(foreseen)} name={label} labels={{}} />}
      {found.files.map((line) => (
        <Note key={line} icon="warn">
          {line}: that is not taken over, and an apply writes the file again.
        </Note>
      ))}
      <Form action={`${APPLY_PATH}/drift/${id}/adopt`} csrf={state.csrf} label="Keep what the host has">
        <FormActions>
          <Button kind="primary" unavailable={unavailable(foreseen, state.user.scopes)}>
            Save what the host has
          </Button>
          <ButtonLink href={APPLY_PATH}>Leave it</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function unavailable({ refused, effect: { interfaces } }: ForeseenEdit, scopes: readonly string[]): string | undefined {
  if (refused) return 'something stands in the way';
  if (interfaces.length === 0) return 'what the host has is saved already';
  const needed = interfaces.some(({ kind }) => kind === 'vlan') ? ['interfaces', 'vlans'] : ['interfaces'];
  const missing = needed.filter((resource) => !scopes.includes(`write:${resource}`));
  return missing.length > 0 ? `your role does not edit ${missing.join(' and ')}` : undefined;
}

/** In the words of a form that was checked, with the interface before each of its settings. */
function words({ refused, effect: { interfaces, ...followed } }: ForeseenEdit): Foreseen {
  const changed = interfaces.flatMap(({ name, changed: own }) =>
    own.map(({ property, ...values }) => ({ property: `${name}: ${labelOf(property)}`, ...values })),
  );
  const refusal = refused && {
    title: 'It cannot be saved yet',
    detail: refused.message,
    blockers: refused.members.blockers ?? [],
  };
  return { act: 'save', impact: refusal ? null : { changed, ...followed }, refused: refusal, unseen: null };
}

const labelOf = (property: string): string => (FIELD_LABELS as Readonly<Record<string, string>>)[property] ?? property;
