// The forms of a collection's items: adding one, changing one, and the button that deletes one.
import * as v from 'valibot';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import type { FieldError } from '../../shared/ground/problems.ts';
import { defineForm, type Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';
import type { Served, Tagged } from '../../shared/platform/units/collection.ts';
import { type Context, removed } from '../../shared/platform/units/collection-operations.ts';
import { visible } from '../../shared/platform/units/collection-store.ts';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export interface CollectionForm<Item extends Tagged> {
  /** Where the form is posted to, which is also the page that shows it again; by default as the collection's pages say. */
  path?: string;
  /** Posted fields → body of the API's operation. */
  decode?(fields: FormFields): unknown;
  /** What is wrong with the fields themselves. */
  faults?(fields: FormFields): FieldError[];
  /** Fields that are never filled in again. */
  secret?: string[];
  /** Next page, and what is said there; by default the home of the collection, and the item's title with `is saved.` */
  done?(item: Item, fields: FormFields): { location?: string; flash?: string };
}

function form<Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path, done, ...fields }: CollectionForm<Item> & { path: string },
  became: 'saved' | 'deleted',
  more: object = {},
): Operation {
  return defineForm(
    { of, path, ...more },
    {
      ...fields,
      done(answer, posted) {
        const item = answer.body as Item;
        const next = { location: pageRoute(served.pages.home), ...done?.(item, posted) };
        return { flash: `${capital(served.noun)} ${served.title(item)} is ${became}.`, ...next };
      },
    },
  );
}

/** The form that creates an item through the operation `of`. */
export const createForm = <Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path = `${pageRoute(served.pages.all)}/new`, ...declared }: CollectionForm<Item>,
): Operation => form(served, of, { path, ...declared }, 'saved');

/** The form that changes an item; its hidden `revision` is the precondition. */
export const updateForm = <Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path = pageRoute(served.pages.one), ...declared }: CollectionForm<Item>,
): Operation => form(served, of, { path, ...declared }, 'saved');

export interface DeleteForm<Item extends Tagged> extends Pick<CollectionForm<Item>, 'path' | 'decode' | 'done'> {
  /** What may go with it, as the form asks: the body that `decode` makes of the fields stands for the query. */
  body?: v.GenericSchema;
}

/** The button that deletes an item. */
export function deleteForm<Item extends Tagged>(
  served: Served<Item>,
  of: Operation,
  { path = `${pageRoute(served.pages.one)}/delete`, body, ...declared }: DeleteForm<Item> = {},
): Operation {
  const more = {
    ...(body && { body, query: v.strictObject({}) }),
    // The form says what is gone, so that its answer is the item.
    run: async (context: Context) => ({ body: visible(served, await removed(served, context)) }),
  };
  return form(served, of, { path, ...declared }, 'deleted', more);
}
