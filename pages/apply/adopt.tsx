// Asks before what the host has becomes the desired state: interface by interface what would be saved, and what follows.

import {
  type ForeseenAdoption,
  type FoundAdoption,
  findAdoption,
  foreseeAdoption,
} from '../../shared/appliance/apply/adopt.ts';
import type { AdoptedMember, ForeseenRow } from '../../shared/appliance/apply/adopt-rows.ts';
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
  foreseen: ForeseenAdoption;
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
      {!outcome?.problem && (!found.unit.adoptRows || foreseen.refused) && (
        <Preview foreseen={words(foreseen)} name={label} labels={{}} />
      )}
      {!outcome?.problem && <Rows rows={foreseen.rows} />}
      {found.left.map((line) => (
        <Note key={line} icon="warn">
          {line}.
        </Note>
      ))}
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
          <ButtonLink href={APPLY_PATH}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

const ROWS_MOST = 50;

/** Row by row what would be saved. */
function Rows({ rows }: { rows: readonly ForeseenRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section class="impact" aria-labelledby="rows">
      <h2 id="rows">
        {rows.length === 1 ? 'One entry takes the host’s value' : `${rows.length} entries take the host’s values`}
      </h2>
      <ul>
        {rows.slice(0, ROWS_MOST).map(({ subject, change, members }) => (
          <li key={subject}>
            {subject}
            {change === 'created' ? ' is new here: ' : ': '}
            {members.map(memberWords).join('; ')}
          </li>
        ))}
      </ul>
      {rows.length > ROWS_MOST && <Note>and {rows.length - ROWS_MOST} more</Note>}
    </section>
  );
}

const memberWords = ({ member, before, after }: AdoptedMember): string => {
  const label = member.replaceAll('_', ' ');
  if (!Array.isArray(after)) return `${label} ${before === null ? '' : `${told(before)} → `}${told(after)}`;
  const was = Array.isArray(before) ? before : [];
  const [more, less] = [after.filter((name) => !was.includes(name)), was.filter((name) => !after.includes(name))];
  return `${label} ${[...more.map((name) => `+${name}`), ...less.map((name) => `−${name}`)].join(' ')}`;
};

const told = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : String(value) || 'none');

function unavailable(
  { refused, rows, effect: { interfaces } }: ForeseenAdoption,
  scopes: readonly string[],
): string | undefined {
  if (refused) return 'another setting prevents it';
  if (interfaces.length + rows.length === 0) return 'what the host has is saved already';
  const edited = interfaces.some(({ kind }) => kind === 'vlan') ? ['interfaces', 'vlans'] : ['interfaces'];
  const needed = [...(interfaces.length > 0 ? edited : []), ...(rows.length > 0 ? ['ldap'] : [])];
  const missing = needed.filter((resource) => !scopes.includes(`write:${resource}`));
  return missing.length > 0 ? `your role does not edit ${missing.join(' and ')}` : undefined;
}

/** In the words of a form that was checked, with the interface before each of its settings. */
function words({ refused, effect: { interfaces, ...followed } }: ForeseenAdoption): Foreseen {
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
