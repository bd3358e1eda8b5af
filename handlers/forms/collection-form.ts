// The forms of a collection's items: adding one, changing one, and the button that deletes one.
import { defineForm, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import { type Context, removed } from '../../shared/platform/units/collection-operations.ts';
import { visible } from '../../shared/platform/units/collection-store.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface CollectionForm<Item extends Kept> {
  /** Where the form is posted to; it is also the page that shows it again, unless `page` says another one. */
  path: string;
  page?: string;
  /** Posted fields → body of the API's operation. */
  decode(fields: FormFields): unknown;
  /** Fields that are never filled in again. */
  secret?: string[];
  /** Next page, and what is said there; by default the item's title and `is saved.` */
  done(item: Item, fields: FormFields): { location: string; flash?: string };
}

function form<Item extends Kept>(
  collection: Collection<Item>,
  of: Operation,
  { path, page = path, decode, done, secret }: CollectionForm<Item>,
  more: object = {},
): Operation {
  return defineForm(
    { of, path, access: { session: `write:${collection.resource}` }, ...more },
    {
      page,
      decode,
      ...(secret && { secret }),
      done: (answer, fields) => {
        const item = answer.body as Item;
        return { flash: `${capital(collection.noun)} ${collection.title(item)} is saved.`, ...done(item, fields) };
      },
    },
  );
}

/** The form that creates an item through the operation `of`. */
export const createForm = <Item extends Kept>(
  collection: Collection<Item>,
  of: Operation,
  declared: CollectionForm<Item>,
): Operation => form(collection, of, declared);

/** The form that changes an item; its hidden `revision` is the precondition. */
export const updateForm = <Item extends Kept>(
  collection: Collection<Item>,
  of: Operation,
  declared: CollectionForm<Item>,
): Operation => form(collection, of, declared);

/** The button that deletes an item: `page` shows it again when it is refused, `next` is where it leads. */
export function deleteForm<Item extends Kept>(
  collection: Collection<Item>,
  of: Operation,
  { path, page = path, next }: { path: string; page?: string; next: string },
): Operation {
  const flash = (item: Item) => `${capital(collection.noun)} ${collection.title(item)} is deleted.`;
  return form(
    collection,
    of,
    { path, page, decode: () => undefined, done: (item) => ({ location: next, flash: flash(item) }) },
    // The form says what is gone, so that its answer is the item.
    { run: async (context: Context) => ({ body: visible(collection, await removed(collection, context)) }) },
  );
}
