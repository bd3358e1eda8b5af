// Asks before a datastore is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { DATASTORE_PAGES } from './datastore-pages.tsx';

export const page = deleteItemPage(DATASTORE_PAGES);
