// One datastore: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { DATASTORE_PAGES } from './datastore-pages.tsx';

export const page = itemPage(DATASTORE_PAGES);
