// Asks before a scope is deleted.
import { deleteItemPage } from '../../units/item-pages.tsx';
import { SCOPE_PAGES } from './scope-pages.tsx';

export const page = deleteItemPage(SCOPE_PAGES);
