// The pages of a collection's items, made from its declaration and a table of fields: adding one, changing one, and the
// question before one is deleted.
import type { ComponentChildren } from 'preact';
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormOutcome, Services } from '../../shared/kernel/operation/services.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Name } from '../components/code.tsx';
import { type Fact, Facts, FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { NotEnforced } from '../components/not-enforced.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  mayOnlyRead,
  ON_APPLY,
  Refused,
  type SavedField,
  StaleForm,
  type Typed,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { FieldGroups, type Group, labelsOf, savedFields } from './fields.tsx';
import { NOTHING_ON_THE_HOST } from './settings-page.tsx';

/** How a page was asked for. */
export interface Asked {
  /** Of the page that adds one: values to begin with. */
  query: Readonly<Record<string, string>>;
  /** The form that was refused. */
  outcome: FormOutcome | null;
  actor: Actor;
}

export interface ItemPages<Item extends Kept, Extra> {
  collection: Collection<Item>;
  /** `NtpSource`, as in the ids of its operations. */
  component: string;
  /** Short, for buttons: `source`. */
  noun: string;
  /** For notices: `NTP`. */
  what: string;
  /** Page with the list, and those above it. */
  home: { href: string; label: string };
  above?: readonly { href: string; label: string }[];
  /** What the paths of its items begin with: `pagePath('ntp-sources')`. */
  base: string;
  /** Values of the form for a new one. */
  blank: Record<string, unknown> | ((extra: Extra) => Record<string, unknown>);
  /** Values of the form for a saved one, where they are not its members. */
  values?(item: Item, extra: Extra): Record<string, unknown>;
  /** Of fields that are written only: a mark that changes with each. */
  writtenOnly?(item: Item): SavedField[];
  /** What the fields need besides the item, which is null for a new one. */
  load(db: Database, item: Item | null, asked: Asked, services: Services): Promise<Extra>;
  groups(extra: Extra, item: Item | null): Group[];
  /** With a button that sends the form without saving it; `before` says what came of it. */
  checks?: true;
  /** Beside the button that adds one, where adding does more than save. */
  adding?: string;
  /** What has to exist before one can be added; null when it does. */
  missing?(extra: Extra): ComponentChildren | null;
  /** Faults in the words of the form, where it writes several members into one field. */
  told?(typed: Typed): Typed;
  /** Between the heading and the form. */
  before?(extra: Extra, item: Item | null, state: ShellState): ComponentChildren;
  /** Below the facts of a saved one. */
  beside?(item: Item, extra: Extra, state: ShellState): ComponentChildren;
  /** Below form and facts of a saved one. */
  below?(item: Item, extra: Extra, state: ShellState): ComponentChildren;
  /** False where another part of the appliance keeps it, so that it can't be deleted here. */
  deletable?(item: Item): boolean;
  /** The state of a saved one, in the words of its list. */
  state(item: Item, extra: Extra, standings: ShellState['standings']): ComponentChildren;
  /** Beside the form of a saved one, below its state. */
  facts(item: Item, extra: Extra): Fact[];
  /** What deleting means, in a sentence. */
  deleting(item: Item, extra: Extra): ComponentChildren;
  /** Why it can't be deleted now, where that is known before it is tried. */
  needed?(item: Item, extra: Extra): string | undefined;
}

interface Data<Item, Extra> {
  item: Item;
  extra: Extra;
  last: LastSave | null;
}

const same = (typed: Typed): Typed => typed;
/** A collection that an apply enforces has no words of its own for what saving means. */
const isEnforced = ({ saves }: { saves?: string | null }): boolean => saves === undefined;
const savingNote = (collection: { saves?: string | null }): string =>
  isEnforced(collection) ? ON_APPLY : NOTHING_ON_THE_HOST;
const top = ({ home, above = [] }: { home: { href: string }; above?: readonly { href: string }[] }): string =>
  (above[0] ?? home).href;
const QUERY = v.record(v.string(), v.pipe(v.string(), v.maxLength(512)));
export const itemHref = (base: string, id: string): string => `${base}/${encodeURIComponent(id)}`;

/** As it is spoken: a user, an organization. */
const article = (noun: string): string => (/^(?!u[sn]i?)[aeiou]/i.test(noun) ? 'an' : 'a');

/** `export const page = newItemPage(…)`: its path is that of the form that creates one. */
export function newItemPage<Item extends Kept, Extra>(pages: ItemPages<Item, Extra>): Operation {
  const { collection, component, noun, home, above = [], base, blank, what, told = same } = pages;
  const path = `${base}/new`;
  const title = `Add ${article(noun)} ${noun}`;
  return definePage({
    id: `new${component}Page`,
    path,
    current: top(pages),
    access: { session: `write:${collection.resource}` },
    query: QUERY,
    load: ({ db, query, outcome, services, actor }) => pages.load(db, null, { query, outcome, actor }, services),
    title: () => title,
    view({ data: extra, state, outcome }: ViewProps<Extra>) {
      const head = <PageHead title={title} trail={[...above, home]} />;
      const missing = pages.missing?.(extra) ?? null;
      if (missing !== null) return [head, missing];
      const typed = told(withLost(typedInto(`create${component}Form`, outcome)));
      const groups = pages.groups(extra, null);
      return (
        <>
          {head}
          {!isEnforced(collection) && <NotEnforced what={what} />}
          <Refused typed={typed} labels={labelsOf(groups)} />
          {pages.before?.(extra, null, state)}
          <Form action={path} csrf={state.csrf} label={`New ${noun}`}>
            <FieldGroups groups={groups} saved={typeof blank === 'function' ? blank(extra) : blank} typed={typed} />
            <FormActions note={pages.adding ?? savingNote(collection)}>
              <Button kind="primary">Add {noun}</Button>
              {pages.checks && <CheckButton />}
              <ButtonLink href={home.href}>Cancel</ButtonLink>
            </FormActions>
          </Form>
        </>
      );
    },
  });
}

/** `export const page = itemPage(…)`: the form of a saved one, with its facts beside it. */
export function itemPage<Item extends Kept, Extra>(pages: ItemPages<Item, Extra>): Operation {
  const { collection, component, base } = pages;
  return definePage({
    id: `${component.charAt(0).toLowerCase()}${component.slice(1)}Page`,
    path: `${base}/{${collection.param}}`,
    current: top(pages),
    access: { session: `read:${collection.resource}` },
    params: idParam(collection.param, `Id of the ${collection.noun}.`),
    async load({ db, params, outcome, services, actor }): Promise<Data<Item, Extra>> {
      const item = await findItem(db, collection, params[collection.param]!);
      const last = await lastSaveOf(db, outcome, { type: collection.table, id: item.id });
      return { item, extra: await pages.load(db, item, { query: {}, outcome, actor }, services), last };
    },
    title: ({ item }) => collection.title(item),
    view: (props) => <ItemView {...props} pages={pages} />,
  });
}

interface ItemViewProps<Item extends Kept, Extra> extends ViewProps<Data<Item, Extra>> {
  pages: ItemPages<Item, Extra>;
}

function ItemView<Item extends Kept, Extra>({ data, state, outcome, pages }: ItemViewProps<Item, Extra>) {
  const { item, extra, last } = data;
  const { collection, component, noun, home, above = [], base, what, told = same } = pages;
  const typed = told(withLost(typedInto(`update${component}Form`, outcome)));
  const groups = pages.groups(extra, item);
  const saved = pages.values?.(item, extra) ?? (item as unknown as Record<string, unknown>);
  const fields = [...savedFields(groups, saved), ...(pages.writtenOnly?.(item) ?? [])];
  const name = collection.title(item);
  const href = itemHref(base, item.id);
  const writes = state.user.scopes.includes(`write:${collection.resource}`);
  const { revision, created_at, updated_at } = item;
  const common: Fact[] = [
    {
      label: 'Last saved',
      value: (
        <>
          <Instant at={updated_at} now={state.now} />, revision {revision}
        </>
      ),
    },
    { label: 'Added', value: <Instant at={created_at} now={state.now} /> },
  ];
  return (
    <>
      <PageHead title={<Name>{name}</Name>} trail={[...above, home]}>
        {writes && pages.deletable?.(item) !== false && <ButtonLink href={`${href}/delete`}>Delete {noun}</ButtonLink>}
      </PageHead>
      {!isEnforced(collection) && <NotEnforced what={what} />}
      <Refused typed={typed} labels={labelsOf(groups)} />
      <StaleForm typed={typed} name={name} revision={revision} last={last} saved={fields} now={state.now} />
      {pages.before?.(extra, item, state)}
      <div class="with-facts">
        <aside aria-label="As saved">
          <Facts facts={[stated(pages, item, extra, state), ...pages.facts(item, extra), ...common]} />
          {pages.beside?.(item, extra, state)}
        </aside>
        <Form action={href} csrf={state.csrf} {...editedFrom(typed, revision, fields)} label={`Edit ${name}`}>
          <FieldGroups groups={groups} saved={saved} typed={typed} />
          <FormActions note={savingNote(collection)}>
            <Button kind="primary" unavailable={writes ? undefined : mayOnlyRead(what)}>
              Save {noun}
            </Button>
            {pages.checks && writes && <CheckButton />}
            <ButtonLink href={home.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </div>
      {pages.below?.(item, extra, state)}
    </>
  );
}

const stated = <Item extends Kept, Extra>(
  pages: ItemPages<Item, Extra>,
  item: Item,
  extra: Extra,
  { standings }: ShellState,
): Fact => ({ label: 'State', value: pages.state(item, extra, standings) });

const CheckButton = () => (
  <Button name="dry_run" value="true">
    Check
  </Button>
);

/** `export const page = deleteItemPage(…)`: what goes with it, and what stands in the way when it was refused. */
export function deleteItemPage<Item extends Kept, Extra>(pages: ItemPages<Item, Extra>): Operation {
  const { collection, component, noun, home, above = [], base } = pages;
  return definePage({
    id: `delete${component}Page`,
    path: `${base}/{${collection.param}}/delete`,
    current: top(pages),
    access: { session: `write:${collection.resource}` },
    params: idParam(collection.param, `Id of the ${collection.noun}.`),
    async load({ db, params, outcome, services, actor }): Promise<Data<Item, Extra>> {
      const item = await findItem(db, collection, params[collection.param]!);
      const last = await lastSaveOf(db, outcome, { type: collection.table, id: item.id });
      return { item, extra: await pages.load(db, item, { query: {}, outcome, actor }, services), last };
    },
    title: ({ item }) => `Delete ${collection.title(item)}`,
    view({ data: { item, extra, last }, state, outcome }) {
      const typed = typedInto(`delete${component}Form`, outcome);
      const name = collection.title(item);
      const href = itemHref(base, item.id);
      return (
        <>
          <PageHead
            trail={[...above, home, { href, label: <Name>{name}</Name> }]}
            here="Delete"
            title={
              <>
                Delete <Name>{name}</Name>?
              </>
            }
          />
          {!isEnforced(collection) && <NotEnforced what={pages.what} />}
          <Refused typed={typed} labels={{}} />
          <StaleForm typed={typed} name={name} revision={item.revision} last={last} saved={[]} now={state.now} />
          <p>{pages.deleting(item, extra)}</p>
          <FactsList facts={[stated(pages, item, extra, state), ...pages.facts(item, extra)]} />
          <Form action={`${href}/delete`} csrf={state.csrf} revision={item.revision} label={`Delete ${name}`}>
            <FormActions>
              <Button kind="bad" unavailable={pages.needed?.(item, extra)}>
                Delete {noun}
              </Button>
              <ButtonLink href={href}>Keep it</ButtonLink>
            </FormActions>
          </Form>
        </>
      );
    },
  });
}

/** The last group of every item's form. */
export function commonGroup(noun: string, off: string): Group {
  return {
    legend: 'State',
    fields: [
      { name: 'enabled', label: 'Enabled', kind: 'switch', text: `Use this ${noun}`, help: off },
      { name: 'description', label: 'Description', kind: 'text', maxlength: 500 },
    ],
  };
}
