// Asks before an installer medium is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { MEDIUM_PAGES } from './medium-pages.tsx';

export const page = deleteItemPage(MEDIUM_PAGES);
