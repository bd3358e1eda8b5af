// The forms of a collection's items: adding one, changing one, and the button that deletes one.
import * as v from 'valibot';
import type { FieldError } from '../../shared/ground/problems.ts';
import { defineForm, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Served, Tagged } from '../../shared/platform/units/collection.ts';
import { type Context, removed } from '../../shared/platform/units/collection-operations.ts';
import { visible } from '../../shared/platform/units/collection-store.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface CollectionForm<Item extends Tagged> {
  /** Where the form is posted to; it is also the page that shows it again, unless `page` says another one. */
  path: string;
  page?: string;
  /** Posted fields → body of the API's operation. */
  decode(fields: FormFields): unknown;
  /** What is wrong with the fields themselves. */
  faults?(fields: FormFields): FieldError[];
  /** Fields that are never filled in again. */
  secret?: string[];
  /** Next page, and what is said there; by default the item's title and `is saved.` */
  done(item: Item, fields: FormFields): { location: string; flash?: string };
}

function form<Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path, page = path, decode, done, faults, secret }: CollectionForm<Item>,
  more: object = {},
): Operation {
  return defineForm(
    { of, path, ...more },
    {
      page,
      decode,
      ...(secret && { secret }),
      ...(faults && { faults }),
      done: (answer, fields) => {
        const item = answer.body as Item;
        return { flash: `${capital(served.noun)} ${served.title(item)} is saved.`, ...done(item, fields) };
      },
    },
  );
}

/** The form that creates an item through the operation `of`. */
export const createForm = <Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  declared: CollectionForm<Item>,
): Operation => form(served, of, declared);

/** The form that changes an item; its hidden `revision` is the precondition. */
export const updateForm = <Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  declared: CollectionForm<Item>,
): Operation => form(served, of, declared);

export interface DeleteForm<Item extends Tagged> {
  /** The page that shows the button again when it is refused is at the path, unless `page` says another one. */
  path: string;
  page?: string;
  /** Where it leads. */
  next: string | ((item: Item) => string);
  /** What is said there, instead of the item's title and `is deleted.` */
  flash?: string;
  /** What may go with it, as the form asks: the body that `decode` makes of the fields stands for the query. */
  body?: v.GenericSchema;
  decode?(fields: FormFields): unknown;
}

/** The button that deletes an item. */
export function deleteForm<Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path, page = path, next, flash, body, decode = () => undefined }: DeleteForm<Item>,
): Operation {
  const leads = (item: Item) => ({
    location: typeof next === 'string' ? next : next(item),
    flash: flash ?? `${capital(served.noun)} ${served.title(item)} is deleted.`,
  });
  return form(
    served,
    of,
    { path, page, decode, done: leads },
    {
      ...(body && { body, query: v.strictObject({}) }),
      // The form says what is gone, so that its answer is the item.
      run: async (context: Context) => ({ body: visible(served, await removed(served, context)) }),
    },
  );
}
