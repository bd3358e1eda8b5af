// Adding a datastore.
import { newItemPage } from '../units/item-pages.tsx';
import { DATASTORE_PAGES } from './datastore-pages.tsx';

export const page = newItemPage(DATASTORE_PAGES);
