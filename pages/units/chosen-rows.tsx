// Rows of a list that are chosen by their boxes, and what is done with them: the boxes, the buttons below the list, the question
// before what can't be taken back, and what was refused. All of it works without a script.
import type { ComponentChildren } from 'preact';
import { type ListVerb, type ListWords, verbsOfList } from '../../shared/ground/list-words.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { boxValue, namedBy } from '../../shared/platform/units/collection-together.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { ErrorSummary } from '../components/error-summary.tsx';
import { Form, FormActions, HiddenField } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { ON_APPLY } from '../layout/form-state.tsx';

/** What the boxes and buttons go by; the declaration of a collection is one. */
export interface Choosing<Item> {
  /** Of its form, as in `chosen-users`; a collection has its table. */
  table: string;
  listed?: ListWords;
  title(item: Item): string;
  /** By default, saving is desired state. */
  effect?: 'immediate';
  /** Names of the fields that the question has. */
  asks?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: only its words are read.
export type AnyChoosing = Choosing<any>;

interface Row {
  id: string;
  /** A row without one never changes but for its end. */
  revision?: number;
}

const formOf = ({ table }: AnyChoosing): string => `chosen-${table}`;
const boxOf = (id: string): string => `choose-${id}`;

/** What was chosen in the form of this list that was not carried out. */
export function chosenIn({ listed }: AnyChoosing, outcome: FormOutcome | null) {
  const of = outcome !== null && outcome.operation_id === `change${listed?.component}Form` ? outcome : null;
  return { ids: new Set(of?.values.getAll('ids').map((value) => namedBy(String(value)).id)), of };
}

/** The verb that is asked about; null: all there is to say is no question. */
function asked({ listed, asks = [] }: AnyChoosing, of: FormOutcome | null): ListVerb | null {
  const errors = of?.problem?.errors as FieldError[] | undefined;
  const fields = new Set(['/confirm', ...asks.map((name) => `/${name}`)]);
  if (!errors?.every(({ pointer }) => fields.has(pointer))) return null;
  return verbsOfList(listed!).find(({ value }) => value === of?.values.get('verb')) ?? null;
}

interface BoxProps<Item extends Row> {
  collection: Choosing<Item>;
  outcome: FormOutcome | null;
  item: Item;
  choosable?(item: Item): boolean;
}

/** The box of a row; those that another part of the appliance keeps have none. */
export function Box<Item extends Row>({ collection, outcome, item, choosable = () => true }: BoxProps<Item>) {
  if (!choosable(item)) return <span class="box" />;
  const { id, revision } = item;
  return (
    <input
      type="checkbox"
      class="box"
      name="ids"
      value={revision === undefined ? id : boxValue({ id, revision })}
      id={boxOf(id)}
      checked={chosenIn(collection, outcome).ids.has(id)}
      aria-label={`Choose ${collection.title(item)}`}
    />
  );
}

/** Faults lead to the box of their row, others to the buttons. Nothing while all there is to say is the question. */
export function Answer({ collection, outcome }: { collection: AnyChoosing; outcome: FormOutcome | null }) {
  const { of } = chosenIn(collection, outcome);
  if (!of?.problem || asked(collection, of) !== null) return null;
  const ids = of.values.getAll('ids');
  const faults = (of.problem.errors as FieldError[] | undefined) ?? [];
  const errors = faults.map(({ pointer, detail }) => {
    const at = /^\/ids\/(\d+)$/.exec(pointer)?.[1];
    return {
      pointer: `/${at === undefined ? formOf(collection) : boxOf(namedBy(String(ids[Number(at)] ?? '')).id)}`,
      detail,
    };
  });
  if (errors.length === 0 || of.problem.blockers) return <Refusal problem={of.problem} title="Nothing was saved" />;
  return <ErrorSummary errors={errors} />;
}

export interface TogetherProps<Item extends Row> {
  collection: Choosing<Item>;
  listed: { items: readonly Item[]; at: string };
  /** Path of the page, and where its form is posted to. */
  home: string;
  action: string;
  outcome: FormOutcome | null;
  csrf: string;
  /** What the question says besides the names, and its fields. */
  asking?(verb: ListVerb, of: FormOutcome): ComponentChildren;
  children: ComponentChildren;
}

/** The list as a form. Where it stands goes along, so that it is shown again as it was. */
export function Together<Item extends Row>(props: TogetherProps<Item>) {
  const { collection, listed, outcome, csrf, action, children } = props;
  const { nouns } = collection.listed!;
  const { ids, of } = chosenIn(collection, outcome);
  const chosen = listed.items.filter(({ id }) => ids.has(id));
  const verb = asked(collection, of);
  // Without any of them on the page there is nothing to ask about.
  const question = verb !== null && chosen.length > 0;
  const note = collection.effect === undefined ? ` ${ON_APPLY}` : '';
  return (
    <Form action={action} csrf={csrf} label={`Chosen ${nouns}`} id={formOf(collection)}>
      <HiddenField name="at" value={listed.at} />
      {verb !== null && !question && (
        <Note>None of the rows that you chose is on this page of the list any more. Nothing was {verb.was}.</Note>
      )}
      {question && <Question {...props} verb={verb} chosen={chosen} of={of!} />}
      <ChooseAll of={listed.items.length} />
      {children}
      {!question && (
        <FormActions note={`All of the chosen ${nouns}, or none of them.${note}`}>
          {verbsOfList(collection.listed!).map(({ value, label, keep, bad }) => (
            <Button
              key={value}
              name="verb"
              value={value}
              {...(bad && { kind: 'bad' })}
              label={`${label} the chosen ${nouns}`}
            >
              {label}
              {keep !== undefined && '…'}
            </Button>
          ))}
        </FormActions>
      )}
    </Form>
  );
}

/** Of one row its own box is enough. */
export function ChooseAll({ of }: { of: number }) {
  if (of < 2) return null;
  return (
    <p class="check-all" hidden data-choose="ids">
      <Button type="button" value="all">
        Choose all shown
      </Button>
      <Button type="button" value="none">
        Choose none
      </Button>
    </p>
  );
}

interface QuestionProps<Item extends Row> extends TogetherProps<Item> {
  verb: ListVerb;
  chosen: readonly Item[];
  of: FormOutcome;
}

function Question<Item extends Row>({ collection, listed, home, asking, verb, chosen, of }: QuestionProps<Item>) {
  const { noun, nouns } = collection.listed!;
  const { value, label, keep = 'Keep', bad } = verb;
  return (
    <div class="block">
      <h3>{chosen.length === 1 ? `${label} this ${noun}?` : `${label} these ${chosen.length} ${nouns}?`}</h3>
      <p>{chosen.map((item) => collection.title(item)).join(', ')}</p>
      {asking?.(verb, of)}
      <div class="actions">
        <Button kind={bad ? 'bad' : 'primary'} name="confirm" value="on">
          Yes, {label.toLowerCase()}
        </Button>
        <HiddenField name="verb" value={value} />
        <ButtonLink href={`${home}${listed.at && `?${listed.at}`}`}>{keep}</ButtonLink>
      </div>
    </div>
  );
}
